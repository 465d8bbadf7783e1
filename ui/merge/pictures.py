"""The run in pictures: the tree of merges, how fidelity and rules went, whether merges paid."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from glocalx.merging.series import RunSeries, run_series
from glocalx.plots import Drawing, bic_plot, merge_tree, trends
from glocalx.plots.tree_view import By
from glocalx.words.phrases import counted
from glocalx.workspace.run import Run
from ui.layout import card, one_of, show
from ui.merge.interesting import drops_of
from ui.merge.step import VIEWS_KEPT, StepView, drawn_once
from ui.opened import explained_of, kept, merged_of

BY: dict[By, str] = {"step": "By step", "distance": "By distance"}
WINDOW = 50
TREE_HEIGHT = 560
SERIES_POINTS = 240  # more than can be told apart on the page
WHOLE_HELP = "All steps so far at once instead of the last 50."


def empty_tree(view: StepView) -> None:
    """The place of the tree before the first merge."""
    with card("The tree of merges", height="stretch"):
        show(merge_tree(view.hierarchy, 0, view.colours, height=TREE_HEIGHT), "merge_tree_empty")


def draw_tree(view: StepView, look: Callable[[int], None]) -> None:
    """The last merges, or all; `look` is called with the theory whose point was clicked."""
    with st.container(horizontal=True, vertical_alignment="center"):
        title = st.container(width="content")
        st.space("stretch")
        every = st.toggle("Whole tree", key="merge_whole", bind="query-params", help=WHOLE_HELP)
        shown = {"bind": "query-params", "label_visibility": "collapsed"}
        by = one_of("Place the merges by", BY, "merge_by", "step", **shown)
    last = f"The last {min(view.at, WINDOW)} steps" if view.at > 1 else "The first step"
    title.header("All steps" if every else last, anchor=False)
    drawing = _tree(view.run, view, every, by)
    st.html(drawing.legend)
    clicks = st.session_state.setdefault("merge_clicks", 0)
    key = f"merge_tree_{clicks}"
    show(drawing, key, on_select=lambda: _clicked(key, look), selection_mode="points")
    st.caption(
        "Each line is a theory; where two meet they are merged, with a point if that changes a "
        "rule. Numbers on the left count the local rules that were merged before. Click a point "
        "to see its rules, or choose its step here."
    )
    _points_by_name(view, view.at if every else min(view.at, WINDOW), f"merge_point_{clicks}", look)


def _points_by_name(view: StepView, last: int, key: str, look: Callable[[int], None]) -> None:
    """What a click on a point does, for whoever has no mouse: the newest steps first."""
    steps = view.told.steps[view.at - last : view.at][::-1]

    def chosen() -> None:
        number = st.session_state[key]
        if number is not None:
            st.session_state.merge_clicks += 1
            look(view.told.steps[number - 1].theory)

    kinds = {step.number: f"Step {step.number:,}: {step.kind}" for step in steps}
    st.selectbox(
        "See the rules of a point",
        list(kinds),
        index=None,
        format_func=kinds.__getitem__,
        key=key,
        on_change=chosen,
        placeholder="See the rules of a point: choose its step",
        label_visibility="collapsed",
        width=360,
    )


@kept("data", "merge", "box", most=VIEWS_KEPT // 4)
def _tree(run: Run, view: StepView, every: bool, by: By) -> Drawing:
    return merge_tree(
        view.hierarchy,
        view.at,
        view.colours,
        window=None if every else WINDOW,
        by=by,
        height=TREE_HEIGHT,
        drops=drops_of(view),
    )


def _clicked(key: str, look: Callable[[int], None]) -> None:
    """Open the theory whose point was clicked; the next click finds the figure fresh."""
    points = st.session_state[key]["selection"]["points"]
    if points:
        st.session_state.merge_clicks += 1
        look(int(points[0]["customdata"][1]))


@drawn_once
def the_whole_run(view: StepView) -> None:
    """The way from the start to the end, and where on it the person stands."""
    palette, drops = view.colours.palette, drops_of(view)
    over_all, worth = st.columns(2, gap="medium")
    with over_all, card("From start to end", height="stretch"):
        refused = sum(len(step.rejected) for step in view.hierarchy.steps[: view.place])
        beside = view.place - view.at
        st.caption(
            f"So far {counted(view.at, 'step')}, and {counted(refused, 'pair')} turned down. "
            f"{_kept_beside(beside)}The tinted band is the part shown in the tree."
        )
        series = _series(view.run, view.steps)
        exact = series.with_step(view.at, view.rules(view.at), view.reference)
        if drops:
            st.caption(f"▼ {counted(len(drops), 'step')} after which all rules agree less often.")
        st.html(trends(exact, view.at, palette, window=WINDOW, drops=drops).html)
    with worth, card("Was each merge worth it?", height="stretch"):
        st.caption(
            "Below the line, merging two theories beats leaving them side by side. Above it, the "
            "merge was turned down. Both ends of the scale are compressed."
        )
        st.html(bic_plot(view.hierarchy, view.at, palette, window=WINDOW, drops=drops).html)


def _kept_beside(pairs: int) -> str:
    """How many merges were no step, in a sentence; nothing where there is none."""
    if not pairs:
        return ""
    were = "was" if pairs == 1 else "were"
    return f"{counted(pairs, 'pair')} {were} put side by side without a change to any rule. "


@kept("merge", most=12)
def _series(run: Run, steps: int) -> RunSeries:
    return run_series(merged_of(run), explained_of(run).reference, SERIES_POINTS)
