"""Numbers and units of a feature as parts of a rule's text."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal

from glocalx.rules.rule import Interval
from glocalx.rules.schema import Feature
from glocalx.words.escape import in_sentence, on_one_line
from glocalx.words.figures import day_text, trimmed

_UNITS = {f"{unit}s": unit for unit in ("year", "month", "week", "day", "hour", "minute", "second")}


def feature_number(feature: Feature, number: float, decimals: int | None = 0) -> str:
    """A number of a feature: a date, or commas unless it may be a year; None: all its decimals."""
    if not math.isfinite(number):
        return "∞" if number > 0 else "−∞"
    if feature.kind == "date":
        return day_text(number)
    if decimals is None:
        decimals = max(0, -int(Decimal(f"{number:.12g}").as_tuple().exponent))
    spoken = feature.spoken
    counted = feature.unit or (spoken and (spoken.noun or spoken.forms))
    return trimmed(number, decimals, may_be_year=feature.is_whole and not counted)


def value_text(feature: Feature, number: float) -> str:
    """A whole number by its label where it has one: 13, "bachelor's degree"."""
    labels = feature.spoken.values if feature.spoken and feature.kind == "integer" else {}
    label = labels.get(f"{number:.0f}") if labels else None
    return in_sentence(label) if label else feature_number(feature, number)


def unit_after(feature: Feature, *numbers: str) -> str:
    """The unit with the space before it, in the singular after a lone 1."""
    if not feature.unit:
        return ""
    unit = on_one_line(feature.unit)
    alone = len(numbers) == 1 and numbers[0] in ("1", "−1")
    return f" {_UNITS.get(unit, unit) if alone else unit}"


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
