"""Background work on a page: start, watch, cancel, go on."""

from __future__ import annotations

import streamlit as st

from glocalx.pipeline.settings import RunSettings, Stage
from glocalx.words.figures import duration
from glocalx.workspace.jobs import JobState
from glocalx.workspace.run import Run
from ui.layout import empty, problem, refusals, require_run
from ui.opened import theory_of
from ui.session import MERGE, jobs, make_copy, may_change, workspace

ASKING = {
    "train": "Training the black box",
    "model": "Asking the model",
    "predictions": "Fitting the stand-in",
    "labels": "Taking the labels",
}
DOING = {
    "rules": "Writing local rules",
    "merge": "Merging",
    "resamples": "Drawing the records anew",
    None: "Getting ready",
}
UNITS = {"model": "fits", "rules": "records", "merge": "merges", "resamples": "draws", None: ""}
POLL_SECONDS = 0.5


def start(run: Run, until: Stage) -> None:
    """Begin, or go on with, the work up to a stage; a disk that is full ends the page."""
    with refusals():
        jobs().start(run, until)


def begin_with(
    run: Run, settings: RunSettings, until: Stage, files: dict[str, bytes] | None = None
) -> Run:
    """Save other settings, and files, and work with them up to a stage."""
    with refusals():
        changed = workspace().save(run, settings=settings, files=files)
    start(changed, until)
    return changed


def begin_in_a_copy(
    run: Run, settings: RunSettings, until: Stage, files: dict[str, bytes] | None = None
) -> Run:
    """The same in a copy of the run, which is given back; this one stays as it is."""
    with refusals():
        copy = make_copy(run, settings)
        if files:
            workspace().save(copy, files=files)
    start(copy, until)
    return copy


def offer_black_box(run: Run, why: str, what_for: str = "") -> None:
    """A run from elsewhere comes without the model that it trained: offer to train it again.

    `why`, `what_for`: what is missing without it, and what it would be trained for; sentences of
    ours.
    """
    if watch(run, "model").busy:
        st.caption("The same model is trained again, so that it can be asked.")
        return
    if not may_change(run):
        st.caption(f"{why} In a copy of your own it can be trained again.")
        return
    st.caption(f"{why} {what_for}")
    if st.button("Train the black box again", icon=":material/model_training:", key="train_again"):
        start(run, "model")
        st.rerun()


def watch(run: Run, until: Stage) -> JobState:
    """Show the work on a run, if any is going on or was stopped; poll while it goes on.

    Work that was cut off by the end of the server goes on by itself. When it ends, the whole page
    is run again. Returns what is going on.
    """
    state = jobs().state(run)
    if state.state == "interrupted" and may_change(run):
        start(run, state.until or until)
        state = jobs().state(run)
    with st.container():  # always there: what follows keeps its place, and its fragments their ids
        if state.busy:
            st.fragment(_bar, run_every=POLL_SECONDS)(run)
        elif state.state == "failed" and state.sentence:
            problem(state.sentence)
        elif state.state == "stopped" and may_change(run) and run.missing(until):
            with st.container(border=True, horizontal=True, vertical_alignment="center"):
                st.markdown("Stopped. What was made is kept.")
                if st.button("Go on", icon=":material/play_arrow:", key="go_on"):
                    start(run, state.until or until)
                    st.rerun()
    return state


def require_merged() -> Run:
    """For pages that need the final rules: the run, or what goes on or is to be done first."""
    run = require_run()
    if run.missing("merge"):
        if not watch(run, "merge").busy:
            empty("The local rules of this run are not merged yet.", "Go to Merge", MERGE)
        st.stop()
    with refusals(), st.spinner("Reading the rules …"):
        theory_of(run)
    return run


def _bar(run: Run) -> None:
    """A bar with how far it is and how long it still takes, and a button to cancel."""
    state = jobs().state(run)
    if not state.busy:
        st.rerun()
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        st.progress(min(state.share, 1.0), text=progress_text(state, run))
        if may_change(run) and st.button("Cancel", icon=":material/close:", key="cancel_work"):
            jobs().stop(run)


def progress_text(state: JobState, run: Run) -> str:
    """One line: what, how far, how long still."""
    if state.state == "waiting":
        behind = f" (place {state.place:,} in the queue)" if (state.place or 1) > 1 else ""
        return f"Waiting for another run to finish{behind}"
    source = run.settings.box.source
    said = ASKING[source] if state.stage == "model" else DOING[state.stage]
    if state.total > 1:
        said += f": {state.done:,} of {state.total:,} {UNITS[state.stage]}"
    left = duration(state.left)
    return f"{said}, {left} left" if left else said
