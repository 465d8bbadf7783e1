"""The ends of intervals as people see them.

On whole numbers they are whole numbers. On real ones they are rounded to the fewest digits that
cover the same records, if the records are at hand.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from glocalx.rules.coverage import Records
from glocalx.rules.rule import Interval
from glocalx.rules.schema import Feature
from glocalx.words.features import feature_number, value_text


@dataclass(frozen=True, slots=True)
class Bound:
    """One end of an interval as people see it: the number, and whether it belongs to it."""

    text: str
    included: bool


Bounds = tuple[Bound | None, Bound | None]


class Thresholds:
    """Finds the ends of intervals, rounded as far as the records allow."""

    def __init__(self, records: Records | None) -> None:
        self._records = records
        self._values: dict[str, npt.NDArray[np.float64]] = {}

    def bounds(self, feature: Feature, interval: Interval) -> Bounds:
        """Both ends of an interval as people see them; None where it is open."""
        two_sided = math.isfinite(interval.low) and math.isfinite(interval.high)
        low = high = None
        if math.isfinite(interval.low):
            low = self._bound(feature, interval.low, lower=True, included_first=True)
        if math.isfinite(interval.high):
            high = self._bound(feature, interval.high, lower=False, included_first=not two_sided)
        return low, high

    def spoken_bounds(self, feature: Feature, interval: Interval) -> Bounds:
        """The same for sentences: whole numbers belong to the interval, by their label if any."""
        if not feature.is_whole:
            return self.bounds(feature, interval)
        low, high = interval.low, interval.high - 1
        return (
            Bound(value_text(feature, low), True) if math.isfinite(low) else None,
            Bound(value_text(feature, high), True) if math.isfinite(high) else None,
        )

    def _bound(self, feature: Feature, bound: float, *, lower: bool, included_first: bool) -> Bound:
        if feature.is_whole:
            if lower or not included_first:
                return Bound(feature_number(feature, bound), lower)
            return Bound(feature_number(feature, bound - 1), True)
        below, above = self._neighbours(feature, bound)
        for digits in range(-15, 18):
            rounded = round(bound, digits)
            splits_before = below < rounded <= above  # `x < rounded` and `x ≥ rounded` are right
            splits_after = below <= rounded < above  # `x ≤ rounded` and `x > rounded` are right
            if splits_before or splits_after:
                included = splits_before if lower else splits_after
                excluded = splits_after if lower else splits_before
                chosen = included if included_first else not excluded
                return Bound(feature_number(feature, rounded, max(digits, 0)), chosen)
        return Bound(repr(bound), lower)

    def _neighbours(self, feature: Feature, bound: float) -> tuple[float, float]:
        """The values between which the threshold may move without touching a record."""
        values = self._distinct_values(feature)
        place = int(np.searchsorted(values, bound))
        if 0 < place < len(values):
            return float(values[place - 1]), float(values[place])
        rounded = float(f"{bound:.12g}")  # no record says how far to round
        return (rounded if rounded < bound else math.nextafter(bound, -math.inf)), bound

    def _distinct_values(self, feature: Feature) -> npt.NDArray[np.float64]:
        if self._records is None:
            return np.empty(0)
        if feature.name not in self._values:
            values = np.unique(self._records.values(feature.name))
            self._values[feature.name] = values[~np.isnan(values)]
        return self._values[feature.name]
