"""Fidelity, number of rules and rule length from the start of a run to its end."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from glocalx.plots.layout import Drawing, axis_title, bare_axis, base_figure, value_axis
from glocalx.plots.series import RunSeries
from glocalx.plots.text import number, percent
from glocalx.plots.theme import Palette

GAP = 0.13  # between rows, for their titles
TITLES = ("Fidelity", "Rules", "Conditions per rule")
TICKS = (".0%", ",", ",")
HOVERS = (".1%", ",", ".2f")


def trends(
    series: RunSeries, at: int, palette: Palette, *, window: int = 50, height: int = 400
) -> Drawing:
    """Three rows over all steps; what is still to come is grey, the window of the tree tinted.

    Points carry the step as `customdata`.
    """
    now = max(bisect_right(series.steps, at) - 1, 0)
    rows: tuple[tuple[Sequence[float], str], ...] = (
        (series.fidelity, percent(series.fidelity[now], 1)),
        (series.rules, f"{series.rules[now]:,}"),
        (series.length, f"{series.length[now]:.1f}"),
    )
    last = max(series.steps[-1], 1)
    figure = base_figure(
        palette,
        height,
        margin={"l": 4, "r": 8, "t": 24, "b": 4},
        xaxis=bare_axis(
            palette,
            range=[-0.01 * last, 1.02 * last],
            title=axis_title(palette, "Step"),
            tickformat=",d",
            anchor="y3",
            nticks=7,
        ),
    )
    for place, (values, text) in enumerate(rows):
        _add_row(figure, place, series, values, now, text, palette)
        if at:
            figure.add_shape(_window_band(place, max(at - window, 0), at, palette))
    return Drawing(figure, _alt(series, now, at))


def _add_row(
    figure: go.Figure,
    place: int,
    series: RunSeries,
    values: Sequence[float],
    now: int,
    text: str,
    palette: Palette,
) -> None:
    height = (1 - 2 * GAP) / 3
    top = 1 - place * (height + GAP)
    axis = value_axis(
        palette,
        domain=[max(top - height, 0), top],
        nticks=4,
        tickformat=TICKS[place],
        range=_range(values),
    )
    figure.update_layout({f"yaxis{place + 1 if place else ''}": axis})
    for part, colour in ((slice(now, None), palette.branch), (slice(None, now + 1), palette.ink)):
        figure.add_trace(_line(place, series.steps[part], values[part], colour))
    figure.add_trace(_dot(place, series.steps[now], values[now], palette))
    figure.add_annotation(_row_title(f"{TITLES[place]}  <b>{text}</b>", top, palette))


def _axis_name(place: int) -> str:
    return f"y{place + 1}" if place else "y"


def _line(place: int, steps: Sequence[int], values: Sequence[float], colour: str) -> go.Scatter:
    return go.Scatter(
        x=np.asarray(steps),  # plotly checks a list item by item
        y=np.asarray(values),
        yaxis=_axis_name(place),
        mode="lines",
        line={"color": colour, "width": 2, "shape": "hv"},
        customdata=np.asarray(steps)[:, np.newaxis],
        hovertemplate=f"step %{{x:,}}<br>{TITLES[place].lower()} %{{y:{HOVERS[place]}}}"
        "<extra></extra>",
    )


def _dot(place: int, step: int, value: float, palette: Palette) -> go.Scatter:
    edge = {"width": 1.5, "color": palette.ground}
    return go.Scatter(
        x=[step],
        y=[value],
        yaxis=_axis_name(place),
        mode="markers",
        marker={"size": 10, "color": palette.accent, "opacity": 1, "line": edge},
        hoverinfo="skip",
        cliponaxis=False,
    )


def _row_title(text: str, top: float, palette: Palette) -> dict[str, Any]:
    return {
        "text": text,
        "xref": "paper",
        "yref": "paper",
        "x": 0,
        "y": top,
        "xanchor": "left",
        "yanchor": "bottom",
        "showarrow": False,
        "font": {"size": 13, "color": palette.ink},
    }


def _window_band(place: int, first: int, last: int, palette: Palette) -> dict[str, Any]:
    return {
        "type": "rect",
        "xref": "x",
        "yref": f"{_axis_name(place)} domain",
        "x0": first,
        "x1": last,
        "y0": 0,
        "y1": 1,
        "fillcolor": palette.wash,
        "line": {"width": 0},
        "layer": "below",
    }


def _range(values: Sequence[float]) -> list[float]:
    low, high = min(values), max(values)
    room = max((high - low) * 0.12, abs(high) * 0.004, 1e-6)
    return [low - room, high + room]


def _alt(series: RunSeries, now: int, at: int) -> str:
    end = series.steps[-1]
    return (
        f"From step 0 to step {end:,}: fidelity on the explained records goes from "
        f"{percent(series.fidelity[0], 1)} to {percent(series.fidelity[-1], 1)}, the number of "
        f"rules from {series.rules[0]:,} to {series.rules[-1]:,}, conditions per rule from "
        f"{number(round(series.length[0], 1))} to {number(round(series.length[-1], 1))}. At step "
        f"{at:,}: {percent(series.fidelity[now], 1)}, {series.rules[now]:,} rules, "
        f"{series.length[now]:.1f} conditions."
    )
