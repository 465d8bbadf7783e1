"""Who gets an outcome more often? Differences between groups, with their intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence

import plotly.graph_objects as go

from glocalx.audit.forest import ForestRow
from glocalx.plots.colours import Palette
from glocalx.plots.group_rows import BOTTOM, ROW, TOP, group_axis, group_rows
from glocalx.plots.layout import (
    Drawing,
    at_the_edge,
    axis_title,
    base_figure,
    dots,
    empty_drawing,
    level_lines,
    value_axis,
)
from glocalx.words.escape import as_plotly, shortened
from glocalx.words.figures import percent, points, points_interval, signed
from glocalx.words.phrases import counted


def forest(
    rows: Sequence[ForestRow],
    outcome: str,
    palette: Palette,
    *,
    enough: int,
    against: str = "everyone else",
) -> Drawing:
    """Difference in the share that gets an outcome, with its interval.

    Dark: it differs, also after correction for the number of groups. Grey: it may well be
    chance. Hollow: fewer than `enough` records.
    """
    if not rows:
        return empty_drawing(palette, 160, "No groups to compare.")
    places = group_rows([row.section for row in rows])
    left, right = _reach(rows)
    ticks = _ticks(left, right)
    figure = base_figure(
        palette,
        round(ROW * places.height) + TOP + BOTTOM,
        showlegend=True,
        margin={"l": 4, "r": 104, "t": TOP, "b": 4},
        xaxis=value_axis(
            palette,
            range=[-left, right],
            tickvals=ticks,
            ticktext=[signed(tick) for tick in ticks],
            tickangle=0,
            title=axis_title(palette, "less often  ←  points  →  more often"),
        ),
        yaxis=group_axis(places, [row.group for row in rows], palette),
    )
    figure.add_vline(x=0, line={"color": palette.muted, "width": 1.2})
    for kind, name in _KINDS.items():
        chosen = [(y, row) for y, row in zip(places.rows, rows, strict=True) if _kind(row) == kind]
        if chosen:
            figure.add_traces(_marks(chosen, kind, name.format(enough=enough), palette))
    for y, row in zip(places.rows, rows, strict=True):
        text = f"{percent(row.share)} of {row.size:,}" if row.size else "nobody"
        figure.add_annotation(at_the_edge(palette, text, y))
    return Drawing(figure, _forest_alt(rows, outcome, against, enough))


_KINDS = {
    "differs": "differs",
    "chance": "may be chance",
    "few": "under {enough} records",
}


def _kind(row: ForestRow) -> str:
    if not row.difference.is_defined:
        return "none"
    if not row.enough:
        return "few"
    return "differs" if row.differs and not row.difference.holds(0) else "chance"


def _reach(rows: Sequence[ForestRow]) -> tuple[float, float]:
    """How far to the left and to the right, in points.

    As far as the groups with enough records go; the wide intervals of tiny groups may leave the
    picture, their figures may not.
    """
    ends = [0.0]
    for row in rows:
        if row.difference.is_defined:
            sure = (row.difference.low, row.difference.high) if row.enough else ()
            ends += [100 * end for end in (row.difference.value, *sure) if not math.isnan(end)]
    room = 0.07 * (max(ends) - min(ends)) + 1
    return max(-min(ends), 4.0) + room, max(max(ends), 4.0) + room


def _ticks(left: float, right: float) -> list[float]:
    """A handful of round numbers from −left to right, 0 among them."""
    step = next((step for step in (2, 5, 10, 20, 25) if (left + right) / step <= 5), 50)
    return [float(step * k) for k in range(-int(left // step), int(right // step) + 1)]


def _marks(
    chosen: Sequence[tuple[float, ForestRow]], kind: str, name: str, palette: Palette
) -> list[go.Scatter]:
    colour = palette.ink if kind == "differs" else palette.mixed
    spans = [(100 * row.difference.low, 100 * row.difference.high, y) for y, row in chosen]
    marks = dots(
        [(100 * row.difference.value, y) for y, row in chosen],
        palette.ground if kind == "few" else colour,
        11,
        edge=(2, colour),
        name=name,
        customdata=[
            [
                as_plotly(row.group),
                f"{percent(row.share, 1)} of {row.size:,}",
                f"{points(row.difference.value)} ({points_interval(row.difference)})",
            ]
            for _, row in chosen
        ],
        hovertemplate="<b>%{customdata[0]}</b><br>%{customdata[1]}<br>%{customdata[2]}"
        "<extra></extra>",
    )
    return [level_lines(spans, colour, 2, showlegend=False), marks]


def _found(differing: int, known: int) -> str:
    if not known:
        return "no group has enough records to compare"
    if known == 1:
        return f"the one with enough records {'differs' if differing else 'may do so by chance'}"
    verb = "differs" if differing == 1 else "differ"
    return (
        f"{differing or 'none'} of {known:,} with enough records {verb}, also after correction "
        "for their number"
    )


def _forest_alt(rows: Sequence[ForestRow], outcome: str, against: str, enough: int) -> str:
    known = [row for row in rows if row.difference.is_defined and row.enough]
    differing = [row for row in known if _kind(row) == "differs"]
    sentences = [
        f"How much more or less often each of {counted(len(rows), 'group')} gets "
        f"{shortened(outcome)} than {shortened(against)}; {_found(len(differing), len(known))}."
    ]
    if known:
        ends = [max(known, key=lambda row: row.difference.value)]
        ends.append(min(known, key=lambda row: row.difference.value))
        said = [
            f"{shortened(row.group)} {percent(row.share, 1)} of {row.size:,} "
            f"({points(row.difference.value)})"
            for row in dict.fromkeys(ends)
        ]
        sentences.append(f"Most to least: {' and '.join(said)}.")
    few = sum(not row.enough for row in rows)
    if few:
        sentences.append(f"{counted(few, 'group')} with fewer than {enough} records to compare.")
    return " ".join(sentences)
