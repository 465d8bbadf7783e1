"""The cells of the rule matrix: one feature's spread, drawn small, and what a premise allows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from glocalx.plots.scale import bar_heights
from glocalx.rules.coverage import Records
from glocalx.rules.rule import Categories, Interval, Premise, Rule
from glocalx.rules.schema import Feature
from glocalx.rules.spread import CategoryBar, Histogram, category_bars, histogram

SIDE = 0.07  # of a cell, left empty on either side
FLOOR, TALL = 0.70, 0.56  # of a row: where bars stand, and how tall they can be
MOST_CATEGORIES = 8
BARS = 18


class MatrixColumn:
    """How one feature spreads, from 0 to 1 across its cells."""

    def __init__(
        self, place: int, feature: Feature, records: Records, rules: Iterable[Rule]
    ) -> None:
        self.place, self.feature = place, feature
        self._categories: tuple[CategoryBar, ...] = ()
        self._numbers: Histogram | None = None
        if feature.is_categorical:
            self._categories = category_bars(records, feature, MOST_CATEGORIES)
            counts = np.array([bar.count for bar in self._categories], dtype=np.int64)
            self._edges = np.linspace(0, 1, len(counts) + 1)
        else:
            bars = self._numbers = _small_histogram(feature, records, rules)
            counts = bars.counts
            self._edges = (bars.edges - bars.low) / (bars.high - bars.low)
        self.heights, self.rooted = bar_heights(counts)

    def x(self, share: float) -> float:
        """From a place within the cell to one in the matrix."""
        return self.place + SIDE + (1 - 2 * SIDE) * share

    def box(self, row: int, bar: int) -> tuple[float, float, float, float]:
        """Left, right, top and bottom of a bar."""
        gap = 0.04 * float(self._edges[bar + 1] - self._edges[bar])
        low, high = self.x(self._edges[bar] + gap), self.x(self._edges[bar + 1] - gap)
        return low, high, row + FLOOR - TALL * float(self.heights[bar]), row + FLOOR

    def inside(self, premise: Premise) -> npt.NDArray[np.bool_]:
        """The bars that a premise allows."""
        if isinstance(premise, Interval) and self._numbers is not None:
            return self._numbers.inside(premise)
        return np.array([bar.held_by(premise) == 1 for bar in self._categories], dtype=bool)

    def spans(self, premise: Premise) -> Iterator[tuple[float, float]]:
        """The allowed part of the feature, in shares of the cell."""
        if isinstance(premise, Categories):
            for bar in np.flatnonzero(self.inside(premise)):
                gap = 0.08 * float(self._edges[bar + 1] - self._edges[bar])
                yield float(self._edges[bar]) + gap, float(self._edges[bar + 1]) - gap
        elif self._numbers is not None:
            bars = self._numbers
            width = bars.high - bars.low
            low, high = (bars.place(bound) - bars.low for bound in (premise.low, premise.high))
            yield low / width, high / width


def _small_histogram(feature: Feature, records: Records, rules: Iterable[Rule]) -> Histogram:
    premises = [rule.premise(feature.name) for rule in rules]
    bounds = [
        bound
        for premise in premises
        if isinstance(premise, Interval)
        for bound in (premise.low, premise.high)
    ]
    values = np.asarray(records.values(feature.name), dtype=float)
    return histogram(values, feature.is_whole, bounds, BARS)


class Boxes:
    """Many boxes as one filled trace."""

    def __init__(self) -> None:
        self.xs: list[float | None] = []
        self.ys: list[float | None] = []

    def add(self, low: float, high: float, top: float, bottom: float) -> None:
        if high > low:
            self.xs += [low, high, high, low, low, None]
            self.ys += [top, top, bottom, bottom, top, None]

    def trace(self, colour: str) -> go.Scatter:
        return go.Scatter(
            x=self.xs,
            y=self.ys,
            mode="lines",
            fill="toself",
            fillcolor=colour,
            line={"width": 0},
            hoverinfo="skip",
        )


def level_lines(
    lines: Sequence[tuple[float, float, float]], colour: str, width: float
) -> go.Scatter:
    """Many level lines, each from, to and at which height, as one trace."""
    xs = [x for low, high, _ in lines for x in (low, high, None)]
    ys = [y for _, _, at in lines for y in (at, at, None)]
    line = {"color": colour, "width": width}
    return go.Scatter(x=xs, y=ys, mode="lines", line=line, hoverinfo="skip")
