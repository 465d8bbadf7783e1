"""Names, numbers and lists as parts of a rule's text."""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterable, Sequence
from decimal import Decimal

from glocalx.rules.schema import Feature

_UNITS = {f"{unit}s": unit for unit in ("year", "month", "week", "day", "hour", "minute", "second")}
_INNER_QUOTES = str.maketrans("“”", "‘’")


def plain(text: str) -> str:
    """A text on one line, without characters that do not show.

    Examples
    --------
    >>> plain("two\\nlines")
    'two lines'
    """
    if not text.isprintable():
        text = "".join(c if c.isprintable() else " " for c in text)
    return " ".join(text.split())


def one_line(name: str, breaks: Iterable[str] = ("→", " and ")) -> str:
    """A name or category of the table within a rule: on one line, and in quotation marks where
    it could be taken for a part of the rule.

    Examples
    --------
    >>> one_line("office clerk"), one_line("two\\nlines"), one_line("x → deny")
    ('office clerk', 'two lines', '“x → deny”')
    """
    text = plain(name)
    if text and not any(part in text for part in breaks):
        return text
    return f"“{text.translate(_INNER_QUOTES)}”"


def in_sentence(name: str) -> str:
    """A name or category within a sentence, where commas and "or" part it from others.

    Examples
    --------
    >>> in_sentence("sales"), in_sentence("unskilled, resident")
    ('sales', '“unskilled, resident”')
    """
    return one_line(name, ("→", " and ", " or ", ", "))


def number_text(number: float, decimals: int, *, may_be_year: bool = True) -> str:
    """A number as people write it: thousands commas, a true minus sign, no idle zeros.

    Parameters
    ----------
    may_be_year
        No comma below 10,000.

    Examples
    --------
    >>> number_text(12345.50, 2), number_text(-1998.0, 0), number_text(-0.0, 1)
    ('12,345.5', '−1998', '0')
    >>> number_text(2165, 0, may_be_year=False)
    '2,165'
    """
    comma = "," if abs(number) >= 10_000 or not may_be_year else ""
    text = f"{abs(number):{comma}.{decimals}f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return f"−{text}" if number < 0 else text


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
    return number_text(number, decimals, may_be_year=feature.is_whole and not counted)


def value_text(feature: Feature, number: float) -> str:
    """A whole number by its label where it has one: 13, "bachelor's degree"."""
    labels = feature.spoken.values if feature.spoken and feature.kind == "integer" else {}
    label = labels.get(f"{number:.0f}") if labels else None
    return in_sentence(label) if label else feature_number(feature, number)


def unit_after(feature: Feature, *numbers: str) -> str:
    """The unit with the space before it, in the singular after a lone 1."""
    if not feature.unit:
        return ""
    unit = plain(feature.unit)
    alone = len(numbers) == 1 and numbers[0] in ("1", "−1")
    return f" {_UNITS.get(unit, unit) if alone else unit}"


def enumeration(parts: Sequence[str], last: str = "and") -> str:
    """Parts with commas, and a word before the last.

    Examples
    --------
    >>> enumeration(["a", "b", "c"])
    'a, b and c'
    """
    if len(parts) == 1:
        return parts[0]
    return f"{', '.join(parts[:-1])} {last} {parts[-1]}"


def _date(days: float) -> str:
    try:
        return (datetime.date(1970, 1, 1) + datetime.timedelta(days=int(days))).isoformat()
    except OverflowError:
        return f"day {number_text(days, 0)}"
