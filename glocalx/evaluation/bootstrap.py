"""How far shares would move with other records of the same kind: percentile bootstrap.

Drawing n records with replacement and counting those with a property is a draw from a binomial
distribution, and counting several properties at once one from a multinomial distribution. So
thousands of resamples are one call, and no record is ever copied.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from glocalx.errors import GLocalXError
from glocalx.rules.coverage import BoolArray

RESAMPLES = 5000


class Bounds(NamedTuple):
    """From where to where a value likely lies."""

    low: float
    high: float


class ShareIntervals(NamedTuple):
    """Intervals of two shares on the same records, and of the first minus the second."""

    first: Bounds
    second: Bounds | None
    difference: Bounds | None


Shares: TypeAlias = npt.NDArray[np.float64]


def share_intervals(
    first: BoolArray,
    second: BoolArray | None = None,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> ShareIntervals:
    """Intervals of the share of records with a property, and with a second one.

    Parameters
    ----------
    first, second
        Whether each record has the property. Both are resampled together, record by record, so
        the interval of their difference knows that they go together.
    resamples, seed
        How many, and which.

    Examples
    --------
    >>> share_intervals(np.array([True] * 80 + [False] * 20)).first
    Bounds(low=0.72, high=0.87)
    """
    if resamples < 1:
        raise GLocalXError(f"{resamples} resamples give no interval. Give at least 1.")
    if not len(first):
        raise GLocalXError("There are no records to measure on. Give at least one.")
    other = np.zeros_like(first) if second is None else second
    kinds = np.bincount(2 * first.astype(int) + other, minlength=4)
    generator = np.random.default_rng(seed)
    drawn = generator.multinomial(len(first), kinds / len(first), size=resamples) / len(first)
    one, two = drawn[:, 2] + drawn[:, 3], drawn[:, 1] + drawn[:, 3]
    if second is None:
        return ShareIntervals(_middle(one), None, None)
    return ShareIntervals(_middle(one), _middle(two), _middle(one - two))


def _middle(values: Shares) -> Bounds:
    """The interval that holds the middle 95 % of the resamples."""
    tail = (1 - 0.95) / 2
    low, high = np.quantile(values, [tail, 1 - tail])
    return Bounds(round(float(low), 12), round(float(high), 12))
