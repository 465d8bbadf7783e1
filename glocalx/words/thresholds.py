"""The ends of intervals as people see them: the very numbers that are computed with."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal

from glocalx.rules.rule import Interval
from glocalx.rules.schema import Feature
from glocalx.words.features import feature_number, value_text

_SHORTER = 3  # characters that saying the number before an end has to save


@dataclass(frozen=True, slots=True)
class Bound:
    """One end of an interval as people see it: the number, and whether it belongs to it."""

    text: str
    included: bool


Bounds = tuple[Bound | None, Bound | None]


def bounds(feature: Feature, interval: Interval) -> Bounds:
    """Both ends of an interval; None where it is open.

    Examples
    --------
    >>> income = Feature("income", "numeric")
    >>> bounds(income, income.interval(1200.5, 3600))
    (Bound(text='1,200.5', included=True), Bound(text='3,600', included=False))
    """
    one_sided = not (math.isfinite(interval.low) and math.isfinite(interval.high))
    low = _bound(feature, interval.low, lower=True)
    if feature.is_whole and one_sided and math.isfinite(interval.high):
        return low, Bound(feature_number(feature, interval.high - 1), True)
    return low, _bound(feature, interval.high, lower=False)


def spoken_bounds(feature: Feature, interval: Interval) -> Bounds:
    """The same for sentences: whole numbers belong to the interval, by their label if any."""
    if not feature.is_whole:
        return bounds(feature, interval)
    low, high = interval.low, interval.high - 1
    return (
        Bound(value_text(feature, low), True) if math.isfinite(low) else None,
        Bound(value_text(feature, high), True) if math.isfinite(high) else None,
    )


def _bound(feature: Feature, end: float, *, lower: bool) -> Bound | None:
    """`x < end` and `x ≥ end`, or with the number before it, if that is much shorter to say."""
    if not math.isfinite(end):
        return None
    before = math.nextafter(end, -math.inf)
    is_shorter = len(repr(before)) + _SHORTER <= len(repr(end))
    if is_shorter and math.isfinite(before) and not feature.is_whole:
        return Bound(_exactly(feature, before), not lower)
    return Bound(_exactly(feature, end), lower)


def _exactly(feature: Feature, number: float) -> str:
    """A number with all its decimals, in powers of ten where these would be very many."""
    exponent = int(Decimal(repr(number)).as_tuple().exponent)
    if not -20 <= exponent <= 20:
        return repr(number).replace("-", "−")
    return feature_number(feature, number, max(-exponent, 0))
