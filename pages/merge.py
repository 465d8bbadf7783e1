"""Merge: from local rules to theories, one step after the other."""

import streamlit as st

from glocalx.merging.hierarchy import Hierarchy
from glocalx.plots import merge_tree, whole_tree
from glocalx.workspace.run import Run
from ui import work
from ui.layout import empty, next_step, page_head, refusals, require_run, show
from ui.merge.play import arrive, playback_of, speed_chosen, write_address
from ui.merge.rules import (
    MOST_DRAWN,
    draw_joins_and_cuts,
    has_pictures,
    operations_to_draw,
    rules_before_and_after,
)
from ui.merge.run import WINDOW, the_whole_run
from ui.merge.settings import settings_panel
from ui.merge.step import StepView, end_card, step_card
from ui.merge.theory import show_theory
from ui.merge.transport import Way, status_line, transport
from ui.merge.words import HOW_IT_WORKS, start_sentence
from ui.opened import colours_of, distinct_rules_of, explained_of, hierarchy_of, wording_of
from ui.session import RULES, THEORY, jobs, may_change

TREE_HEIGHT = 560
NOT_TO_BEGIN = ("waiting", "running", "failed", "stopped")


@refusals()
def body(run: Run, every: float | None) -> None:
    """All that changes from step to step. `every`: how often it is run again by itself."""
    local_rules = distinct_rules_of(run)
    hierarchy = hierarchy_of(run) or Hierarchy(local_rules, run.settings.merge, "")
    steps = len(hierarchy.steps)
    finished = hierarchy.finished and run.done("merge")
    way = Way(steps, len(local_rules) - 1, finished, jobs().state(run).busy)
    playback = playback_of(run)
    playback.tick(steps, speed_chosen(), finished=not way.busy)
    at = playback.shown(steps)
    view = StepView(
        hierarchy,
        at,
        steps,
        finished,
        explained_of(run).reference,
        wording_of(run),
        colours_of(run),
    )
    begin = (lambda: work.start(run, "merge")) if may_change(run) else None
    transport(playback, way, status_line(at, way, view.theories_left, view.rules_left), begin)
    if _every(run) != every:
        st.rerun()  # after the buttons, which have answered by then
    write_address(playback, steps)
    if at:
        at_a_step(view, playing_fast=playback.playing and speed_chosen().merges > 1)
    else:
        before_the_first(view, may_begin=bool(begin))
    if steps:
        the_whole_run(run, view)
    looked_at = st.session_state.pop("merge_looked_at", None)
    if looked_at is not None:
        show_theory(view, looked_at, go_to)


def _every(run: Run) -> float | None:
    """How often the page is to be run again: to play, or to follow what is being merged."""
    playback = playback_of(run)
    if playback.playing:
        return speed_chosen().seconds
    hierarchy = hierarchy_of(run)
    steps = len(hierarchy.steps) if hierarchy else 0
    return work.POLL_SECONDS if jobs().state(run).busy and playback.waits(steps) else None


def before_the_first(view: StepView, *, may_begin: bool) -> None:
    """Nothing is merged yet, or the person stands at the very start."""
    waiting = len(view.hierarchy.local_rules)
    tree, words = st.columns([7, 5], gap="medium")
    with tree.container(border=True, height="stretch"):
        st.subheader("The tree of merges", anchor=False)
        show(merge_tree(view.hierarchy, 0, view.colours, height=TREE_HEIGHT), "merge_tree_empty")
    with words.container(border=True, height="stretch"):
        st.subheader("Before the first merge", anchor=False)
        st.markdown(start_sentence(waiting))
        for sentence in HOW_IT_WORKS:
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
        draw_tree(view)
    with st.container(border=True):
        st.subheader("What the step did to the rules", anchor=False)
        rules_before_and_after(view, look)
        if playing_fast:
            st.caption("Pictures of each join and cut are drawn when you pause.")
        else:
            draw_operations(view)


def draw_tree(view: StepView) -> None:
    """The last merges, or all; a click on a theory opens it."""
    with st.container(horizontal=True, vertical_alignment="center"):
        title = st.container(width="content")
        st.space("stretch")
        every = st.toggle("Whole tree", key="merge_whole", bind="query-params", help=WHOLE_HELP)
        by = st.segmented_control(
            "Place the merges by",
            ["step", "distance"],
            default="step",
            required=True,
            format_func=lambda by: f"By {by}",
            key="merge_by",
            bind="query-params",
            label_visibility="collapsed",
        )
    last = f"The last {min(view.at, WINDOW)} merges" if view.at > 1 else "The first merge"
    title.subheader("All merges" if every else last, anchor=False)
    draw = whole_tree if every else merge_tree
    options = {"at": view.at} if every else {"at": view.at, "window": WINDOW}
    drawing = draw(view.hierarchy, colours=view.colours, by=by, height=TREE_HEIGHT, **options)
    st.html(drawing.legend)
    clicks = st.session_state.setdefault("merge_clicks", 0)
    key = f"merge_tree_{clicks}"
    show(drawing, key, on_select=lambda: clicked(key), selection_mode="points")
    st.caption(
        "Each line is a theory; where two meet they are merged. Numbers on the left count the "
        "local rules that were merged before. Click a point to see its rules."
    )


WHOLE_HELP = "All merges so far at once instead of the last 50."


def clicked(key: str) -> None:
    """Open the theory whose point was clicked; the next click finds the figure fresh."""
    points = st.session_state[key]["selection"]["points"]
    if points:
        st.session_state.merge_clicks += 1
        look(int(points[0]["customdata"][1]))


def look(theory: int) -> None:
    """Show a theory when the page has been drawn."""
    playback = st.session_state["merge_playback"]
    playback.playing = False
    st.session_state.merge_looked_at = theory


def go_to(step: int) -> None:
    """Stand at a step."""
    playback = st.session_state["merge_playback"]
    playback.at, playback.playing = step, False


def draw_operations(view: StepView) -> None:
    """Joins and cuts in pictures, feature by feature."""
    operations = operations_to_draw(view.step)
    if not operations:
        return
    every = st.session_state.get("merge_every_operation", False)
    drawn = operations if every else operations[:MOST_DRAWN]
    st.divider()
    if has_pictures(drawn):
        st.caption(
            "Grey bars: how the records spread. Thin: a rule before the step. Thick: the rule "
            "after it. Dotted: no condition on this feature, or what was cut away."
        )
    draw_joins_and_cuts(view, drawn)
    if len(operations) > MOST_DRAWN:
        st.toggle(f"Draw all {len(operations):,} joins and cuts", key="merge_every_operation")


page_head(
    "Merge",
    "Similar rules are merged step by step: same outcome, **join** into a wider rule; different "
    "outcome, **cut** the less reliable one. A merge stays only if the BIC, fidelity weighed "
    "against length, gets no worse.",
)
run = require_run()
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
        every = _every(run)
    st.fragment(body, run_every=every)(run, every)
    hierarchy = hierarchy_of(run)
    settings_panel(run, len(hierarchy.steps) if hierarchy else 0)
done = run.done("merge")
cost = "All rules are merged; this takes no time" if done else "After the merge has ended"
next_step("Choose the global theory", THEORY, run, cost, disabled=not done)
