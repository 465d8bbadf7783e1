"""Numbers and units of a feature as parts of a rule's text."""

from __future__ import annotations

import datetime
import math
from decimal import Decimal

from glocalx.rules.schema import Feature
from glocalx.words.escape import in_sentence, on_one_line
from glocalx.words.figures import trimmed

_UNITS = {f"{unit}s": unit for unit in ("year", "month", "week", "day", "hour", "minute", "second")}


def feature_number(feature: Feature, number: float, decimals: int | None = 0) -> str:
    """A number of a feature: a date, or commas unless it may be a year; None: all its decimals."""
    if not math.isfinite(number):
        return "∞" if number > 0 else "−∞"
    if feature.kind == "date":
        return _date(number)
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


def _date(days: float) -> str:
    try:
        return (datetime.date(1970, 1, 1) + datetime.timedelta(days=int(days))).isoformat()
    except OverflowError:
        return f"day {trimmed(days, 0)}"
