"""How one feature spreads among the records of a rule, and among all others."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from glocalx.plots.colours import OutcomeColours
from glocalx.plots.layout import Drawing, axis_title, bare_axis, base_figure, value_axis
from glocalx.plots.scale import said_ticks
from glocalx.rules.coverage import Bits, Records, mask_of
from glocalx.rules.schema import Feature
from glocalx.rules.spread import histogram
from glocalx.words.escape import as_plotly, shortened
from glocalx.words.figures import brief, percent
from glocalx.words.phrases import counted
from glocalx.words.wording import Wording

MOST_CATEGORIES = 12
HEIGHT = 220
_Groups: TypeAlias = tuple[tuple[npt.NDArray[np.bool_], str, str], ...]
"""Which records, what they are called and in which colour."""


def side_by_side(
    records: Records,
    feature: str,
    covered: Bits,
    colours: OutcomeColours,
    outcome: str,
    *,
    wording: Wording | None = None,
) -> Drawing:
    """How a feature spreads among the records that a rule covers, beside all others.

    Both are shares of their own records, so that a small group can be compared with a large one.
    """
    words = wording or Wording(records.schema, records)
    column = records.schema[feature]
    rule = mask_of(covered, records.size)
    inside, outside = int(rule.sum()), int((~rule).sum())
    groups: _Groups = (
        (~rule, f"everyone else ({outside:,})", colours.palette.branch),
        (rule, f"covered ({inside:,})", colours.colour(outcome)),
    )
    figure = _ground(column, colours)
    if column.is_categorical:
        said = _add_categories(figure, column, records.values(feature), groups, words)
    else:
        said = _add_numbers(figure, column, np.asarray(records.values(feature), float), groups)
    alt = (
        f"{shortened(words.name(feature))} of {counted(inside, 'record')} that the rule for "
        f"{shortened(colours.name(outcome))} covers, beside {outside:,} others. {said}"
    )
    return Drawing(figure, alt)


def _ground(column: Feature, colours: OutcomeColours) -> go.Figure:
    title = axis_title(colours.palette, "share of its records")
    return base_figure(
        colours.palette,
        HEIGHT,
        showlegend=True,
        margin={"l": 4, "r": 8, "t": 30, "b": 4},
        xaxis=bare_axis(colours.palette, nticks=6),
        yaxis=value_axis(
            colours.palette, tickformat=".0%", nticks=4, rangemode="tozero", title=title
        ),
        barmode="group" if column.is_categorical else "overlay",
        bargap=0.25,
        bargroupgap=0.06,
    )


def _bar(name: str, colour: str, template: str, **more: Any) -> go.Bar:
    return go.Bar(
        name=name,
        marker={"color": colour, "opacity": more.pop("opacity", 1), "line": {"width": 0}},
        hovertemplate=f"{template}{name}: %{{y:.1%}}<extra></extra>",
        **more,
    )


def _add_numbers(
    figure: go.Figure, column: Feature, values: npt.NDArray[np.float64], groups: _Groups
) -> str:
    """Two histograms over each other; returns what they say."""
    bars = histogram(values, column.is_whole)
    room = 0.02 * (bars.high - bars.low)
    figure.update_xaxes(range=[bars.low - room, bars.high + room])
    if column.kind == "date":
        ticks = dict(said_ticks(bars.low, bars.high, str, whole=True, dates=True))
        figure.update_xaxes(tickvals=list(ticks), ticktext=list(ticks.values()))
    medians = []
    for chosen, name, colour in groups:
        known = values[chosen & ~np.isnan(values)]
        medians.append(float(np.median(known)) if known.size else np.nan)
        shares = bars.counted(known) / max(known.size, 1)
        widths = np.diff(bars.edges)
        figure.add_trace(
            _bar(name, colour, "", x=bars.middles, y=shares, width=widths, opacity=0.6)
        )
    if any(np.isnan(medians)):
        return "One of the two has no values."
    return f"Median {brief(medians[1])} beside {brief(medians[0])}."


def _add_categories(
    figure: go.Figure,
    column: Feature,
    codes: npt.NDArray[np.int32],
    groups: _Groups,
    words: Wording,
) -> str:
    """Two bars for each category, of the most frequent ones; returns what they say."""
    size = len(column.categories)
    names = [words.value(column.name, category) for category in column.categories]
    total = np.bincount(codes[codes >= 0], minlength=size)
    order = sorted(range(size), key=lambda place: (-int(total[place]), place))[:MOST_CATEGORIES]
    figure.update_xaxes(
        range=[-0.5, len(order) - 0.5],
        tickvals=list(range(len(order))),
        ticktext=[as_plotly(names[place], 16) for place in order],
        autotickangles=[0, -30, -60],
    )
    shares = []
    for chosen, name, colour in reversed(groups):
        known = codes[chosen & (codes >= 0)]
        shares.append(np.bincount(known, minlength=size) / max(known.size, 1))
        texts = [as_plotly(names[place]) for place in order]
        heights = shares[-1][order]
        places = list(range(len(order)))
        figure.add_trace(
            _bar(name, colour, "%{customdata}<br>", x=places, y=heights, customdata=texts)
        )
    far = int(np.argmax(np.abs(shares[0] - shares[1])))
    left_out = f" {size - len(order):,} rarer ones are not drawn." if size > len(order) else ""
    return (
        f"Furthest apart: {shortened(names[far])}, {percent(shares[0][far], 1)} beside "
        f"{percent(shares[1][far], 1)}.{left_out}"
    )
