"""The rules with their coverage, and one of them: whom it covers against everyone else."""

from __future__ import annotations

import streamlit as st

from glocalx.audit.intervals import Estimate
from glocalx.audit.rule_profile import RuleProfile
from glocalx.plots import OutcomeColours, side_by_side
from glocalx.report.sentences import remarks
from glocalx.report.tables.groups import covered_table
from glocalx.report.tables.rules import rule_table
from glocalx.words.figures import percent
from glocalx.words.phrases import counted
from glocalx.words.wording import Wording
from ui.audit.address import bring, give_way, key, write
from ui.audit.drawing import draw_table
from ui.audit.result import Audited
from ui.layout import card, figure, mark_row, marked_row, show
from ui.text import badge, plain, spoken

TABLE = "audit_rules_table"
FEATURES = "audit_features"
MOST_DRAWN = 4
MOST_OVERLAPS = 4


def rules_card(audited: Audited, colours: OutcomeColours) -> None:
    """The table of rules beside the one that is read, and below it whom that one covers."""
    wording = audited.wording
    with card("What each rule covers, and whom"):
        if not audited.theory.size:
            st.markdown("There are no rules: everybody gets the same answer.")
            return
        place = chosen_rule(audited)
        st.caption(
            f"Shares are of the {counted(audited.audit.records, 'counted record')}. The first rule "
            "that applies decides. Select a row to see whom the rule covers."
        )
        _table(audited, place, colours)
        left, right = st.columns([5, 6], gap="medium")
        with left:
            _one_rule(audited, place, wording, colours)
        with right:
            widths = {"Covered": 80, "Everyone else": 105, "Difference": 170}
            draw_table(covered_table(audited.audit, place), widths=widths, most_rows=11)
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


def _table(audited: Audited, place: int, colours: OutcomeColours) -> None:
    mark_row(TABLE, place)
    shown = ("Rule", "Then", "If …", "Covers", "Decides", "Agrees", "True", "Names")
    draw_table(
        rule_table(audited.audit, audited.wording).only(*shown),
        colours,
        widths={"Rule": 45, "Then": 95, "If …": 470, "Covers": 70, "Decides": 72},
        pinned="Rule",
        on_select=_selected,
        selection_mode="single-row",
        key=TABLE,
    )


def _selected() -> None:
    place = marked_row(TABLE)
    if place is not None:
        st.session_state[key("rule")] = place + 1
        write("rule", place + 1)


def _one_rule(audited: Audited, place: int, wording: Wording, colours: OutcomeColours) -> None:
    profile = audited.audit.rules[place]
    rule, total = profile.rule, audited.audit.records
    st.markdown(
        f"**Rule {place + 1}** {badge(rule.outcome, colours, wording.outcome(rule.outcome))}"
    )
    st.markdown(spoken(wording.parts(rule, outcome=False), rule.outcome, colours))
    with st.grid(3, min_column_width=110, gap="small"):
        figure("Covers", f"{profile.covered:,}", percent(profile.covered / total, 1))
        figure("Decides", f"{profile.decided:,}", percent(profile.decided / total, 1))
        figure("Black box agrees", percent(profile.agrees.value), _span(profile.agrees))
    st.caption(plain(" ".join(remarks(audited.audit, profile, wording))))
    if profile.overlaps:
        others = "\n".join(_overlaps(audited, profile, wording))
        st.markdown(f"Other rules cover some of the same records:\n\n{others}")


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


def _span(estimate: Estimate) -> str | None:
    if not estimate.is_defined:
        return None
    return f"{100 * estimate.low:.0f} to {100 * estimate.high:.0f} %"


def _spreads(audited: Audited, place: int, colours: OutcomeColours) -> None:
    """Distributions of features among the covered records beside all others."""
    rule, records = audited.theory.rules[place], audited.source.records
    wording = Wording(records.schema)  # columns that no rule may name are among them
    names = records.schema.names
    usual = list(dict.fromkeys([*audited.asked.by, *rule.features]))[:MOST_DRAWN]
    st.markdown(f"### Those whom rule {place + 1} covers, beside everyone else")
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
