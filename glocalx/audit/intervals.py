"""How sure a share, a mean or a difference is; and what many comparisons at once cost.

What is undefined (a share of nobody, a ratio to nothing) is NaN, never 0.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from scipy import stats

LEVEL = 0.95
"""How often such an interval holds the true value, over many tables."""

_FEW_EXPECTED = 5  # below it the normal approximation is poor


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure with its interval; all three are NaN where it is undefined.

    Parameters
    ----------
    value
        The figure.
    low, high
        The interval; NaN where there is a figure, but no way to say how sure it is.
    """

    value: float
    low: float = math.nan
    high: float = math.nan

    @property
    def is_defined(self) -> bool:
        return not math.isnan(self.value)

    def holds(self, value: float) -> bool:
        """Whether the interval holds `value`."""
        return self.low <= value <= self.high

    def scaled(self, factor: float) -> Estimate:
        """The same in another unit."""
        return Estimate(self.value * factor, self.low * factor, self.high * factor)


UNDEFINED = Estimate(math.nan)


def share(hits: int, size: int, level: float = LEVEL) -> Estimate:
    """A share with its Wilson interval; undefined for nobody.

    Examples
    --------
    >>> estimate = share(0, 10)
    >>> estimate.value, round(estimate.high, 3)
    (0.0, 0.278)
    """
    if not size:
        return UNDEFINED
    value, z2 = hits / size, _z(level) ** 2
    middle = (value + z2 / (2 * size)) / (1 + z2 / size)
    half = math.sqrt(z2) / (1 + z2 / size)
    half *= math.sqrt(value * (1 - value) / size + z2 / (4 * size * size))
    return Estimate(value, middle - half if hits else 0.0, middle + half if hits < size else 1.0)


def share_difference(
    hits: int, size: int, other_hits: int, other_size: int, level: float = LEVEL
) -> Estimate:
    """One share minus another, with Newcombe's interval (built from the two Wilson intervals).

    0 means that both groups have the same share.
    """
    one, other = share(hits, size, level), share(other_hits, other_size, level)
    value = one.value - other.value
    down = math.hypot(one.value - one.low, other.high - other.value)
    up = math.hypot(one.high - one.value, other.value - other.low)
    return Estimate(value, value - down, value + up)


def share_ratio(
    hits: int, size: int, other_hits: int, other_size: int, level: float = LEVEL
) -> Estimate:
    """One share divided by another; 1 means the same share, undefined where the other is 0.

    The interval is Katz's, from the logarithm; with no hits there is none.
    """
    if not (size and other_size and other_hits):
        return UNDEFINED
    value = (hits / size) / (other_hits / other_size)
    if not hits:
        return Estimate(value)
    spread = math.sqrt(1 / hits - 1 / size + 1 / other_hits - 1 / other_size)
    factor = math.exp(_z(level) * spread)
    return Estimate(value, value / factor, value * factor)


def mean_difference(
    one: tuple[int, float, float], other: tuple[int, float, float], level: float = LEVEL
) -> Estimate:
    """One mean minus another, with Welch's interval.

    `one`, `other`: number of values, mean and sample deviation of each.
    """
    (size, mean, deviation), (other_size, other_mean, other_deviation) = one, other
    if not (size and other_size):
        return UNDEFINED
    value = mean - other_mean
    if size < 2 or other_size < 2:
        return Estimate(value)
    errors = deviation**2 / size, other_deviation**2 / other_size
    total = sum(errors)
    if not total:
        return Estimate(value, value, value)
    parts = [error / total for error in errors]  # their squares do not underflow
    freedom = 1 / (parts[0] ** 2 / (size - 1) + parts[1] ** 2 / (other_size - 1))
    half = float(stats.t.ppf((1 + level) / 2, freedom)) * math.sqrt(total)
    return Estimate(value, value - half, value + half)


def difference_p_value(hits: int, size: int, other_hits: int, other_size: int) -> float:
    """How likely shares at least this far apart are if the true shares are the same.

    The score test (χ² without correction); Fisher's exact test where fewer than five hits or
    misses are expected in a group; NaN where a group is empty.
    """
    if not (size and other_size):
        return math.nan
    total, all_hits = size + other_size, hits + other_hits
    if min(size, other_size) * min(all_hits, total - all_hits) < _FEW_EXPECTED * total:
        table = [[hits, size - hits], [other_hits, other_size - other_hits]]
        return float(stats.fisher_exact(table).pvalue)
    common = all_hits / total
    error = math.sqrt(common * (1 - common) * (1 / size + 1 / other_size))
    away = abs(hits / size - other_hits / other_size) / error
    return math.erfc(away / math.sqrt(2))  # both tails of the normal distribution


def equivalence_p_value(
    hits: int, size: int, other_hits: int, other_size: int, tolerance: float
) -> float:
    """How likely shares this close are if the true ones lie at least `tolerance` apart.

    Two one-sided tests (TOST), each after Agresti and Caffo: one hit and one miss are added to
    either group, so that no hits at all in a few records do not count as certain. NaN where a group
    is empty.

    Examples
    --------
    >>> [round(equivalence_p_value(n, size, n, size, 0.05), 3) for n, size in ((99, 999), (0, 3))]
    [0.0, 0.422]
    """
    if not (size and other_size):
        return math.nan
    one, other = (hits + 1) / (size + 2), (other_hits + 1) / (other_size + 2)
    error = math.sqrt(one * (1 - one) / (size + 2) + other * (1 - other) / (other_size + 2))
    above = (one - other + tolerance) / error
    below = (one - other - tolerance) / error
    return float(max(stats.norm.sf(above), stats.norm.cdf(below)))


def direction_p_value(one_way: int, other_way: int) -> float:
    """How likely a split at least as uneven is if both ways are equally likely (exact sign test).

    NaN where nobody goes either way.

    Examples
    --------
    >>> round(direction_p_value(17, 6), 3), direction_p_value(1, 1)
    (0.035, 1.0)
    """
    if not one_way + other_way:
        return math.nan
    return float(stats.binomtest(one_way, one_way + other_way).pvalue)


def holm(p_values: Sequence[float]) -> list[float]:
    """P-values made stricter for being many, by Holm's method; NaN stays and does not count.

    Examples
    --------
    >>> holm([0.01, math.nan, 0.04])
    [0.02, nan, 0.04]
    """
    places = [place for place, p_value in enumerate(p_values) if not math.isnan(p_value)]
    adjusted = [math.nan] * len(p_values)
    highest = 0.0
    for rank, place in enumerate(sorted(places, key=lambda place: p_values[place])):
        highest = max(highest, min(1.0, (len(places) - rank) * p_values[place]))
        adjusted[place] = highest
    return adjusted


@cache
def _z(level: float) -> float:
    return float(stats.norm.ppf((1 + level) / 2))
