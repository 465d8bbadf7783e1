"""Small charts as SVG text, to stand inside a page; they need no script and no network."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

INK, MUTED, ACCENT, GRID = "#1E2630", "#5B616A", "#0E6B63", "#E1DDD3"


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


@dataclass(frozen=True, slots=True)
class _Scale:
    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        share = (value - self.low) / (self.high - self.low) if self.high > self.low else 0.5
        return round(self.start + share * (self.end - self.start), 1)


def line_chart(
    title: str,
    lines: Sequence[Line],
    *,
    x_label: str,
    decimals: int = 2,
    width: int = 300,
    height: int = 190,
) -> str:
    """Lines over a shared axis, with the lowest and highest value at the left."""
    xs = [x for line in lines for x, _ in line.points]
    edges = [y + sign * s for line in lines for (_, y), s in _bands(line) for sign in (-1, 1)]
    if not xs:
        return ""
    low, high = _padded(min(edges), max(edges))
    x, y = _Scale(min(xs), max(xs), 44, width - 12), _Scale(low, high, height - 34, 30)
    parts = [_text(6, 16, title, INK, weight=600)]
    for value in (low, (low + high) / 2, high):
        parts.append(_rule(44, width - 12, y(value)))
        parts.append(_text(38, y(value) + 4, f"{value:.{decimals}f}", MUTED, "end"))
    parts += [
        _text(x(value), height - 18, f"{value:g}", MUTED, "middle") for value in sorted(set(xs))
    ]
    parts.append(_text((44 + width) / 2, height - 4, x_label, MUTED, "middle"))
    parts += [_drawn(line, x, y) for line in lines]
    return _svg(width, height, title, parts)


def dot_chart(title: str, rows: Sequence[tuple[str, Sequence[Mark]]], *, width: int = 640) -> str:
    """One row for each name, its marks on a shared scale."""
    values = [mark.value for _, marks in rows for mark in marks]
    if not values:
        return ""
    low, high = _padded(min(values), max(values))
    height, left = 40 + 26 * len(rows), 170
    x = _Scale(low, high, left, width - 16)
    parts = []
    for step in range(6):
        value = low + step * (high - low) / 5
        parts.append(
            f'<line x1="{x(value)}" x2="{x(value)}" y1="10" y2="{height - 26}" stroke="{GRID}"/>'
        )
        parts.append(_text(x(value), height - 10, f"{value:.2f}", MUTED, "middle"))
    for place, (name, marks) in enumerate(rows):
        middle = 24 + 26 * place
        parts.append(_text(left - 12, middle + 4, name, INK, "end"))
        parts.append(_rule(left, width - 16, middle))
        parts += [_mark(x(mark.value), middle, mark) for mark in marks]
    return _svg(width, height, title, parts)


def legend(marks: Sequence[Mark]) -> str:
    """What the marks of a chart mean, as a line of text."""
    shown = (
        f'<span class="key"><svg width="14" height="14" aria-hidden="true">{_mark(7, 7, mark)}'
        f"</svg> {escape(mark.name)}</span>"
        for mark in marks
    )
    return f'<p class="legend">{" ".join(shown)}</p>'


def _bands(line: Line) -> list[tuple[tuple[float, float], float]]:
    return list(zip(line.points, line.spread or (0.0,) * len(line.points), strict=True))


def _padded(low: float, high: float) -> tuple[float, float]:
    room = (high - low) * 0.06 or 0.01
    return low - room, high + room


def _drawn(line: Line, x: _Scale, y: _Scale) -> str:
    way = " ".join(f"{x(a)},{y(b)}" for a, b in line.points)
    dashes = ' stroke-dasharray="4 3"' if line.hollow else ""
    parts = []
    if line.spread:
        up = [f"{x(a)},{y(b + s)}" for (a, b), s in _bands(line)]
        down = [f"{x(a)},{y(b - s)}" for (a, b), s in reversed(_bands(line))]
        parts.append(
            f'<polygon points="{" ".join(up + down)}" fill="{line.colour}" opacity="0.14"/>'
        )
    parts.append(
        f'<polyline points="{way}" fill="none" stroke="{line.colour}" stroke-width="1.8"{dashes}/>'
    )
    for a, b in line.points:
        parts.append(_mark(x(a), y(b), Mark(line.name, b, line.colour, hollow=line.hollow)))
    return "".join(parts)


def _mark(x: float, y: float, mark: Mark) -> str:
    paint = (
        f'fill="#FDFCFA" stroke="{mark.colour}" stroke-width="1.5"'
        if mark.hollow
        else f'fill="{mark.colour}"'
    )
    told = f"<title>{escape(mark.name)}: {mark.value:.3f}</title>"
    if mark.shape == "circle":
        return f'<circle cx="{x}" cy="{y}" r="4" {paint}>{told}</circle>'
    corners = {
        "square": ((-4, -4), (4, -4), (4, 4), (-4, 4)),
        "diamond": ((0, -5.5), (5.5, 0), (0, 5.5), (-5.5, 0)),
        "triangle": ((0, -5), (5, 4), (-5, 4)),
    }[mark.shape]
    points = " ".join(f"{x + dx:.1f},{y + dy:.1f}" for dx, dy in corners)
    return f'<polygon points="{points}" {paint}>{told}</polygon>'


def _rule(start: float, end: float, y: float) -> str:
    return f'<line x1="{start}" x2="{end}" y1="{y}" y2="{y}" stroke="{GRID}"/>'


def _text(
    x: float, y: float, words: str, colour: str, anchor: str = "start", *, weight: int = 400
) -> str:
    return (
        f'<text x="{x}" y="{y}" fill="{colour}" text-anchor="{anchor}" font-weight="{weight}">'
        f"{escape(words)}</text>"
    )


def _svg(width: int, height: int, title: str, parts: Sequence[str]) -> str:
    return (
        f'<svg viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" '
        f'aria-label="{escape(title)}">{"".join(parts)}</svg>'
    )
