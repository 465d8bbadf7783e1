"""Is the explanation as good for everyone? Agreement of rules and black box in each group."""

from __future__ import annotations

import math

import streamlit as st

from glocalx.audit.comparison import SIGNIFICANT
from glocalx.audit.grouping import counterpart, find_groups
from glocalx.audit.intervals import UNDEFINED, difference_p_value, holm, share_difference
from glocalx.audit.tally import Bools
from glocalx.plots import forest
from glocalx.plots.forest_plot import ForestRow
from glocalx.words.phrases import counted
from ui.audit.groups import shades_in_words
from ui.audit.result import Audited
from ui.layout import show
from ui.opened import shades
from ui.text import plain


def fidelity_card(audited: Audited) -> None:
    """Where the rules agree with the black box less often."""
    rows = fidelity_rows(audited)
    with st.container(border=True, height="stretch"):
        st.subheader("Is the explanation as good for everyone?", anchor=False)
        st.markdown(verdict(rows))
        st.caption(
            "How often rules and black box give the same answer, group minus "
            f"{audited.asked.whom}, in points, with 95 % intervals. At the right: the share of the "
            f"group where they agree. {shades_in_words(judged(rows))}"
        )
        drawing = forest(rows, "the answer of the black box", shades(), against=audited.asked.whom)
        show(drawing, "audit_fidelity")


def fidelity_rows(audited: Audited) -> tuple[ForestRow, ...]:
    """The groups of each column, with agreement in place of the outcome."""
    tally, enough = audited.tally, audited.audit.subgroups.enough
    given = tally.outcomes_of(tally.deciding(), audited.theory.default)
    labelled = tally.black_box >= 0
    agreed = labelled & (given == tally.black_box)
    against = audited.audit.settings.against

    def count(cells: Bools) -> tuple[int, int]:
        return tally.records(agreed & cells), tally.records(labelled & cells)

    found = []
    for column in audited.asked.columns:
        groups = find_groups(tally, [column])
        for group in groups:
            other = counterpart(tally, group, groups, against)
            mine, theirs = count(group.cells), count(other.cells) if other else (0, 0)
            sure = other is not None and min(mine[1], theirs[1]) >= enough
            p_value = difference_p_value(*mine, *theirs) if sure else math.nan
            found.append((column, group.title, mine, theirs, other is not None, sure, p_value))
    corrected = holm([p_value for *_, p_value in found])
    return tuple(
        ForestRow(
            audited.titles[column],
            title,
            mine[1],
            mine[0] / mine[1] if mine[1] else math.nan,
            share_difference(*mine, *theirs) if compared else UNDEFINED,
            sure or (not compared and mine[1] >= enough),
            p_value <= SIGNIFICANT,
        )
        for (column, title, mine, theirs, compared, sure, _), p_value in zip(
            found, corrected, strict=True
        )
    )


def verdict(rows: tuple[ForestRow, ...]) -> str:
    """What may be said about the explanation, as Markdown."""
    worse = [row for row in rows if row.enough and row.differs and row.difference.value < 0]
    if worse:
        names = ", ".join(f"**{plain(row.group)}**" for row in worse)
        return (
            f"The rules explain the black box less well for {names}: read what is said about them "
            "with more care."
        )
    if not judged(rows):
        return "There is not enough evidence to say."
    return (
        f"No group shows a worse explanation, of {counted(judged(rows), 'group')} with enough "
        "records."
    )


def judged(rows: tuple[ForestRow, ...]) -> int:
    """How many groups have enough records to be compared."""
    return sum(row.enough and row.difference.is_defined for row in rows)
