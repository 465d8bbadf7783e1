"""Steps that are worth a stop: the next one of a kind, and a list of them."""

from __future__ import annotations

import streamlit as st

from glocalx.merging.landmarks import LANDMARKS, Landmark, Landmarks, landmarks
from glocalx.merging.told import ToldSteps
from glocalx.words.figures import points
from glocalx.workspace.run import Run
from ui.merge.play import Playback
from ui.merge.step import StepView
from ui.opened import explained_of, kept, merged_of

KEYS: dict[Landmark, str] = {"join": "J", "cut": "X", "refusal": "N", "fidelity drop": "D"}
"""C and R belong to Streamlit itself."""
MOST_LISTED = 500
MOST_WHILE_MERGING = 500  # steps that are looked through again whenever some are new


def marks_of(run: Run, view: StepView) -> Landmarks | None:
    """The steps that are worth a stop; None before the first, and while a long run is merged."""
    if not view.steps or not (view.finished or view.steps <= MOST_WHILE_MERGING):
        return None
    return _marks(run, view.steps)


@kept("merge", most=12)
def _marks(run: Run, steps: int) -> Landmarks:
    hierarchy = merged_of(run)
    told, marks = ToldSteps.of(hierarchy), landmarks(hierarchy, explained_of(run).reference)
    number = {place: count for count, place in enumerate(told.places, start=1)}
    return Landmarks(
        {
            kind: tuple(number[n] for n in found if n in number)
            for kind, found in marks.steps.items()
        },
        tuple(marks.agreed[told.place(at)] for at in range(len(told) + 1)),
    )


def jumps(run: Run, view: StepView, playback: Playback) -> None:
    """A button for the next step of each kind; off where there is none, and it says so."""
    marks = marks_of(run, view)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown("Next", width="content")
        for kind in LANDMARKS:
            found = marks.after(view.at, kind) if marks else None

            def go(to: int | None = found) -> None:
                if to is not None:
                    playback.go_to(to, view.steps, finished=view.finished)

            st.button(
                kind,
                key=f"merge_next_{kind}",
                disabled=found is None,
                help=_where(kind, found, known=marks is not None),
                on_click=go,
                shortcut=KEYS[kind],
            )
        with st.popover("All steps by kind", disabled=marks is None):
            if marks:
                _listed(view, marks, playback)


def _where(kind: Landmark, found: int | None, *, known: bool) -> str:
    if found is not None:
        return f"Step {found:,}"
    return f"No {kind} after this step." if known else "When there are merges to look through."


def _listed(view: StepView, marks: Landmarks, playback: Playback) -> None:
    kind = st.segmented_control(
        "Kind",
        LANDMARKS,
        default="cut",
        required=True,
        key="merge_listed_kind",
        format_func=lambda kind: f"{kind} ({len(marks.steps[kind]):,})",
    )
    numbers = marks.steps[kind][:MOST_LISTED]
    if not numbers:
        st.markdown(f"No step of this run is a {kind}.")
        return
    size = view.reference.size
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
    chosen = st.selectbox("Go to step", numbers, index=None, key="merge_go_to_kind")
    if chosen is not None and chosen != view.at:
        playback.go_to(chosen, view.steps, finished=view.finished)
        del st.session_state["merge_go_to_kind"]
        st.rerun()
