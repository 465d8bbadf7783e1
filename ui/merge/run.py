"""The whole run on one picture: how fidelity and rules went, and whether merges were worth it."""

from __future__ import annotations

from bisect import bisect_left

import streamlit as st

from glocalx.merging.series import RunSeries, run_series
from glocalx.plots import bic_plot, trends
from glocalx.rules.scoring import Reference
from glocalx.rules.theory import Theory
from glocalx.words.phrases import counted
from glocalx.workspace.run import Run
from ui.merge.step import StepView

WINDOW = 50
SERIES_POINTS = 240  # more than can be told apart on the page


def the_whole_run(run: Run, view: StepView) -> None:
    """The way from the start to the end, and where on it the person stands."""
    over_all, worth = st.columns(2, gap="medium")
    with over_all.container(border=True, height="stretch"):
        draw_trends(run, view)
    with worth.container(border=True, height="stretch"):
        draw_bic(view)


def draw_trends(run: Run, view: StepView) -> None:
    """Fidelity, rules and their length over the steps."""
    st.subheader("From start to end", anchor=False)
    refused = sum(len(step.rejected) for step in view.hierarchy.steps[: view.at])
    st.caption(
        f"So far {counted(view.at, 'merge')} kept and {counted(refused, 'pair')} turned down. "
        "The tinted band is the part shown in the tree."
    )
    series = _series(run.folder, run.settings.key("merge"), view.steps, view)
    exact = with_step(series, view.at, view.rules(view.at), view.reference)
    st.html(trends(exact, view.at, view.colours.palette, window=WINDOW).html)


@st.cache_resource(max_entries=12, show_spinner=False)
def _series(folder: object, key: str, steps: int, _view: StepView) -> RunSeries:
    return run_series(_view.hierarchy, _view.reference, SERIES_POINTS)


def with_step(series: RunSeries, at: int, rules: Theory, reference: Reference) -> RunSeries:
    """The series with its value at a step that it may have left out."""
    place = bisect_left(series.steps, at)
    if place < len(series.steps) and series.steps[place] == at:
        return series
    now = (at, reference.fidelity(rules), rules.size, rules.length)
    columns = (series.steps, series.fidelity, series.rules, series.length)
    return RunSeries(*((*c[:place], v, *c[place:]) for c, v in zip(columns, now, strict=True)))


def draw_bic(view: StepView) -> None:
    """Was each merge worth it?"""
    st.subheader("Was each merge worth it?", anchor=False)
    st.caption(
        "Below the line, merging two theories beats leaving them side by side. Above it, the "
        "merge was turned down. Both ends of the scale are compressed."
    )
    st.html(bic_plot(view.hierarchy, view.at, view.colours.palette, window=WINDOW).html)
