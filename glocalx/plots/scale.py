"""From values to places: round numbers along an axis, days, heights of bars."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from glocalx.words.figures import day_text

MOST_TICKS, DATES = 6, 3
ROOT_ABOVE = 0.4
"""Where one bar holds more than this share, heights are square roots, or the rest is not seen."""


@dataclass(frozen=True, slots=True)
class Scale:
    """Numbers from `low` to `high`, as shares of the way."""

    low: float
    high: float

    @classmethod
    def over(cls, values: Iterable[float], steps: int = 5) -> tuple[Scale, list[float]]:
        """The least scale that holds all values between round numbers, and these numbers.

        Examples
        --------
        >>> Scale.over([-0.12, 0.21])[1]
        [-0.2, -0.1, 0.0, 0.1, 0.2, 0.3]
        """
        known = [value for value in values if math.isfinite(value)] or [0.0, 1.0]
        low, high = min(known), max(known)
        span = max(high - low, 1e-6 * max(abs(low), abs(high))) or 0.1
        step = _round_step(span / steps)
        first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
        ticks = [float(f"{k * step:.12g}") for k in range(first, max(last, first + 1) + 1)]
        return cls(ticks[0], ticks[-1]), ticks

    def place(self, value: float) -> float:
        return (value - self.low) / ((self.high - self.low) or 1)

    def ticks(self, most: int, *, whole: bool = False) -> list[float]:
        """At most so many round numbers, evenly apart.

        Examples
        --------
        >>> Scale(0, 97).ticks(6), Scale(0, 2).ticks(6, whole=True)
        ([0.0, 20.0, 40.0, 60.0, 80.0], [0.0, 1.0, 2.0])
        """
        step = _round_step((self.high - self.low) / most)
        if whole:
            step = max(step, 1.0)
        first, last = math.ceil(self.low / step), math.floor(self.high / step)
        if last - first + 1 > most:
            return self.ticks(most - 1, whole=whole)
        return [round(place * step, 10) for place in range(first, last + 1)]


def _round_step(least: float) -> float:
    """The next of 1, 2, 5, 10, 20, …, or of their fractions."""
    if not least > 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(least))
    return next(power * digit for digit in (1, 2, 5, 10, 20) if power * digit >= least * (1 - 1e-9))


def said_ticks(
    low: float, high: float, say: Callable[[float], str], *, whole: bool, dates: bool
) -> list[tuple[float, str]]:
    """A few round numbers, or days, between two, with their texts."""
    if not dates:
        return [(tick, say(tick)) for tick in Scale(low, high).ticks(MOST_TICKS, whole=whole)]
    days = np.unique(np.linspace(low, high, DATES + 2)[1:-1].round()).tolist()
    return [(day, day_text(day)) for day in days]


def bar_heights(counts: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.float64], bool]:
    """Heights from 0 to 1, and whether they are square roots."""
    total, most = int(counts.sum()), int(counts.max(initial=0))
    if not most:
        return np.zeros(counts.size), False
    rooted = most > ROOT_ABOVE * total and np.count_nonzero(counts) > 2
    heights = counts / most
    return np.sqrt(heights) if rooted else heights, bool(rooted)
