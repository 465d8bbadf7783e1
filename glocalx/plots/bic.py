"""Was each merge worth it? The BIC of merged theories beside that of leaving them apart."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import plotly.graph_objects as go

from glocalx.hierarchy import Hierarchy
from glocalx.phrases import counted
from glocalx.plots.layout import (
    Drawing,
    axis_title,
    bare_axis,
    base_figure,
    empty_drawing,
    value_axis,
)
from glocalx.plots.text import signed
from glocalx.plots.theme import Palette
from glocalx.search import Trial
from glocalx.step import MergeStep

MOST_REFUSALS = 3  # drawn for each step: the most similar pairs


def squeezed(difference: float) -> float:
    """A difference of BICs on the axis: its sign and the logarithm of its size.

    Examples
    --------
    >>> squeezed(-99.0), squeezed(0.0), squeezed(9.0)
    (-2.0, 0.0, 1.0)
    """
    return math.copysign(math.log10(1 + abs(difference)), difference)


def bic_plot(
    hierarchy: Hierarchy, at: int, palette: Palette, *, window: int = 50, height: int = 320
) -> Drawing:
    """For the last `window` merges: BIC merged minus side by side, kept ones and refusals.

    Kept merges carry the step as `customdata[0]`; the absolute figures are in the hover text.
    """
    at = min(at, len(hierarchy.steps))
    if at < 1:
        return empty_drawing(palette, height, "Nothing merged yet, so nothing to weigh.")
    steps = hierarchy.steps[max(at - window, 0) : at]
    refusals = [(step.number, trial) for step in steps for trial in step.rejected[:MOST_REFUSALS]]
    figure = base_figure(
        palette,
        height,
        showlegend=True,
        margin={"l": 4, "r": 8, "t": 30, "b": 4},
        xaxis=bare_axis(
            palette,
            title=axis_title(palette, "Step"),
            tickformat=",d",
            nticks=7,
            range=[steps[0].number - 1, max(at, steps[0].number + min(window, 49)) + 1],
        ),
        yaxis=_difference_axis([step.trial for step in steps], [t for _, t in refusals], palette),
    )
    figure.add_hline(y=0, line={"color": palette.muted, "width": 1})
    figure.add_traces([_stems(steps, palette), _kept(steps, palette), _newest(steps[-1], palette)])
    if refusals:
        figure.add_trace(_refused(refusals, palette))
    return Drawing(figure, _alt(steps))


def _difference(trial: Trial) -> float:
    return trial.bic_merged - trial.bic_union


def _difference_axis(
    kept: Iterable[Trial], refused: Iterable[Trial], palette: Palette
) -> dict[str, Any]:
    values = [_difference(trial) for trial in (*kept, *refused)]
    low, high = min(*values, -1.0), max(*values, 1.0)
    powers = [10.0**power for power in range(7)]
    marks = [-p for p in reversed(powers) if -p >= low * 1.5] + [0.0]
    marks += [p for p in powers if p <= high * 1.5]
    return value_axis(
        palette,
        title=axis_title(palette, "BIC, merged minus side by side"),
        tickvals=[squeezed(mark) for mark in marks],
        ticktext=[signed(mark) for mark in marks],
        range=[squeezed(low) - 0.25, squeezed(high) + 0.3],
    )


def _stems(steps: Sequence[MergeStep], palette: Palette) -> go.Scatter:
    xs: list[float | None] = []
    ys: list[float | None] = []
    for step in steps:
        xs += [step.number, step.number, None]
        ys += [0, squeezed(_difference(step.trial)), None]
    return go.Scatter(
        x=xs,
        y=ys,
        mode="lines",
        line={"color": palette.accent, "width": 2},
        hoverinfo="skip",
        showlegend=False,
    )


def _about(number: int, trial: Trial) -> list[Any]:
    return [
        number,
        signed(_difference(trial), 2),
        f"{trial.bic_merged:,.1f}",
        f"{trial.bic_union:,.1f}",
        f"{trial.similarity:.3f}",
        f"{number:,}",
    ]


HOVER = (
    "%{customdata[1]}: BIC %{customdata[2]} merged, %{customdata[3]} side by side<br>"
    "similarity %{customdata[4]}<extra></extra>"
)


def _kept(steps: Sequence[MergeStep], palette: Palette) -> go.Scatter:
    return go.Scatter(
        x=[step.number for step in steps],
        y=[squeezed(_difference(step.trial)) for step in steps],
        mode="markers",
        name="kept",
        marker={"size": 6, "color": palette.accent, "opacity": 1},
        customdata=[_about(step.number, step.trial) for step in steps],
        hovertemplate="<b>Step %{customdata[5]}</b>, kept<br>" + HOVER,
    )


def _newest(step: MergeStep, palette: Palette) -> go.Scatter:
    return go.Scatter(
        x=[step.number],
        y=[squeezed(_difference(step.trial))],
        mode="markers",
        name=f"step {step.number:,}",
        marker={
            "size": 12,
            "color": palette.ink,
            "opacity": 1,
            "line": {"width": 2, "color": palette.ground},
        },
        customdata=[_about(step.number, step.trial)],
        hovertemplate="<b>Step %{customdata[5]}</b>, kept<br>" + HOVER,
    )


def _refused(refusals: Sequence[tuple[int, Trial]], palette: Palette) -> go.Scatter:
    return go.Scatter(
        x=[number for number, _ in refusals],
        y=[squeezed(_difference(trial)) for _, trial in refusals],
        mode="markers",
        name="turned down",
        marker={
            "size": 6,
            "symbol": "x-thin",
            "opacity": 1,
            "line": {"width": 1.2, "color": palette.mixed},
        },
        customdata=[_about(number, trial) for number, trial in refusals],
        hovertemplate="before step %{customdata[5]}, turned down<br>" + HOVER,
    )


def _alt(steps: Sequence[MergeStep]) -> str:
    differences = [_difference(step.trial) for step in steps]
    better = sum(difference < 0 for difference in differences)
    refused = sum(len(step.rejected) for step in steps)
    span = f"Steps {steps[0].number:,} to {steps[-1].number:,}"
    return (
        f"{span}: {better:,} of {counted(len(steps), 'kept merge')} lower the BIC, by up to "
        f"{-min(*differences, 0):,.1f}; the others leave it as it is. "
        f"{counted(refused, 'more similar pair')} {'was' if refused == 1 else 'were'} turned down "
        f"because merging would raise it (up to {MOST_REFUSALS} a step are drawn). "
        f"Step {steps[-1].number:,} changes it by {signed(differences[-1], 2)}. "
        "The scale is compressed at both ends."
    )
