"""Figures as inline SVG, drawn in per cent of their own width: they fit a phone and a page.

A figure is a list of rows: a name, a mark on a common scale, a value. Every mark says in words
what it shows, for those who hear it and for a pointer that rests on it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from glocalx.report.elements import Child, Markup, element

_HEIGHT = 26
_MIDDLE = _HEIGHT / 2


@dataclass(frozen=True, slots=True)
class Scale:
    """From where to where marks can lie, and the ticks in between."""

    ticks: tuple[float, ...]

    @classmethod
    def over(cls, values: Iterable[float], ticks: int = 5) -> Scale:
        """The least round scale that holds all values.

        Examples
        --------
        >>> Scale.over([-0.12, 0.21]).ticks
        (-0.2, -0.1, 0.0, 0.1, 0.2, 0.3)
        """
        known = [value for value in values if math.isfinite(value)] or [0.0, 1.0]
        low, high = min(known), max(known)
        span = max(high - low, 1e-6 * max(abs(low), abs(high))) or 0.1
        rough = span / ticks
        power = 10.0 ** math.floor(math.log10(rough))
        step = next(each * power for each in (1, 2, 5, 10) if each * power >= rough)
        first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
        last = max(last, first + 1)
        return cls(tuple(float(f"{place * step:.12g}") for place in range(first, last + 1)))

    def place(self, value: float) -> str:
        """Where a value lies, a little in from the edges so that no mark is cut."""
        low, high = self.ticks[0], self.ticks[-1]
        part = 0.5 if high == low else (min(max(value, low), high) - low) / (high - low)
        return f"{3 + 94 * part:.2f}%"


@dataclass(frozen=True, slots=True)
class DotRow:
    """A value with its interval.

    Parameters
    ----------
    name, value, low, high
        What it is; NaN is not drawn.
    says
        The mark in words.
    at_the_end
        What stands right of it.
    sure
        False is drawn hollow: too little to go by.
    strong
        Whether it stands out from the others.
    beside
        A second value, drawn as a small diamond; NaN for none.
    """

    name: str
    value: float
    low: float
    high: float
    says: str
    at_the_end: str
    sure: bool = True
    strong: bool = True
    beside: float = math.nan


def dot_figure(
    rows: Sequence[DotRow | str],
    scale: Scale,
    tick_texts: Sequence[str],
    *,
    zero: float | None = None,
) -> Markup:
    """Values with their intervals under each other.

    Parameters
    ----------
    rows
        A text is a heading over the rows that follow.
    tick_texts
        What stands at each tick of the scale.
    zero
        Where a line is drawn through all rows.
    """
    drawn = [_heading(row) if isinstance(row, str) else _row(row, scale, zero) for row in rows]
    return element("div", drawn, _axis(scale, tick_texts), class_="dots")


def _heading(title: str) -> Markup:
    return element("div", element("span", title, class_="over"), class_="row head")


def _row(row: DotRow, scale: Scale, zero: float | None) -> Markup:
    tone = "strong" if row.strong else "quiet"
    marks: list[Child] = [_grid(scale), _line(scale, zero)]
    if math.isfinite(row.low) and math.isfinite(row.high):
        ends = {"x1": scale.place(row.low), "x2": scale.place(row.high)}
        marks.append(element("line", **ends, y1=_MIDDLE, y2=_MIDDLE, class_=f"whisker {tone}"))
    if math.isfinite(row.value):
        hollow = "" if row.sure else " hollow"
        dot = element(
            "circle", cx=scale.place(row.value), cy=_MIDDLE, r=5, class_=f"dot {tone}{hollow}"
        )
        marks.append(dot)
    if math.isfinite(row.beside):
        marks.append(_diamond(scale.place(row.beside)))
    picture = _svg(row.says, marks, _HEIGHT)
    ends_with = element("span", row.at_the_end, class_="end")
    return element(
        "div", element("span", row.name, class_="name"), picture, ends_with, class_="row"
    )


def _diamond(place: str) -> Markup:
    shape = element("path", d=f"M0,{_MIDDLE - 4.5}l4.5,4.5l-4.5,4.5l-4.5,-4.5z", class_="diamond")
    return element("svg", shape, x=place, overflow="visible", width=1, height=_HEIGHT)


def _grid(scale: Scale) -> list[Markup]:
    return [
        element("line", x1=place, x2=place, y1=0, y2=_HEIGHT, class_="grid")
        for place in map(scale.place, scale.ticks)
    ]


def _line(scale: Scale, zero: float | None) -> Markup | None:
    if zero is None:
        return None
    place = scale.place(zero)
    return element("line", x1=place, x2=place, y1=0, y2=_HEIGHT, class_="zero")


def _axis(scale: Scale, tick_texts: Sequence[str]) -> Markup:
    texts = [
        element("text", label, x=scale.place(tick), y=12, text_anchor="middle")
        for tick, label in zip(scale.ticks, tick_texts, strict=True)
    ]
    picture = element("svg", texts, height=18, width="100%", aria_hidden="true", class_="ticks")
    return element("div", element("span", class_="name"), picture, class_="row axis")


def _svg(says: str, marks: Child, height: float) -> Markup:
    """A picture whose title is its alternative text."""
    return element("svg", element("title", says), marks, role="img", height=height, width="100%")


def coverage_bar(agreed: float, disagreed: float, tone: int, says: str) -> Markup:
    """The share of all records that a rule covers: solid where the black box agrees."""
    whole = element("rect", x=0, y=0, width="100%", height=12, rx=3, class_="whole")
    solid = element(
        "rect", x=0, y=0, width=f"{agreed * 100:.2f}%", height=12, rx=2, class_=f"fill{tone}"
    )
    hatched = element(
        "rect",
        x=f"{agreed * 100:.2f}%",
        y=0,
        width=f"{disagreed * 100:.2f}%",
        height=12,
        fill=f"url(#hatch{tone})",
    )
    return element("div", _svg(says, [whole, solid, hatched], 12), class_="bar")


def hatches(tones: int) -> Markup:
    """The patterns that :func:`coverage_bar` refers to; once in a page."""
    patterns = [
        element(
            "pattern",
            element("path", d="M-1,5l6,-6M-1,9l10,-10M3,9l6,-6", class_=f"stroke{tone}"),
            id=f"hatch{tone}",
            width=8,
            height=8,
            patternUnits="userSpaceOnUse",
        )
        for tone in range(tones)
    ]
    return element(
        "svg", element("defs", patterns), width=0, height=0, aria_hidden="true", class_="defs"
    )
