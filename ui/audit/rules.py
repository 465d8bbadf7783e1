"""The rules with their coverage, and one of them: whom it covers against everyone else."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from glocalx.audit.grouping import find_groups
from glocalx.audit.intervals import Estimate, share_difference
from glocalx.audit.rule_profile import RuleProfile
from glocalx.plots import OutcomeColours, side_by_side
from glocalx.words.figures import percent, points
from glocalx.words.phrases import counted
from glocalx.words.wording import Wording
from ui.audit.address import bring, give_way, key, write
from ui.audit.flags import measured
from ui.audit.result import Audited
from ui.layout import show
from ui.text import badge, plain, spoken

TABLE = "audit_rules_table"
FEATURES = "audit_features"
ROW, MOST_ROWS = 35, 16
MOST_DRAWN = 4
MOST_OVERLAPS = 4


def rules_card(audited: Audited, colours: OutcomeColours) -> None:
    """The table of rules beside the one that is read, and below it whom that one covers."""
    wording = audited.wording
    with st.container(border=True):
        st.subheader("What each rule covers, and whom", anchor=False)
        if not audited.theory.size:
            st.markdown("There are no rules: everybody gets the same answer.")
            return
        place = chosen_rule(audited)
        st.caption(
            f"Shares are of the {counted(audited.audit.records, 'counted record')}. The first rule "
            "that applies decides. Select a row to see whom the rule covers."
        )
        _table(audited, place, wording, colours)
        left, right = st.columns([5, 6], gap="medium")
        with left:
            _one_rule(audited, place, wording, colours)
        with right:
            _whom(audited, place)
        _spreads(audited, place, colours)


def chosen_rule(audited: Audited) -> int:
    """The place of the rule that is read; by default of that which gives the outcome most."""
    rules, profiles = audited.theory.rules, audited.audit.rules
    asked = [each for each in profiles if each.rule.outcome == audited.asked.outcome]
    first = max(asked or profiles, key=lambda each: (each.decided, -each.place)).place + 1
    known = {str(i): i for i in range(1, len(rules) + 1)}
    if st.session_state.get(key("rule"), first) not in known.values():
        give_way("rule", first)
    return bring("rule", known.get, first) - 1


def rules_frame(audited: Audited, wording: Wording) -> pd.DataFrame:
    """One row a rule, shares in per cent."""
    total = audited.audit.records
    profiles = audited.audit.rules
    return pd.DataFrame(
        {
            "Rule": [each.place + 1 for each in profiles],
            "Then": [[wording.outcome(each.rule.outcome)] for each in profiles],
            "If …": [wording.short(each.rule) for each in profiles],
            "Covers": [100 * each.covered / total for each in profiles],
            "Decides": [100 * each.decided / total for each in profiles],
            "Agrees": [100 * each.agrees.value for each in profiles],
            "True": [100 * each.right.value for each in profiles],
            "Names": [
                ", ".join(audited.audit.title([n]) for n in each.sensitive) for each in profiles
            ],
        }
    )


def _table(audited: Audited, place: int, wording: Wording, colours: OutcomeColours) -> None:
    frame = rules_frame(audited, wording)
    _mark(place)
    columns = st.column_config
    st.dataframe(
        frame,
        hide_index=True,
        height=(min(len(frame), MOST_ROWS) + 1) * ROW + 2,
        column_config={
            "Rule": columns.NumberColumn(format="%d", width=45, pinned=True),
            "Then": columns.MultiselectColumn(
                options=[wording.outcome(outcome) for outcome in colours.outcomes],
                color=[colours.soft(outcome) for outcome in colours.outcomes],
                width=95,
            ),
            "If …": columns.TextColumn(width=470),
            "Covers": columns.NumberColumn(
                format="%.1f %%", width=70, help="Share of the records that the rule applies to."
            ),
            "Decides": columns.NumberColumn(
                format="%.1f %%", width=72, help="Share where it is the first rule that applies."
            ),
            "Agrees": columns.NumberColumn(
                format="%.0f %%", width=65, help="Of those it covers: the black box says the same."
            ),
            "True": columns.NumberColumn(
                format="%.0f %%", width=60, help="Of those it covers: it is so in the data."
            ),
            "Names": columns.TextColumn(width=95, help="Chosen columns that it names outright."),
        },
        on_select=_selected,
        selection_mode="single-row",
        key=TABLE,
        placeholder="–",
        alt="The rules with what they cover. Select one to see whom it covers.",
    )


def _mark(place: int) -> None:
    """Mark the row of the rule that is read, where another one is marked."""
    marked = st.session_state.get(TABLE)
    if (marked["selection"]["rows"] if marked else []) != [place]:
        st.session_state[TABLE] = {"selection": {"rows": [place], "columns": [], "cells": []}}


def _selected() -> None:
    rows = st.session_state[TABLE]["selection"]["rows"]
    if rows:
        st.session_state[key("rule")] = rows[0] + 1
        write("rule", rows[0] + 1)


def _one_rule(audited: Audited, place: int, wording: Wording, colours: OutcomeColours) -> None:
    profile = audited.audit.rules[place]
    rule, total = profile.rule, audited.audit.records
    st.markdown(
        f"**Rule {place + 1}** {badge(rule.outcome, colours, wording.outcome(rule.outcome))}"
    )
    st.markdown(spoken(wording.parts(rule, outcome=False), rule.outcome, colours))
    with st.grid(3, min_column_width=110, gap="small"):
        st.metric("Covers", f"{profile.covered:,}", percent(profile.covered / total, 1), **QUIET)
        st.metric("Decides", f"{profile.decided:,}", percent(profile.decided / total, 1), **QUIET)
        st.metric("Black box agrees", percent(profile.agrees.value), _span(profile.agrees), **QUIET)
    st.caption(" ".join(_remarks(audited, profile)))
    if profile.overlaps:
        st.markdown(
            "\n".join(
                [
                    "Other rules cover some of the same records:",
                    "",
                    *_overlaps(audited, profile, wording),
                ]
            )
        )


def _overlaps(audited: Audited, profile: RuleProfile, wording: Wording) -> list[str]:
    """The rules that share most records with one, as a list in Markdown."""
    said = []
    for each in profile.overlaps[:MOST_OVERLAPS]:
        outcome = plain(wording.outcome(audited.theory.rules[each.rule].outcome))
        who = min(each.rule, profile.place) + 1
        said.append(
            f"- rule {each.rule + 1} ({outcome}): {counted(each.records, 'record')}, "
            f"{percent(each.share)} of them; rule {who} comes first"
        )
    more = len(profile.overlaps) - len(said)
    return [*said, f"- and {counted(more, 'more rule')}"] if more else said


def _whom(audited: Audited, place: int) -> None:
    frame = whom_frame(audited, place)
    st.dataframe(
        frame,
        hide_index=True,
        height=(min(len(frame), 11) + 1) * ROW + 2,
        column_config={
            "Covered": st.column_config.NumberColumn(format="%.1f %%", width=80),
            "Everyone else": st.column_config.NumberColumn(format="%.1f %%", width=105),
            "Difference": st.column_config.TextColumn(
                width=170,
                alignment="right",
                help="Covered minus everyone else, in points, with its 95 % interval.",
            ),
        },
        placeholder="–",
        alt="Share of each group among the covered records and among all others.",
    )


QUIET: dict[str, Any] = {"delta_color": "off", "delta_arrow": "off"}


def _span(estimate: Estimate) -> str | None:
    if not estimate.is_defined:
        return None
    return f"{100 * estimate.low:.0f} to {100 * estimate.high:.0f} %"


def _remarks(audited: Audited, profile: RuleProfile) -> list[str]:
    said = []
    if not profile.covered:
        said.append("It covers none of the counted records.")
    if profile.sensitive:
        names = ", ".join(plain(audited.audit.title([name])) for name in profile.sensitive)
        said.append(f"Names outright: {names}.")
    close = [
        f"{plain(audited.wording.name(each.column))} for "
        f"{plain(audited.audit.title([each.sensitive]))} ({measured(each)})"
        for each in profile.close_proxies()
    ]
    if close:
        said.append(f"Close stand-ins: {', '.join(close)}.")
    enough = audited.audit.subgroups.enough
    if 0 < profile.covered < enough:
        said.append(f"Fewer than {enough} records: not enough evidence on whom it covers.")
    return said


def whom_frame(audited: Audited, place: int) -> pd.DataFrame:
    """Share of each group among what a rule covers and among all others, in per cent."""
    tally = audited.audit.tally
    covered = tally.covers[:, place]
    inside, outside = tally.records(covered), tally.records(~covered)
    rows = []
    for column in audited.asked.by:
        for group in find_groups(tally, [column]):
            counts = tally.records(covered & group.cells), tally.records(~covered & group.cells)
            difference = share_difference(counts[0], inside, counts[1], outside)
            rows.append(
                {
                    "Column": audited.audit.title([column]),
                    "Group": group.title,
                    "Covered": 100 * counts[0] / inside if inside else float("nan"),
                    "Everyone else": 100 * counts[1] / outside if outside else float("nan"),
                    "Difference": interval_text(difference),
                }
            )
    return pd.DataFrame(rows)


def interval_text(estimate: Estimate) -> str:
    """`+5.7 (+1.2 to +9.9)`, in points; a dash where it is undefined."""
    value, low, high = (
        points(each).removesuffix(" points")
        for each in (estimate.value, estimate.low, estimate.high)
    )
    return f"{value} ({low} to {high})" if estimate.is_defined else "–"


def _spreads(audited: Audited, place: int, colours: OutcomeColours) -> None:
    """Distributions of features among the covered records beside all others."""
    rule, records = audited.theory.rules[place], audited.source.records
    wording = Wording(records.schema)  # columns that no rule may name are among them
    names = records.schema.names
    usual = list(dict.fromkeys([*audited.asked.by, *rule.features]))[:MOST_DRAWN]
    st.markdown(f"#### Those whom rule {place + 1} covers, beside everyone else")
    drawn = st.multiselect(
        "Compare them by",
        names,
        default=usual,
        format_func=wording.name,
        key=f"{FEATURES} {place} {' '.join(audited.asked.by)}",
        placeholder="Choose features",
    )
    covered = audited.source.coverage(rule)
    if not covered:
        st.markdown("It covers none of the counted records, so there is nothing to compare.")
        return
    with st.grid(2, min_column_width=330, gap="medium"):
        for name in drawn:
            with st.container():
                st.markdown(plain(wording.name(name)))
                show(
                    side_by_side(records, name, covered, colours, rule.outcome, wording=wording),
                    f"audit_spread_{records.schema.names.index(name)}",
                )
