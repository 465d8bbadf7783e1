"""A plane to draw points on: every place that can be clicked is a point that cannot be seen."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from glocalx.lessons.presets import EDGES, Point
from glocalx.plots.colours import OutcomeColours
from glocalx.plots.layout import Drawing, axis_title, base_figure, dots, value_axis
from glocalx.words.phrases import counted

STEPS = 41  # places along each axis
HEIGHT = 420


def drawing_board(points: Sequence[Point], colours: OutcomeColours) -> Drawing:
    """The points so far. A click selects a place, with its coordinates as `customdata`."""
    palette = colours.palette
    (left, right), (bottom, top) = EDGES
    figure = base_figure(
        palette,
        HEIGHT,
        xaxis=value_axis(palette, range=[left, right], title=axis_title(palette, "x")),
        yaxis=value_axis(palette, range=[bottom, top], title=axis_title(palette, "y")),
    )
    for outcome in colours.outcomes:
        chosen = [(point.x, point.y) for point in points if point.outcome == outcome]
        look = {"symbol": colours.symbol(outcome)}
        figure.add_trace(
            dots(chosen, colours.colour(outcome), 9, marker=look, name=outcome, hoverinfo="skip")
        )
    across, up = np.linspace(left, right, STEPS), np.linspace(bottom, top, STEPS)
    places = [(float(x), float(y)) for x in across for y in up]
    figure.add_trace(
        dots(
            places,
            palette.ink,
            10,
            marker={"opacity": 0},
            customdata=places,
            hoverinfo="none",
            name="places",
        )
    )
    said = counted(len(points), "point")
    return Drawing(figure, f"A plane to draw on, with {said}. The table beside it does the same.")
