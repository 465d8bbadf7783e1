"""The calculation of the present step, or of a pair that was turned down on the way to it."""

from __future__ import annotations

import streamlit as st

from glocalx.merging.calculation import step_calculation
from glocalx.merging.told import TriedPair
from ui.calculation import CalculationView, show_calculation
from ui.layout import card, one_of
from ui.merge.step import StepView, drawn_once

OPEN, WHICH = "merge_calculation", "merge_checked_pair"
BEFORE, AFTER = "A pair turned down before it", "A pair turned down after it"


def calculation_card(view: StepView) -> None:
    """Every number of the step, where somebody asks for them."""
    with card("The calculation"):
        if not st.toggle("Show the calculation", key=OPEN, bind="query-params"):
            st.caption("Similarity, batch and both BICs of this step, number by number.")
            return
        pair = _pair(view)
        _calculated(view, pair.step, pair.refused, pair.piece)


@drawn_once
def _calculated(view: StepView, step: int, refused: int | None, piece: int | None) -> None:
    found = step_calculation(view.hierarchy, view.reference, step, refused, piece)
    show_calculation(CalculationView(found, view.reference, view.wording, view.colours))


def _pair(view: StepView) -> TriedPair:
    """Which pair: the one that was merged, or any that was turned down before it, or at the end."""
    merged = TriedPair(view.told.places[view.at - 1], None, view.step.trial)
    refused = {BEFORE: view.refused}
    if view.at_end:
        refused[AFTER] = view.refused_last
    there = {name: pairs for name, pairs in refused.items() if pairs}
    if not there:
        return merged
    first = f"The merge of step {view.at:,}"
    labels = {first: first, **{name: f"{name} ({len(there[name]):,})" for name in there}}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = one_of(
            "Which pair",
            labels,
            f"{WHICH}_{view.at}",
            ask=st.selectbox,
            help="Pairs that were turned down can be opened like the one that was kept.",
            width=360,
        )
        if chosen not in there:
            return merged
        pairs = there[chosen]
        number = st.number_input(
            "Its number in the list", 1, len(pairs), key=f"{WHICH}_{view.at}_{chosen}", width=180
        )
    return pairs[number - 1]
