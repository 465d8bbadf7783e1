"""Which method agrees most, and with how many rules? A row for each."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from glocalx.plots.colours import Palette
from glocalx.plots.layout import (
    Drawing,
    at_the_edge,
    axis_title,
    bare_axis,
    base_figure,
    dots,
    empty_drawing,
    lines,
    note,
    value_axis,
)
from glocalx.words.escape import as_plotly, shortened
from glocalx.words.figures import percent
from glocalx.words.phrases import counted

ROW, EDGES = 34, 76
NARROWEST = 0.02  # of the axis: less would make chance look like a landslide


@dataclass(frozen=True, slots=True)
class MethodRow:
    """What one method reaches.

    Parameters
    ----------
    fidelity, low, high
        Share of the records on which it agrees with the black box, and its interval.
    ours
        Whether these are the rules that the page is about.
    chosen
        Whether it is the one that they are compared with.
    """

    name: str
    rules: int
    fidelity: float
    low: float = math.nan
    high: float = math.nan
    ours: bool = False
    chosen: bool = False


def method_dots(
    rows: Sequence[MethodRow],
    palette: Palette,
    *,
    majority: float | None = None,
    majority_outcome: str = "",
) -> Drawing:
    """Fidelity of each method with its interval, the number of rules at the right edge.

    Accent: the rules that the page is about. Dark: the one that they are compared with.
    `majority`, `majority_outcome`: what always giving the most common outcome reaches, and which
    that is.
    """
    if not rows:
        return empty_drawing(palette, 160, "No methods to compare yet.")
    figure = base_figure(
        palette,
        ROW * len(rows) + EDGES,
        margin={"l": 4, "r": 74, "t": 22, "b": 4},
        xaxis=value_axis(
            palette,
            range=_reach(rows, majority),
            tickformat=".0%",
            nticks=6,
            title=axis_title(palette, "Fidelity, held-out records"),
        ),
        yaxis=bare_axis(
            palette,
            range=[len(rows) - 0.4, -0.6],
            tickvals=list(range(len(rows))),
            ticktext=[_name(row) for row in rows],
            tickfont={"size": 13, "color": palette.ink},
        ),
    )
    if majority is not None:
        text = f"always {as_plotly(majority_outcome, 24) or 'the most common'}"
        figure.add_vline(
            majority,
            line={"color": palette.mixed, "width": 1.4, "dash": "dot"},
            layer="below",
            annotation=note(palette, text, xanchor="left", yanchor="bottom"),
            annotation_position="top right",
        )
    for place, row in enumerate(rows):
        figure.add_traces(_marks(place, row, palette))
        figure.add_annotation(at_the_edge(palette, counted(row.rules, "rule"), place))
    return Drawing(figure, _alt(rows, majority))


def _name(row: MethodRow) -> str:
    name = as_plotly(row.name, 30)
    return f"<b>{name}</b>" if row.ours or row.chosen else name


def _reach(rows: Sequence[MethodRow], majority: float | None) -> list[float]:
    values = [value for row in rows for value in (row.fidelity, row.low, row.high)]
    values += [majority] if majority is not None else []
    known = [value for value in values if not math.isnan(value)]
    room = max(0.06 * (max(known) - min(known)), NARROWEST / 2)
    return [max(min(known) - room, -0.01), min(max(known) + room, 1.01)]


def _marks(place: int, row: MethodRow, palette: Palette) -> list[go.Scatter]:
    colour = palette.accent if row.ours else palette.ink if row.chosen else palette.mixed
    interval = lines([(row.low, place), (row.high, place)], colour, 2)
    point = dots(
        [(row.fidelity, place)],
        colour,
        13 if row.ours else 11,
        edge=(2, colour),
        marker={"symbol": "circle" if row.ours or row.chosen else "circle-open"},
        customdata=[[as_plotly(row.name), _told(row)]],
        hovertemplate="<b>%{customdata[0]}</b><br>%{customdata[1]}<extra></extra>",
    )
    return [point] if math.isnan(row.low) else [interval, point]


def _told(row: MethodRow) -> str:
    span = "" if math.isnan(row.low) else f" ({percent(row.low, 1)} to {percent(row.high, 1)})"
    return f"{percent(row.fidelity, 1)}{span} with {counted(row.rules, 'rule')}"


def _alt(rows: Sequence[MethodRow], majority: float | None) -> str:
    said = "; ".join(f"{shortened(row.name)} {_told(row)}" for row in rows)
    guess = (
        ""
        if majority is None
        else f" Always giving the most common outcome reaches {percent(majority, 1)}."
    )
    return f"Agreement with the black box on the held-out records: {said}.{guess}"
