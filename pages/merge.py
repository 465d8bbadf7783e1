"""Merge: from local rules to theories, one step after the other."""

import streamlit as st

from glocalx.merging.hierarchy import Hierarchy
from glocalx.workspace.run import Run
from ui import work
from ui.layout import card, empty, next_step, page_head, refusals, require_run
from ui.merge.interesting import jumps, steps_by_kind
from ui.merge.lecture import in_lecture, lecture_frame, lecture_stage, switch_view
from ui.merge.pictures import draw_tree, empty_tree, the_whole_run
from ui.merge.play import Playback, arrive, playback_of, speed_chosen, write_address
from ui.merge.rules import (
    all_sentences,
    draw_operations,
    rules_before_and_after,
    show_theory,
)
from ui.merge.settings import settings_beside
from ui.merge.step import StepView, calculation_card, end_card, step_card, step_said
from ui.merge.transport import Transport, Way, status_line, transport_card
from ui.merge.words import start_said
from ui.opened import (
    colours_of,
    distinct_rules_of,
    explained_of,
    hierarchy_of,
    told_of,
    wording_of,
)
from ui.session import RULES, THEORY, jobs, may_change
from ui.terms import words_of_page
from ui.transport import key_signs, keys_and_news

NOT_TO_BEGIN = ("waiting", "running", "failed", "stopped")


@refusals()
def body(run: Run, every: float | None, lecture: bool) -> None:
    """All that changes from step to step. `every`: how often it is run again by itself."""
    local_rules = distinct_rules_of(run)
    hierarchy = hierarchy_of(run) or Hierarchy(local_rules, run.settings.merge, "")
    told = told_of(run, hierarchy)
    steps = len(told)
    finished = hierarchy.finished and run.done("merge")
    way = Way(steps, len(local_rules) - 1, finished, jobs().state(run).busy)
    playback = playback_of(run)
    playback.tick(steps, speed_chosen(), finished=not way.busy)
    at = playback.shown(steps)
    seen = explained_of(run).reference, wording_of(run), colours_of(run)
    view = StepView(hierarchy, told, at, finished, *seen, run)
    begin = (lambda: work.start(run, "merge")) if may_change(run) else None
    transport = Transport(playback, way, begin)
    if lecture:
        lecture_stage(view, transport, lambda: settings_beside(run, steps))
    else:
        with st.container(border=True):
            status = status_line(at, way, view.theories_left, view.rules_left)
            transport_card(transport, status)
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                jumps(view, transport.go_to)
                steps_by_kind(view, transport.go_to)
                st.space("stretch")
                settings_beside(run, steps)
                switch_view(lecture=True)
    keys_and_news("merge", step_said(view))
    if how_often(playback, steps, busy=way.busy) != every:
        st.rerun()  # after the buttons, which have answered by then
    write_address(playback, steps)
    if not lecture:
        the_step(view, playback, may_begin=bool(begin))


def the_step(view: StepView, playback: Playback, *, may_begin: bool) -> None:
    """The step with its tree, its rules and its numbers, and the run that it belongs to."""
    if view.at:
        at_a_step(view, playing_fast=playback.playing and speed_chosen().merges > 1)
    else:
        before_the_first(view, may_begin=may_begin)
    if view.steps:
        the_whole_run(view)
    looked_at = st.session_state.pop("merge_looked_at", None)
    if looked_at is not None:
        show_theory(view, looked_at, go_to)


def how_often(playback: Playback, steps: int, *, busy: bool) -> float | None:
    """How often the page is to be run again: to play, or to follow what is being merged."""
    if playback.playing:
        return speed_chosen().seconds
    return work.POLL_SECONDS if busy and playback.waits(steps) else None


def before_the_first(view: StepView, *, may_begin: bool) -> None:
    """Nothing is merged yet, or the person stands at the very start."""
    tree, words = st.columns([7, 5], gap="medium")
    with tree:
        empty_tree(view)
    with words, card("Before the first merge", height="stretch"):
        for sentence in start_said(len(view.hierarchy.local_rules)):
            st.markdown(sentence)
        if view.at_end:
            end_card(view)
        elif view.steps or may_begin:
            st.markdown("Press **Play**, or **Step** to go one merge at a time.")
        else:
            st.markdown("Whoever owns this run has yet to merge. Make a copy to do it yourself.")


def at_a_step(view: StepView, *, playing_fast: bool) -> None:
    """The tree, and the step in words and pictures."""
    tree, words = st.columns([7, 5], gap="medium")
    with words.container(border=True, height="stretch"):  # first, because it is there at once
        step_card(view)
    with tree.container(border=True, height="stretch"):
        draw_tree(view, look)
    with card("What the step did to the rules"):
        rules_before_and_after(view, look)
        all_sentences(view)
        if playing_fast:
            st.caption("Pictures of each join and cut are drawn when you pause.")
        else:
            draw_operations(view)
    if not playing_fast:
        calculation_card(view)


def look(theory: int) -> None:
    """Show a theory when the page has been drawn."""
    playback = st.session_state["merge_playback"]
    playback.playing = False
    st.session_state.merge_looked_at = theory


def go_to(step: int) -> None:
    """Stand at a step."""
    playback = st.session_state["merge_playback"]
    playback.at, playback.playing = step, False


lecture = in_lecture()
if lecture:
    lecture_frame()
else:
    page_head(
        "Merge",
        "Similar rules are merged step by step: same outcome, **join** into a wider rule; "
        "different outcome, **cut** the less reliable one. A merge stays only if the BIC, fidelity "
        "weighed against length, gets no worse.",
    )
run = require_run(line=not lecture)
first, second = st.container(), st.container()
stage, working = (first, second) if lecture else (second, first)
with working, st.container(key="lecture_work" if lecture else None):
    state = work.watch(run, "merge")
if run.missing("rules"):
    if not state.busy:
        empty("No local rules yet. Write them first.", "Go to Local rules", RULES)
    st.stop()
with refusals():
    rules = len(distinct_rules_of(run))
if rules < 2:
    st.info("There is only 1 local rule, so there is nothing to merge. It is the theory.")
    if run.missing("merge") and state.state not in NOT_TO_BEGIN and may_change(run):
        work.start(run, "merge")
        st.rerun()
else:
    with refusals():
        arrive(run)
        hierarchy = hierarchy_of(run)
        steps = len(told_of(run, hierarchy)) if hierarchy else 0
        every = how_often(playback_of(run), steps, busy=state.busy)
    with stage:
        st.html(key_signs("merge"))
        st.fragment(body, run_every=every)(run, every, lecture)
done = run.done("merge")
cost = "All rules are merged; this takes no time" if done else "After the merge has ended"
if not lecture:
    next_step("Choose the global theory", THEORY, run, cost, disabled=not done)
    words_of_page(
        "Theory",
        "Similarity",
        "Batch",
        "Join",
        "Cut",
        "BIC",
        "Length, L",
        "Fidelity",
        "Turned down",
        "Reference",
        "Hierarchy",
        "Shard",
        "Patience",
    )
