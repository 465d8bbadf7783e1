"""Figures of a report: marks inside the page, so that its style sheet colours them on any ground.

A figure is a list of rows: a name, a mark on a common scale, a value. Every mark says in words
what it shows, for those who hear it and for a pointer that rests on it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from glocalx.plots.canvas import DIAMOND, Marks, percent_of
from glocalx.plots.colours import LIGHT
from glocalx.plots.scale import Scale
from glocalx.report.elements import Markup, element

_HEIGHT = 26
_MIDDLE = _HEIGHT / 2


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
    ticks: Mapping[float, str],
    *,
    zero: float | None = None,
) -> Markup:
    """Values with their intervals under each other.

    Parameters
    ----------
    rows
        A text is a heading over the rows that follow.
    ticks
        Numbers of the scale, and what stands there.
    zero
        Where a line is drawn through all rows.
    """
    drawn = [
        _heading(row) if isinstance(row, str) else _row(row, scale, ticks, zero) for row in rows
    ]
    return element("div", drawn, _axis(scale, ticks), class_="dots")


def _place(scale: Scale, value: float) -> float:
    """A little in from the edges, so that no mark is cut; what is off the scale is at its end."""
    return 0.03 + 0.94 * min(max(scale.place(value), 0), 1)


def _heading(title: str) -> Markup:
    return element("div", element("span", title, class_="over"), class_="row head")


def _row(row: DotRow, scale: Scale, ticks: Mapping[float, str], zero: float | None) -> Markup:
    marks = Marks()
    for tick in ticks:
        marks.upright(_place(scale, tick), 0, _HEIGHT, class_="grid")
    if zero is not None:
        marks.upright(_place(scale, zero), 0, _HEIGHT, class_="zero")
    tone = "strong" if row.strong else "quiet"
    if math.isfinite(row.low) and math.isfinite(row.high):
        ends = _place(scale, row.low), _place(scale, row.high)
        marks.level(*ends, _MIDDLE, class_=f"whisker {tone}")
    if math.isfinite(row.value):
        look = f"dot {tone}" if row.sure else f"dot {tone} hollow"
        marks.dot(_place(scale, row.value), _MIDDLE, 5, class_=look)
    if math.isfinite(row.beside):
        marks.around(_place(scale, row.beside), _MIDDLE, DIAMOND, class_="diamond")
    name = element("span", row.name, class_="name")
    end = element("span", row.at_the_end, class_="end")
    return element("div", name, _svg(row.says, marks, _HEIGHT), end, class_="row")


def _axis(scale: Scale, ticks: Mapping[float, str]) -> Markup:
    texts = [
        element("text", label, x=percent_of(_place(scale, tick)), y=12, text_anchor="middle")
        for tick, label in ticks.items()
    ]
    picture = element("svg", texts, height=18, width="100%", aria_hidden="true", class_="ticks")
    return element("div", element("span", class_="name"), picture, class_="row axis")


def _svg(says: str, marks: Marks, height: float) -> Markup:
    """A picture whose title is its alternative text."""
    drawn = Markup("".join(marks.drawn))
    return element("svg", element("title", says), drawn, role="img", height=height, width="100%")


def coverage_bar(agreed: float, disagreed: float, tone: int, says: str) -> Markup:
    """The share of all records that a rule covers: solid where the black box agrees."""
    marks = Marks()
    marks.bar(0, 1, 0, 12, rx=3, class_="whole")
    marks.bar(0, agreed, 0, 12, rx=2, class_=f"fill{tone}")
    marks.bar(agreed, agreed + disagreed, 0, 12, fill=f"url(#hatch{tone})")
    return element("div", _svg(says, marks, 12), class_="bar")


def hatches() -> Markup:
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
        for tone in range(len(LIGHT.outcomes))
    ]
    return element(
        "svg", element("defs", patterns), width=0, height=0, aria_hidden="true", class_="defs"
    )
