"""What every figure starts from: fonts, margins, axes, and small pieces of text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from glocalx.plots.canvas import TEXT
from glocalx.plots.colours import Palette

CONFIG: dict[str, Any] = {"displayModeBar": False, "responsive": True}
"""What to give plotly with every figure."""

FONT = '"Source Sans", "Source Sans Pro", sans-serif'


@dataclass(frozen=True, slots=True)
class Drawing:
    """A figure, and what it shows in a sentence or two with its real numbers.

    `alt` is plain text and may hold names of the table: escape it where text is markup. `legend` is
    HTML in which they are escaped; it stands above figures that do not bring their own, because
    plotly takes as long for a legend as for all the rest.
    """

    figure: go.Figure
    alt: str
    legend: str = ""


def base_figure(palette: Palette, height: int, **layout: Any) -> go.Figure:
    """An empty figure in the house style."""
    settings: dict[str, Any] = {
        "template": "none",
        "height": height,
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"family": FONT, "size": 13, "color": palette.ink},
        "margin": {"l": 4, "r": 8, "t": 8, "b": 4},
        "showlegend": False,
        "legend": {
            "orientation": "h",
            "x": 0,
            "xanchor": "left",
            "y": 1,
            "yanchor": "bottom",
            "font": {"size": 12, "color": palette.muted},
            "itemclick": False,
            "itemdoubleclick": False,
            "bgcolor": "rgba(0,0,0,0)",
            "tracegroupgap": 0,
        },
        "dragmode": False,
        "hovermode": "closest",
        "hoverlabel": {
            "bgcolor": palette.ground,
            "bordercolor": palette.line,
            "font": {"family": FONT, "size": 13, "color": palette.ink},
            "align": "left",
        },
        "xaxis": bare_axis(palette),
        "yaxis": bare_axis(palette),
    }
    return go.Figure(layout=settings | layout)


def bare_axis(palette: Palette, **more: Any) -> dict[str, Any]:
    """An axis with tick labels and no lines; numbers only, so that no text is read as a date."""
    return {
        "type": "linear",
        "showgrid": False,
        "zeroline": False,
        "showline": False,
        "ticks": "",
        "fixedrange": True,
        "automargin": True,
        "ticklabelstandoff": 4,
        "ticklabeloverflow": "allow",
        "tickfont": tickfont(palette),
        **more,
    }


def tickfont(palette: Palette, size: int = TEXT) -> dict[str, Any]:
    """How numbers along an axis look."""
    return {"size": size, "color": palette.muted}


def value_axis(palette: Palette, **more: Any) -> dict[str, Any]:
    """An axis with gridlines, on which values are read."""
    return bare_axis(palette, showgrid=True, gridcolor=palette.grid, **more)


def axis_title(palette: Palette, text: str, size: int = TEXT) -> dict[str, Any]:
    """The title of an axis, quiet."""
    return {"text": text, "font": tickfont(palette, size), "standoff": 6}


def note(palette: Palette, text: str, **place: Any) -> dict[str, Any]:
    """A quiet line of text within a figure."""
    return {
        "text": text,
        "showarrow": False,
        "font": {"size": 11, "color": palette.muted},
        **place,
    }


def at_the_edge(palette: Palette, text: str, y: float) -> dict[str, Any]:
    """What stands right of a row, beyond the axis."""
    place = {"x": 1, "xref": "paper", "xanchor": "left", "xshift": 8, "y": y}
    return note(palette, text, **place) | {"font": {"size": 12, "color": palette.muted}}


def empty_drawing(palette: Palette, height: int, sentence: str) -> Drawing:
    """The room of a figure that has nothing to show yet, so that the page does not jump."""
    axis = bare_axis(palette, showticklabels=False, range=[0, 1])
    figure = base_figure(palette, height, xaxis=axis, yaxis=axis)
    figure.add_annotation(
        **note(palette, sentence, x=0.5, y=0.5), xref="paper", yref="paper", align="center"
    )
    return Drawing(figure, sentence)


Place = tuple[float | None, float | None]
"""Where something stands; nowhere is a break between two lines."""


def lines(places: Iterable[Place], colour: str, width: float, **more: Any) -> go.Scatter:
    """Lines to be looked at only."""
    line = {"color": colour, "width": width} | more.pop("line", {})
    return _scatter(places, mode="lines", line=line, hoverinfo="skip", **more)


def level_lines(
    spans: Iterable[tuple[float, float, float]], colour: str, width: float, **more: Any
) -> go.Scatter:
    """Many level lines, each from, to and at which height, as one trace."""
    places = (place for low, high, y in spans for place in ((low, y), (high, y), (None, None)))
    return lines(places, colour, width, **more)


def filled(places: Iterable[Place], colour: str, **more: Any) -> go.Scatter:
    """The areas within lines, which are not drawn."""
    area = {"fill": "toself", "fillcolor": colour, "line": {"width": 0}}
    return _scatter(places, mode="lines", hoverinfo="skip", **area, **more)


def dots(places: Iterable[Place], colour: Any, size: Any, **more: Any) -> go.Scatter:
    """Points in full colour; `edge` gives the width and the colour of a line around them."""
    marker = {"color": colour, "size": size, "opacity": 1} | more.pop("marker", {})
    if "edge" in more:
        marker["line"] = dict(zip(("width", "color"), more.pop("edge"), strict=False))
    return _scatter(places, mode=more.pop("mode", "markers"), marker=marker, **more)


def texts(
    places: Iterable[Place], said: Sequence[str], colour: str, size: int = 12, **more: Any
) -> go.Scatter:
    """Words within a figure, many as one trace."""
    font = {"size": size, "color": colour}
    return _scatter(places, mode="text", text=said, textfont=font, hoverinfo="skip", **more)


def _scatter(places: Iterable[Place], **more: Any) -> go.Scatter:
    found = list(places)
    return go.Scatter(x=[x for x, _ in found], y=[y for _, y in found], **more)
