"""Numbers as people read them: one way to say each, with commas, a true minus sign, no idle zero.

What is undefined (None or NaN) is a dash.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import date, timedelta
from typing import Protocol

UNDEFINED = "–"
NO_BREAK_SPACE = "\N{NO-BREAK SPACE}"


class Ends(Protocol):
    """From where to where something lies; NaN where nobody can say."""

    @property
    def low(self) -> float: ...

    @property
    def high(self) -> float: ...


def percent(share: float | None, decimals: int = 0) -> str:
    """A share in per cent.

    Examples
    --------
    >>> percent(0.9312, 1), percent(0.9312), percent(float("nan"))
    ('93.1 %', '93 %', '–')

    What is not nothing, or not quite all, does not read as if it were.

    >>> percent(0.002), percent(0.005), percent(0.998), percent(0.9995), percent(0.0001, 1)
    ('0.2 %', '0.5 %', '99.8 %', 'over 99.9 %', 'under 0.1 %')
    """
    if share is None or math.isnan(share):
        return UNDEFINED
    finest = max(decimals, 1)
    for digits in (decimals, finest):
        text = f"{100 * share:.{digits}f}"
        if share in (0, 1) or float(text) not in (0, 100):
            return f"{text} %"
    least = 10**-finest
    return f"under {least:g} %" if share < 0.5 else f"over {100 - least:.{finest}f} %"


def paper_percent(share: float | None, decimals: int = 1) -> str:
    """A share for paper, where no line may end between the number and its sign.

    Examples
    --------
    >>> paper_percent(0.239).replace(NO_BREAK_SPACE, " "), paper_percent(None)
    ('23.9 %', '–')
    """
    return percent(share, decimals).replace(" ", NO_BREAK_SPACE)


def signed(value: float, decimals: int = 0) -> str:
    """A number with its sign; none for what rounds to 0.

    Examples
    --------
    >>> signed(-17.6), signed(3.21, 1), signed(-0.2), signed(math.nan)
    ('−18', '+3.2', '0', '–')
    """
    if math.isnan(value):
        return UNDEFINED
    text = f"{abs(value):,.{decimals}f}"
    if not text.strip("0."):
        return text
    return f"{'−' if value < 0 else '+'}{text}"


def in_points(difference: float, decimals: int = 1) -> str:
    """A difference of two shares in points, where the head of the column says so.

    Examples
    --------
    >>> in_points(0.1), in_points(-0.0004), in_points(-0.25)
    ('+10.0', '0.0', '−25.0')
    """
    return signed(100 * difference, decimals)


def points(difference: float, decimals: int = 1) -> str:
    """A difference of two shares, in points.

    Examples
    --------
    >>> points(0.057), points(-0.25, 0), points(math.nan)
    ('+5.7 points', '−25 points', '–')
    """
    text = in_points(difference, decimals)
    return text if text == UNDEFINED else f"{text} points"


def fixed(value: float, decimals: int = 2) -> str:
    """A number with so many decimals.

    Examples
    --------
    >>> fixed(-1234.5), fixed(math.nan)
    ('−1,234.50', '–')
    """
    return UNDEFINED if math.isnan(value) else f"{value:,.{decimals}f}".replace("-", "−")


def decimals_of(size: float) -> int:
    """How many decimals a number of this size is worth in a table.

    Examples
    --------
    >>> decimals_of(3.47), decimals_of(-412.5), decimals_of(38_581.0)
    (2, 1, 0)
    """
    return 2 if not abs(size) >= 100 else 1 if abs(size) < 10_000 else 0


def trimmed(number: float, decimals: int, *, may_be_year: bool = False) -> str:
    """A number with at most so many decimals.

    `may_be_year`: no comma below 10,000.

    Examples
    --------
    >>> trimmed(12345.50, 2), trimmed(2165, 0), trimmed(-0.0, 1)
    ('12,345.5', '2,165', '0')
    >>> trimmed(-1998.0, 0, may_be_year=True)
    '−1998'
    """
    comma = "" if may_be_year and abs(number) < 10_000 else ","
    text = f"{abs(number):{comma}.{decimals}f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return f"−{text}" if number < 0 and text != "0" else text


def day_text(days: float) -> str:
    """A day counted from 1970-01-01, as people write it.

    Examples
    --------
    >>> day_text(19_874), day_text(9e9)
    ('2024-05-31', 'day 9,000,000,000')
    """
    try:
        return (date(1970, 1, 1) + timedelta(days=round(days))).isoformat()
    except OverflowError:
        return f"day {trimmed(days, 0)}"


def brief(value: float) -> str:
    """A number in as few digits as its size needs, for figures.

    Examples
    --------
    >>> brief(12345.6), brief(-0.25), brief(3.0), brief(0.0312)
    ('12,346', '−0.25', '3', '0.0312')
    """
    size = abs(value)
    return trimmed(value, 0 if size >= 100 else 1 if size >= 10 else 2 if size >= 0.1 else 4)


def share_interval(ends: Ends, decimals: int = 1) -> str:
    """From where to where a share likely lies, in per cent; empty where nobody can say."""
    return from_to(ends, lambda end: f"{100 * end:.{decimals}f}")


def points_interval(ends: Ends, decimals: int = 1) -> str:
    """From where to where a difference likely lies, in points; empty where nobody can say."""
    return from_to(ends, lambda end: in_points(end, decimals))


def fixed_interval(ends: Ends, decimals: int = 2) -> str:
    """From where to where a number likely lies; empty where nobody can say."""
    return from_to(ends, lambda end: fixed(end, decimals))


def from_to(ends: Ends, say: Callable[[float], str]) -> str:
    """From where to where something likely lies; empty where nobody can say."""
    if math.isnan(ends.low) or math.isnan(ends.high):
        return ""
    return f"{say(ends.low)} to {say(ends.high)}"


def p_value(p: float) -> str:
    """A p-value, no finer than anybody should read it.

    Examples
    --------
    >>> p_value(0.03142), p_value(1e-9), p_value(math.nan)
    ('0.031', 'below 0.001', '–')
    """
    if math.isnan(p):
        return UNDEFINED
    return "below 0.001" if p < 0.001 else f"{p:.3f}"


def duration(seconds: float | None) -> str:
    """How long something still takes, as people say it.

    Examples
    --------
    >>> duration(1.2), duration(12), duration(180), duration(None)
    ('about a second', 'about 12 seconds', 'about 3 minutes', '')
    """
    if seconds is None:
        return ""
    if seconds < 1.5:
        return "about a second"
    return f"about {seconds:.0f} seconds" if seconds < 90 else f"about {seconds / 60:.0f} minutes"


def duration_range(low: float, high: float) -> str:
    """How long something may take, from seconds to seconds.

    Examples
    --------
    >>> duration_range(1.2, 3.4), duration_range(12, 23), duration_range(300, 1000)
    ('2 to 4 seconds', '12 to 25 seconds', '5 to 17 minutes')
    """
    unit, one = ("minutes", 60) if low >= 90 else ("seconds", 1)
    first, last = (_rounded_up(end / one) for end in (low, high))
    if last <= 1:
        return "about a second"
    return f"about {first} {unit}" if first >= last else f"{first} to {last} {unit}"


def _rounded_up(number: float) -> int:
    """To whole steps that do not pretend to be exact."""
    step = 1 if number <= 20 else 5 if number <= 100 else 10
    return math.ceil(number / step) * step
