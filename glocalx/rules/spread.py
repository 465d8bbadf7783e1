"""How the records of one feature spread: bars of a histogram, or of categories."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from glocalx.rules.codes import NO_CODE
from glocalx.rules.coverage import Records
from glocalx.rules.rule import Categories, Interval, Premise
from glocalx.rules.schema import Feature

FAR = 0.5  # an end is cut off if it is further away than this part of the middle 98 %


@dataclass(frozen=True, slots=True, eq=False)
class Histogram:
    """Bars over a number.

    Parameters
    ----------
    edges
        One more than there are bars. Whole numbers stand in the middle of their bar.
    below, above
        Records beyond the ends, which the first and the last bar hold too.
    whole
        Whether only whole numbers occur.
    """

    edges: npt.NDArray[np.float64]
    counts: npt.NDArray[np.int64]
    below: int
    above: int
    whole: bool

    @property
    def low(self) -> float:
        return float(self.edges[0])

    @property
    def high(self) -> float:
        return float(self.edges[-1])

    @property
    def middles(self) -> npt.NDArray[np.float64]:
        return (self.edges[1:] + self.edges[:-1]) / 2

    def place(self, bound: float) -> float:
        """Where the end of a premise stands: between two whole numbers, and within the bars."""
        return min(max(bound - 0.5 if self.whole else bound, self.low), self.high)

    def reach(self, edge: float) -> float:
        """The end of a premise that would stand at an edge."""
        return edge + 0.5 if self.whole else edge

    def counted(self, values: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
        """How many of these fall into each bar; the first and the last hold those beyond, too."""
        return _counts(values[~np.isnan(values)], self.edges)

    def inside(self, premise: Interval) -> npt.NDArray[np.bool_]:
        """The bars whose middle a premise holds."""
        low, high = self.place(premise.low), self.place(premise.high)
        return np.asarray((self.middles > low) & (self.middles < high))


def histogram(
    values: npt.NDArray[np.float64],
    whole: bool,
    bounds: Iterable[float] = (),
    bars: int = 30,
) -> Histogram:
    """Share out numbers; missing ones are left out.

    `bounds`: ends of premises that must be within the picture.
    """
    known = values[~np.isnan(values)]
    low, high = _ends(known, [bound for bound in bounds if math.isfinite(bound)])
    if whole:
        low, high = math.floor(low), math.ceil(high)
        width = max(1, math.ceil((high - low + 1) / bars))
        number = math.ceil((high - low + 1) / width)
        edges = low - 0.5 + width * np.arange(number + 1, dtype=float)
    else:
        edges = np.linspace(low, high if high > low else low + 1, bars + 1)
    below, above = int((known < edges[0]).sum()), int((known > edges[-1]).sum())
    return Histogram(edges, _counts(known, edges), below, above, whole)


def _counts(
    known: npt.NDArray[np.float64], edges: npt.NDArray[np.float64]
) -> npt.NDArray[np.int64]:
    clipped = np.clip(known, edges[0], np.nextafter(edges[-1], -math.inf))
    return np.histogram(clipped, edges)[0].astype(np.int64)


def _ends(known: npt.NDArray[np.float64], bounds: Sequence[float]) -> tuple[float, float]:
    """The part of the numbers to show: all, or without a far tail."""
    if not known.size:
        return (min(bounds), max(bounds)) if bounds else (0.0, 1.0)
    lowest, highest = float(known.min()), float(known.max())
    first, last = (float(value) for value in np.percentile(known, [1, 99]))
    reach = FAR * max(last - first, 1e-12)
    low = first if first - lowest > reach else lowest
    high = last if highest - last > reach else highest
    near = [bound for bound in bounds if lowest <= bound <= highest]
    return min([low, *near]), max([high, *near])


@dataclass(frozen=True, slots=True)
class CategoryBar:
    """One category, or the many small ones together; None: the records without one."""

    values: tuple[str | None, ...]
    count: int

    def held_by(self, premise: Premise | None) -> float:
        """Which part of these categories a premise allows; no premise allows all."""
        if not isinstance(premise, Categories):
            return 1.0
        return sum(value in premise for value in self.values) / len(self.values)


def category_bars(records: Records, feature: Feature, most: int = 10) -> tuple[CategoryBar, ...]:
    """Categories and their records, the most frequent first; small ones beyond `most` together.

    Where the feature has gaps, the last bar is theirs.
    """
    codes = records.values(feature.name)
    counts = np.bincount(codes[codes >= 0], minlength=len(feature.categories))
    order = sorted(range(len(counts)), key=lambda place: (-int(counts[place]), place))
    single = order if len(order) <= most else order[: most - 1]
    bars = [CategoryBar((feature.categories[place],), int(counts[place])) for place in single]
    rest = order[len(single) :]
    if rest:
        names = tuple(feature.categories[place] for place in rest)
        bars.append(CategoryBar(names, int(counts[rest].sum())))
    if feature.gaps:
        bars.append(CategoryBar((None,), int(np.count_nonzero(codes == NO_CODE))))
    return tuple(bars)
