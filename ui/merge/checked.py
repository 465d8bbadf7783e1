"""The calculation of the present step, or of a pair that was turned down before it."""

from __future__ import annotations

import streamlit as st

from glocalx.merging.calculation import step_calculation
from glocalx.merging.search import Trial
from ui.calculation import CalculationView, show_calculation
from ui.layout import card
from ui.merge.step import StepView
from ui.merge.words import last_refused

MOST_OFFERED = 200
OPEN, WHICH = "merge_calculation", "merge_checked_pair"


def calculation_card(view: StepView) -> None:
    """Every number of the step, where somebody asks for them."""
    with card("The calculation"):
        if not st.toggle("Show the calculation", key=OPEN, bind="query-params"):
            st.caption("Similarity, batch and both BICs of this step, number by number.")
            return
        number, refused = _pair(view)
        found = step_calculation(view.hierarchy, view.reference, number, refused)
        show_calculation(CalculationView(found, view.reference, view.wording, view.colours))


def _pair(view: StepView) -> tuple[int, int | None]:
    """Which pair: the one that was merged, or one that was turned down before it, or at the end."""
    step, place = view.step, view.told.places[view.at - 1]
    options = {"merged": (place, None)}
    labels = {"merged": f"The merge of step {step.number:,}"}
    groups = [(place, step.rejected, "turned down before it")]
    if view.at_end:
        groups.append(
            (view.told.merges + 1, last_refused(view.hierarchy), "turned down at the end")
        )
    for number, trials, when in groups:
        for count, trial in enumerate(trials[:MOST_OFFERED]):
            name = f"{number} {count}"
            options[name] = (number, count)  # type: ignore[assignment] # None for the merge alone
            labels[name] = _label(trial, when)
    if len(options) == 1:
        return options["merged"]
    chosen = st.selectbox(
        "Which pair",
        list(options),
        format_func=labels.__getitem__,
        key=f"{WHICH}_{view.at}",
        help="Pairs that were turned down can be opened like the one that was kept.",
    )
    return options[chosen]


def _label(trial: Trial, when: str) -> str:
    worse = trial.bic_merged - trial.bic_union
    return f"Similarity {trial.similarity:.3f}, BIC {worse:+.2f}: {when}"
