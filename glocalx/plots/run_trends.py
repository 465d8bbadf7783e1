"""Fidelity, number of rules and rule length from the start of a run to its end."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from glocalx.merging.series import RunSeries
from glocalx.plots.canvas import DROP, Canvas, Picture, percent_of, room_beside
from glocalx.plots.colours import Palette
from glocalx.plots.scale import Scale
from glocalx.words.figures import brief, percent
from glocalx.words.phrases import counted

HEAD, ROW, GAP, FOOT = 24.0, 80.0, 10.0, 40.0  # pixels: title, row, between rows, below all
HEIGHT = 3 * (HEAD + ROW) + 2 * GAP + FOOT
MOST_HINTS = 80


@dataclass(frozen=True, slots=True)
class _Row:
    """One of the values that are followed."""

    title: str
    values: Sequence[float]
    now: str
    whole: bool = False

    @property
    def scale(self) -> Scale:
        low, high = min(self.values), max(self.values)
        room = max((high - low) * 0.12, abs(high) * 0.004, 1e-6)
        return Scale(low - room, high + room)

    def ticks(self) -> list[tuple[float, str]]:
        """Where its gridlines are, and their labels."""
        values = self.scale.ticks(4, whole=self.whole)
        if self.title != "Fidelity":
            return [(value, brief(value)) for value in values]
        texts = [percent(value) for value in values]
        if len(set(texts)) < len(texts):  # it hardly moves
            texts = [percent(value, 1) for value in values]
        return list(zip(values, texts, strict=True))


def trends(
    series: RunSeries,
    at: int,
    palette: Palette,
    *,
    window: int = 50,
    drops: Sequence[int] = (),
) -> Picture:
    """Three rows over all steps; what is still to come is grey, the window of the tree tinted.

    `drops` are the steps after which fidelity falls: a mark in every row.
    """
    now = max(bisect_right(series.steps, at) - 1, 0)
    rows = (
        _Row("Fidelity", series.fidelity, percent(series.fidelity[now], 1)),
        _Row("Rules", series.rules, f"{series.rules[now]:,}", whole=True),
        _Row("Conditions per rule", series.length, f"{series.length[now]:.1f}"),
    )
    last = max(series.steps[-1], 1)
    steps, canvas = Scale(-0.02 * last, 1.03 * last), Canvas(palette=palette)
    for place, row in enumerate(rows):
        top = HEAD + place * (HEAD + ROW + GAP)
        if at:
            band = steps.place(max(at - window, 0)), steps.place(at)
            canvas.bar(*band, top, ROW, fill=palette.wash)
        _draw_row(canvas, row, [steps.place(step) for step in series.steps], now, top)
        for step in drops:
            canvas.around(steps.place(step), top + 2, DROP, fill=palette.alarm_ink)
    ticks = Scale(0, last).ticks(7, whole=True)
    canvas.steps_below([(steps.place(step), step) for step in ticks], HEIGHT)
    _hints(canvas, series, steps)
    left = room_beside(text for row in rows for _, text in row.ticks())
    fell = f" Fidelity falls after {counted(len(drops), 'step')}." if drops else ""
    return canvas.picture(HEIGHT, f"{_alt(series, now, at)}{fell}", left=left)


def _draw_row(canvas: Canvas, row: _Row, places: Sequence[float], now: int, top: float) -> None:
    palette, up = canvas.palette, row.scale
    for value, text in row.ticks():
        y = top + ROW * (1 - up.place(value))
        canvas.level(0, 1, y, stroke=palette.grid)
        canvas.beside(text, y)
    points = [(x, ROW * (1 - up.place(value))) for x, value in zip(places, row.values, strict=True)]
    canvas.way(_stairs(points[now:]), top, ROW, stroke=palette.branch)
    canvas.way(_stairs(points[: now + 1]), top, ROW, stroke=palette.ink)
    x, y = points[now]
    canvas.dot(x, top + y, 5, fill=palette.accent, stroke=palette.ground, stroke_width=1.5)
    look = {"font-size": "13px", "color": palette.ink}
    canvas.words(row.title, 0, top - 12, look, anchor="start", strong=row.now)


def _stairs(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """A value holds until the next one comes."""
    corners = list(points[:1])
    for (_, before), (x, y) in pairwise(points):
        corners += [(x, before), (x, y)]
    return corners


def _hints(canvas: Canvas, series: RunSeries, steps: Scale) -> None:
    """The figures of a step where the mouse rests, through all three rows."""
    every = -(-len(series.steps) // MOST_HINTS)
    places = [*range(0, len(series.steps) - 1, every), len(series.steps) - 1]
    for place, following in pairwise(places):
        start, end = (steps.place(series.steps[each]) for each in (place, following))
        text = (
            f"Step {series.steps[place]:,}: fidelity {percent(series.fidelity[place], 1)}, "
            f"{counted(series.rules[place], 'rule')}, "
            f"{series.length[place]:.2f} conditions per rule"
        )
        canvas.hint(text, start, HEAD, percent_of(end - start), HEIGHT - HEAD - FOOT)


def _alt(series: RunSeries, now: int, at: int) -> str:
    end = series.steps[-1]
    return (
        f"From step 0 to step {end:,}: fidelity of all rules goes from "
        f"{percent(series.fidelity[0], 1)} to {percent(series.fidelity[-1], 1)}, the number of "
        f"rules from {series.rules[0]:,} to {series.rules[-1]:,}, conditions per rule from "
        f"{brief(round(series.length[0], 1))} to {brief(round(series.length[-1], 1))}. At step "
        f"{at:,}: {percent(series.fidelity[now], 1)}, {series.rules[now]:,} rules, "
        f"{series.length[now]:.1f} conditions."
    )
