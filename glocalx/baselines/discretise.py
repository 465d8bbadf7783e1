"""Numbers cut into intervals where the outcomes change: Fayyad and Irani's entropy method."""

from __future__ import annotations

import math
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Counts: TypeAlias = npt.NDArray[np.int64]
"""How many records have each outcome: one column for each outcome."""


def entropy(counts: npt.NDArray[np.number]) -> npt.NDArray[np.float64]:
    """Entropy in bits of each row of counts; 0 where one outcome has all.

    Examples
    --------
    >>> entropy(np.array([[2, 2], [4, 0]])).tolist()
    [1.0, 0.0]
    """
    totals = counts.sum(axis=-1, keepdims=True)
    shares = counts / np.maximum(totals, 1)
    logs = np.log2(shares, out=np.zeros_like(shares), where=shares > 0)
    return np.asarray(np.abs((shares * logs).sum(axis=-1)))


def cut_points(
    values: npt.NDArray[np.float64], outcomes: npt.NDArray[np.integer], kinds: int
) -> list[float]:
    """Where to cut the numbers of one feature, ascending; none where no cut is worth it.

    The best cut is the one that leaves the least entropy of outcomes; it is made if it saves more
    than it costs to describe (minimum description length), and both sides are cut again.

    Parameters
    ----------
    values, outcomes
        For each record its number and the place of its outcome, of which there are `kinds`.

    Examples
    --------
    >>> numbers, outcomes = np.arange(20.0), np.repeat([0, 1], 10)
    >>> cut_points(numbers, outcomes, 2)
    [9.5]
    """
    distinct, places = np.unique(values, return_inverse=True)
    counts = np.zeros((len(distinct), kinds), dtype=np.int64)
    np.add.at(counts, (places, outcomes), 1)
    found: list[int] = []
    waiting = [(0, len(distinct))]
    while waiting:
        start, end = waiting.pop()
        cut = _best_cut(counts[start:end])
        if cut is not None:
            found.append(start + cut)
            waiting += [(start, start + cut), (start + cut, end)]
    return [_between(distinct[cut - 1], distinct[cut]) for cut in sorted(found)]


def _best_cut(counts: Counts) -> int | None:
    """How many of the distinct values go to the lower side; None if no cut pays."""
    if len(counts) < 2:
        return None
    lower = counts.cumsum(axis=0)[:-1]
    whole = counts.sum(axis=0)
    upper = whole - lower
    size = int(whole.sum())
    left = (entropy(lower) * lower.sum(axis=1) + entropy(upper) * upper.sum(axis=1)) / size
    best = int(np.argmin(left))
    gain = float(entropy(whole) - left[best])
    return best + 1 if gain > _price(whole, lower[best], upper[best]) else None


def _price(whole: Counts, lower: Counts, upper: Counts) -> float:
    """The gain that a cut must exceed."""
    kinds, below, above = (int(np.count_nonzero(each)) for each in (whole, lower, upper))
    size = int(whole.sum())
    parts = below * float(entropy(lower)) + above * float(entropy(upper))
    delta = math.log2(3**kinds - 2) - (kinds * float(entropy(whole)) - parts)
    return (math.log2(size - 1) + delta) / size


def _between(below: float, above: float) -> float:
    middle = float(below / 2 + above / 2)
    return middle if below < middle <= above else float(above)
