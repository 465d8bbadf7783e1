"""Figures as people read them: a no-break space before %, a true minus sign, thousands commas."""

from __future__ import annotations

import math

from glocalx.audit.intervals import Estimate
from glocalx.evaluation import Bounds
from glocalx.words.phrases import percent as spaced
from glocalx.words.phrases import signed

UNDEFINED = "–"
SPACE = "\N{NO-BREAK SPACE}"


def percent(share: float | None, decimals: int = 1) -> str:
    """A share.

    Examples
    --------
    >>> percent(0.239).replace(SPACE, " "), percent(None)
    ('23.9 %', '–')
    """
    return UNDEFINED if share is None else spaced(share, decimals).replace(" ", SPACE)


def points(difference: float, decimals: int = 1) -> str:
    """A difference of two shares, in points and with its sign.

    Examples
    --------
    >>> points(0.1), points(-0.0004), points(-0.25)
    ('+10.0', '0.0', '−25.0')
    """
    if math.isnan(difference):
        return UNDEFINED
    return signed(difference * 100, decimals)


def number(value: float, decimals: int = 2) -> str:
    """A plain number."""
    return UNDEFINED if math.isnan(value) else f"{value:,.{decimals}f}".replace("-", "−")


def decimals_of(size: float) -> int:
    """How many decimals a number of this size is worth.

    Examples
    --------
    >>> decimals_of(3.47), decimals_of(-412.5), decimals_of(38_581.0)
    (2, 1, 0)
    """
    return 2 if not abs(size) >= 100 else 1 if abs(size) < 10_000 else 0


def share_interval(estimate: Estimate | Bounds, decimals: int = 1) -> str:
    """From where to where a share likely lies; empty where nobody can say."""
    low, high = estimate.low, estimate.high
    if math.isnan(low) or math.isnan(high):
        return ""
    return f"{low * 100:.{decimals}f} to {high * 100:.{decimals}f}"


def points_interval(estimate: Estimate, decimals: int = 1) -> str:
    """From where to where a difference likely lies; empty where nobody can say."""
    if math.isnan(estimate.low) or math.isnan(estimate.high):
        return ""
    return f"{points(estimate.low, decimals)} to {points(estimate.high, decimals)}"


def number_interval(estimate: Estimate, decimals: int = 2) -> str:
    """From where to where a number likely lies; empty where nobody can say."""
    if math.isnan(estimate.low) or math.isnan(estimate.high):
        return ""
    return f"{number(estimate.low, decimals)} to {number(estimate.high, decimals)}"


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
