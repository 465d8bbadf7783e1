"""Whom the outcome falls on: three figures, what rules name outright, and two pictures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from glocalx.audit.comparison import NOT_COMPARED, GroupComparison
from glocalx.audit.forest import ForestRow, fidelity_rows, forest_rows
from glocalx.audit.sensitive_table import Counting
from glocalx.audit.subgroups import Subgroup
from glocalx.plots import OutcomeColours, forest, group_heatmap
from glocalx.report.sentences import (
    combinations_in_words,
    explained_alike,
    shades_in_words,
)
from glocalx.words.figures import percent, points
from ui.audit.address import bring_one_of, in_step, key, write
from ui.audit.drawing import markdown
from ui.audit.result import Audited, identity
from ui.layout import card, figure, one_of, show
from ui.opened import shades
from ui.text import coloured, plain

COUNTINGS = {"covered": "Covers", "decided": "Decides"}
MOST_COMBINED = 40
HEATMAP = "audit_heatmap"
FRAMED: dict[str, Any] = {"border": True, "height": "stretch"}


def figures(audited: Audited, outcome: str) -> None:
    """How many get the outcome, who most often, who least often; `outcome` as people say it."""
    everyone, said = audited.audit.selected(audited.audit.answers), plain(outcome)
    groups = _by_share(audited)
    with st.grid(3, min_column_width=250, gap="small"):
        figure(
            f"{said} in the data" if audited.audit.answers == "truth" else f"Called {said}",
            percent(everyone.rate().value, 1),
            f"{everyone.hits:,} of {everyone.size:,}",
            **FRAMED,
        )
        more = [group for group in groups if _difference(audited, group) > 0]
        less = [group for group in groups if _difference(audited, group) < 0]
        _extreme(audited, "More often", more[0] if more else None)
        _extreme(audited, "Less often", less[-1] if less else None)


def _by_share(audited: Audited) -> list[Subgroup]:
    """The groups that are shown to differ, who gets the outcome most often first."""
    shares = [
        (audited.answers(group).selected.value, group)
        for group in audited.subgroups(together=False).subgroups
        if _comparison(audited, group).verdict == "different"
    ]
    return [group for _, group in sorted(shares, key=lambda pair: -pair[0])]


def _comparison(audited: Audited, group: Subgroup) -> GroupComparison:
    return audited.answers(group).comparison or NOT_COMPARED


def _difference(audited: Audited, group: Subgroup) -> float:
    return _comparison(audited, group).difference.value


def _called(audited: Audited, group: Subgroup) -> str:
    """A group by its column and category; bands of numbers name their column already."""
    column = audited.audit.title(group.columns)
    return group.title if column.lower() in group.title.lower() else f"{column} {group.title}"


def _extreme(audited: Audited, label: str, group: Subgroup | None) -> None:
    if group is None:
        figure(label, "–", "no such difference is shown", **FRAMED)
        return
    answers = audited.answers(group)
    figure(
        f"{label}: {plain(_called(audited, group))}",
        percent(answers.selected.value, 1),
        points(_difference(audited, group)),
        "Of the groups whose difference holds after correction, the one with the "
        f"{'largest' if label == 'More often' else 'smallest'} share.",
        delta_description=f"against {audited.asked.whom}",
        **FRAMED,
    )


def forest_card(audited: Audited, outcome: str) -> None:
    """Who gets the outcome more often?"""
    table, asked = audited.subgroups(together=False), audited.asked
    answers, said = audited.audit.answers, plain(outcome)
    question = f"Who is called {said} more often?"
    if answers == "truth":
        question = f"Who is {said} more often in the data?"
    compared = audited.audit.subgroups.compared.get(answers, 0)
    unmarked = " Without a mark: the group that others are compared with."
    with card(question, height="stretch"):
        st.caption(
            f"Difference in the share, group minus {asked.whom}, in points, with 95 % intervals "
            f"(Newcombe’s). {shades_in_words(compared)} Hollow: fewer than "
            f"{table.enough} records on one side, so not enough records."
            f"{'' if asked.against == 'everyone else' else unmarked}"
        )
        rows = forest_rows(table, answers, audited.audit.titles)
        drawing = forest(rows, outcome, shades(), enough=table.enough, against=asked.whom)
        show(drawing, "audit_forest")


def heatmap_card(audited: Audited, outcomes: Sequence[str], colours: OutcomeColours) -> None:
    """Which rule falls on whom? `outcomes` as people say them."""
    chosen = bring_one_of("counting", list(COUNTINGS), "covered")
    counting: Counting = "decided" if chosen == "decided" else "covered"
    does = COUNTINGS[chosen].lower()
    with st.container(border=True, height="stretch"):
        with st.container(
            horizontal=True, horizontal_alignment="distribute", vertical_alignment="bottom"
        ):
            st.header("Which rule falls on whom?", anchor="which-rule", width="content")
            look = {"label_visibility": "collapsed", **in_step("counting")}
            one_of("What a rule does", COUNTINGS, **look)
        legend = ", ".join(
            coloured(name, colours, said)
            for name, said in zip(colours.outcomes, outcomes, strict=True)
        )
        st.caption(
            f"Per cent of each group that a rule {does}. Green: more than of everyone; "
            "purple: less. Click a cell to read its rule, and what its group’s difference comes "
            "from, below."
        )
        st.markdown(f"Colours of the rules’ numbers: {legend}.")
        drawing = group_heatmap(
            audited.audit.tally,
            colours,
            enough=audited.audit.settings.enough,
            counting=counting,
        )
        show(drawing, HEATMAP, on_select=_clicked, selection_mode="points")


def _clicked() -> None:
    """Read the rule and the group of the cell that was clicked."""
    points = st.session_state[HEATMAP]["selection"]["points"]
    if points:
        place, column, group = points[0]["customdata"][:3]
        for name, value in (("rule", int(place) + 1), ("group", identity([column], [group]))):
            st.session_state[key(name)] = value
            write(name, value)


def combined_card(audited: Audited, outcome: str) -> None:
    """The combinations of all columns: those with enough records, the furthest apart first."""
    table, asked = audited.subgroups(together=True), audited.asked
    if not table.subgroups:
        return
    rows = forest_rows(table, audited.audit.answers, audited.audit.titles)
    sure = [row for row in rows if row.enough and row.difference.is_defined]
    drawn = sorted(sure, key=lambda row: -abs(row.difference.value))[:MOST_COMBINED]
    drawn.sort(key=lambda row: -row.difference.value)
    with card("Combinations"):
        st.caption(combinations_in_words(rows, len(drawn), table.enough))
        if drawn:
            first, last = drawn[0], drawn[-1]
            st.markdown(f"Most often: {_row_text(first)}. Least often: {_row_text(last)}.")
            drawing = forest(drawn, outcome, shades(), enough=table.enough, against=asked.whom)
            show(drawing, "audit_combined")


def _row_text(row: ForestRow) -> str:
    share = f"{percent(row.share, 1)} of {row.size:,}"
    return f"**{plain(row.group)}**, {share} ({points(row.difference.value)})"


def fidelity_card(audited: Audited) -> None:
    """Is the explanation as good for everyone? Where rules and black box agree less often."""
    rows, compared = fidelity_rows(audited.audit), audited.audit.subgroups.judged
    whom = audited.asked.whom
    with card("Is the explanation as good for everyone?", height="stretch"):
        st.markdown(markdown(explained_alike(rows)))
        st.caption(
            "How often rules and black box give the same answer, group minus "
            f"{whom}, in points, with 95 % intervals. At the right: the share of the "
            f"group where they agree. {shades_in_words(compared)}"
        )
        answer, enough = "the answer of the black box", audited.audit.settings.enough
        drawing = forest(rows, answer, shades(), enough=enough, against=whom)
        show(drawing, "audit_fidelity")
