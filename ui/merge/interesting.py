"""Steps that are worth a stop: the next one of a kind, and a list of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from glocalx.merging.landmarks import LANDMARKS, Landmark, Landmarks, landmarks
from glocalx.merging.told import ToldSteps
from glocalx.words.figures import points
from glocalx.workspace.run import Run
from ui.layout import one_of
from ui.merge.step import StepView, drawn_once
from ui.opened import explained_of, kept, merged_of
from ui.transport import jump_buttons

FOLD = "merge_by_kind"
MOST_LISTED = 500
MOST_WHILE_MERGING = 500  # steps that are looked through again whenever some are new


def marks_of(view: StepView) -> Landmarks | None:
    """The steps that are worth a stop; None before the first, and while a long run is merged."""
    if not view.steps or not (view.finished or view.steps <= MOST_WHILE_MERGING):
        return None
    return _marks(view.run, view.steps)


def drops_of(view: StepView) -> tuple[int, ...]:
    """The steps after which all rules agree less often, as far as they are known."""
    marks = marks_of(view)
    return marks.steps["fidelity drop"] if marks else ()


@kept("merge", most=12)
def _marks(run: Run, steps: int) -> Landmarks:
    hierarchy = merged_of(run)
    told, marks = ToldSteps.of(hierarchy), landmarks(hierarchy, explained_of(run).reference)
    return Landmarks(
        {
            kind: tuple(dict.fromkeys(told.step_of(place) for place in found))
            for kind, found in marks.steps.items()
        },
        tuple(marks.agreed[told.place(at)] for at in range(len(told) + 1)),
    )


def jumps(view: StepView, go: Callable[[int], None]) -> None:
    """A button for the next step of each kind, within a row."""
    marks = marks_of(view)
    after = partial(marks.after, view.at) if marks else None
    jump_buttons("merge", after, go, "step")


def steps_by_kind(view: StepView, go: Callable[[int], None]) -> None:
    """All of them in a list, folded away."""
    marks = marks_of(view)
    fold = st.popover("All steps by kind", disabled=marks is None, key=FOLD, on_change="rerun")
    if marks and fold.open:
        with fold:
            _listed(view, marks, go)


def _listed(view: StepView, marks: Landmarks, go: Callable[[int], None]) -> None:
    titles = {kind: f"{kind} ({len(marks.steps[kind]):,})" for kind in LANDMARKS}
    kind = one_of("Kind", titles, "merge_listed_kind", "cut")
    numbers = marks.steps[kind][:MOST_LISTED]
    if not numbers:
        st.markdown(f"No step of this run is a {kind}.")
        return
    _table(view, kind)
    chosen = st.selectbox("Go to step", numbers, index=None, key="merge_go_to_kind")
    if chosen is not None and chosen != view.at:
        go(chosen)
        del st.session_state["merge_go_to_kind"]
        st.rerun()


@drawn_once
def _table(view: StepView, kind: Landmark) -> None:
    """The steps of a kind, and what each did to the fidelity of all rules."""
    marks, size = marks_of(view), view.reference.size
    assert marks is not None  # they are listed
    numbers = marks.steps[kind][:MOST_LISTED]
    moves = [(marks.agreed[n] - marks.agreed[n - 1]) / size for n in numbers]
    st.dataframe(
        {
            "Step": list(numbers),
            "What it did": [view.told.steps[n - 1].kind for n in numbers],
            "Fidelity, all rules": [points(move, 2) if move else "no change" for move in moves],
        },
        hide_index=True,
        height=min(36 * (len(numbers) + 1) + 2, 300),
    )
