"""Intervals of one feature below each other, without records: what becomes of bounds."""

from __future__ import annotations

from collections.abc import Sequence

from glocalx.plots.canvas import Canvas, Picture, room_beside
from glocalx.plots.colours import OutcomeColours
from glocalx.plots.premise_picture import DOTTED, THICK, THIN, PremiseRow
from glocalx.plots.scale import Scale
from glocalx.rules.rule import Interval
from glocalx.words.figures import brief
from glocalx.words.phrases import counted

ROW, FOOT, TICKS = 22.0, 20.0, 5
ROOM = 0.04  # beside the scale, for arrows


def bounds_lines(
    rows: Sequence[PremiseRow], ends: tuple[float, float], colours: OutcomeColours, unit: str = ""
) -> Picture:
    """A line for each premise, thick for the result; an arrow is an open end, dots are lost.

    `unit` says what the numbers are, for those who hear the picture.
    """
    canvas, scale = Canvas(palette=colours.palette), Scale(*ends)

    def at(value: float) -> float:
        within = min(max(value, scale.low), scale.high)
        return ROOM + (1 - 2 * ROOM) * scale.place(within)

    for place, row in enumerate(rows):
        y, colour = ROW * (place + 0.5), colours.colour(row.outcome)
        canvas.beside(row.label, y, {"font-weight": "600"} if row.thick else {})
        if not isinstance(row.premise, Interval):
            canvas.level(at(ends[0]), at(ends[1]), y, stroke=colours.palette.mixed, **DOTTED)
            continue
        for lost in row.lost:
            if isinstance(lost, Interval):
                canvas.level(at(lost.low), at(lost.high), y, stroke=colour, **DOTTED)
        wide = THICK if row.thick else THIN
        low, high = row.premise.low, row.premise.high
        canvas.level(at(low), at(high), y, stroke=colour, stroke_width=wide)
        for goes_on, x, side in ((low < ends[0], at(low), -1), (high > ends[1], at(high), 1)):
            if goes_on:
                size = 7 if row.thick else 5
                way = f"M0,{size}V{-size}L{side * 1.4 * size},0Z"
                canvas.around(x, y, way, fill=colour)
    foot = ROW * len(rows)
    canvas.below([(at(value), brief(value)) for value in scale.ticks(TICKS)], foot + 10)
    said = "; ".join(f"{row.label}: {_said(row)}" for row in rows)
    alt = f"{counted(len(rows), 'line')}{f' of {unit}' if unit else ''}. {said}."
    return canvas.picture(foot + FOOT, alt, left=room_beside(row.label for row in rows))


def _said(row: PremiseRow) -> str:
    if not isinstance(row.premise, Interval):
        return "no condition"
    low, high = row.premise.low, row.premise.high
    start = "no lower end" if low == float("-inf") else f"from {brief(low)}"
    end = "no upper end" if high == float("inf") else f"to {brief(high)}"
    lost = ", the rest cut away" if row.lost else ""
    return f"{start} {end}{lost}"
