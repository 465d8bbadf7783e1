"""Small charts to stand inside the study's page; they need no script and no network."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from glocalx.plots.canvas import DIAMOND, SQUARE, TRIANGLE, Canvas, Marks
from glocalx.plots.colours import LIGHT
from glocalx.plots.scale import Scale

INK, MUTED, ACCENT = LIGHT.ink, LIGHT.muted, LIGHT.accent
SHAPES = {"square": SQUARE, "diamond": DIAMOND, "triangle": TRIANGLE}
TOP, BODY = 30.0, 126.0  # pixels: the title of a line chart, and its lines
ROW = 26.0


@dataclass(frozen=True, slots=True)
class Line:
    """Points from left to right; NaN-free.

    Parameters
    ----------
    points
        x and y.
    spread
        How far up and down the band around each point goes; empty for no band.
    hollow
        Dashed with hollow marks: what the paper prints.
    """

    name: str
    points: tuple[tuple[float, float], ...]
    colour: str
    spread: tuple[float, ...] = ()
    hollow: bool = False


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark in a row of :func:`dot_chart`."""

    name: str
    value: float
    colour: str
    shape: str = "circle"
    hollow: bool = False


def line_chart(title: str, lines: Sequence[Line], *, x_label: str, decimals: int = 2) -> str:
    """Lines over a shared axis, with the lowest and highest value at the left."""
    xs = [x for line in lines for x, _ in line.points]
    edges = [y + sign * s for line in lines for (_, y), s in _bands(line) for sign in (-1, 1)]
    if not xs:
        return ""
    across, up = Scale(min(xs), max(xs)), _padded(edges)
    canvas = Canvas(palette=LIGHT)
    look = {"color": INK, "font-weight": "600"}
    canvas.words(title, 0, 12, look, aside=-38, anchor="start")
    for value in (up.low, (up.low + up.high) / 2, up.high):
        canvas.level(0, 1, TOP + _down(up, value), stroke=LIGHT.border)
        canvas.beside(f"{value:.{decimals}f}", TOP + _down(up, value))
    foot = TOP + BODY
    canvas.below([(across.place(x), f"{x:g}") for x in sorted(set(xs))], foot + 13)
    canvas.words(x_label, 0.5, foot + 28)
    for line in lines:
        _draw_line(canvas, line, across, up)
    picture = canvas.picture(foot + 38, title, left=44, right=12, inline=True)
    return f'<div class="chart">{picture.html}</div>'


def dot_chart(title: str, rows: Sequence[tuple[str, Sequence[Mark]]]) -> str:
    """One row for each name, its marks on a shared scale."""
    values = [mark.value for _, marks in rows for mark in marks]
    if not values:
        return ""
    across, canvas = _padded(values), Canvas(palette=LIGHT)
    foot = 14 + ROW * len(rows)
    for step in range(6):
        canvas.upright(step / 5, 10, foot, stroke=LIGHT.border)
        value = across.low + step * (across.high - across.low) / 5
        canvas.words(f"{value:.2f}", step / 5, foot + 12)
    for place, (name, marks) in enumerate(rows):
        y = 24 + ROW * place
        canvas.beside(name, y, {"color": INK})
        canvas.level(0, 1, y, stroke=LIGHT.border)
        for mark in marks:
            _draw_mark(canvas, across.place(mark.value), y, mark)
            _say(canvas, across.place(mark.value), y, mark)
    picture = canvas.picture(foot + 26, title, left=170, right=16, inline=True)
    return f'<div class="chart broad">{picture.html}</div>'


def legend(marks: Sequence[Mark]) -> str:
    """What the marks of a chart mean, as a line of text."""
    shown = []
    for mark in marks:
        sign = Marks()
        _draw_mark(sign, 0.5, 7, mark)
        svg = f'<svg width="14" height="14" aria-hidden="true">{"".join(sign.drawn)}</svg>'
        shown.append(f'<span class="key">{svg} {escape(mark.name)}</span>')
    return f'<p class="legend">{" ".join(shown)}</p>'


def _bands(line: Line) -> list[tuple[tuple[float, float], float]]:
    return list(zip(line.points, line.spread or (0.0,) * len(line.points), strict=True))


def _padded(values: Sequence[float]) -> Scale:
    room = (max(values) - min(values)) * 0.06 or 0.01
    return Scale(min(values) - room, max(values) + room)


def _down(up: Scale, value: float) -> float:
    """Pixels below the top of the lines."""
    return BODY * (1 - up.place(value))


def _draw_line(canvas: Canvas, line: Line, across: Scale, up: Scale) -> None:
    points = [(across.place(x), _down(up, y)) for x, y in line.points]
    if line.spread:
        above, below = (
            [(across.place(x), _down(up, y + sign * s)) for (x, y), s in _bands(line)]
            for sign in (1, -1)
        )
        band = [*above, *reversed(below)]
        canvas.way(band, TOP, BODY, fill=line.colour, stroke="none", opacity="0.14")
    dashes = {"stroke_dasharray": "4 3"} if line.hollow else {}
    canvas.way(points, TOP, BODY, stroke=line.colour, stroke_width=1.8, **dashes)
    for (x, y), (_, value) in zip(points, line.points, strict=True):
        mark = Mark(line.name, value, line.colour, hollow=line.hollow)
        _draw_mark(canvas, x, TOP + y, mark)
        _say(canvas, x, TOP + y, mark)


def _draw_mark(marks: Marks, x: float, y: float, mark: Mark) -> None:
    look: dict[str, Any] = {"fill": mark.colour}
    if mark.hollow:
        look = {"fill": LIGHT.ground, "stroke": mark.colour, "stroke_width": 1.5}
    if mark.shape == "circle":
        marks.dot(x, y, 4, **look)
    else:
        marks.around(x, y, SHAPES[mark.shape], **look)


def _say(canvas: Canvas, x: float, y: float, mark: Mark) -> None:
    canvas.hint(f"{mark.name}: {mark.value:.3f}", x, y - 6, "12px", 12, aside=-6)
