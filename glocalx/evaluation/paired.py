"""Two theories on the same records: which one agrees more, and could that be chance?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.stats import binomtest

from glocalx.errors import GLocalXError
from glocalx.evaluation.bootstrap import Bounds, share_intervals
from glocalx.rules.coverage import BoolArray


@dataclass(frozen=True, slots=True)
class PairedComparison:
    """Two theories, held against the same labels; only records on which they differ count.

    Parameters
    ----------
    both, only_first, only_second, neither
        Records where both theories, one alone, or none of them gives the label.
    exact_p
        McNemar's exact test: how likely so uneven a share of `only_first` and `only_second`, or a
        more uneven one, is if neither theory is better. Below 0.05 it is hardly chance; above it
        nothing is shown. 1 where the theories never differ.
    difference
        Share of the first minus share of the second: above 0, the first agrees more.
    difference_interval
        Percentile bootstrap interval of the difference.
    """

    both: int
    only_first: int
    only_second: int
    neither: int
    exact_p: float
    difference: float
    difference_interval: Bounds


def mcnemar(first: BoolArray, second: BoolArray) -> PairedComparison:
    """McNemar's test on two series of hits and misses.

    `first`, `second`: whether each theory gave the label (of the black box, or the true one) of
    each record.

    Examples
    --------
    >>> hits = np.array([True] * 8 + [False] * 2)
    >>> mcnemar(hits, ~hits).exact_p
    0.109375
    """
    if len(first) != len(second):
        raise GLocalXError(
            f"The two theories were asked about {len(first):,} and {len(second):,} records. "
            "Ask both about the same records."
        )
    intervals = share_intervals(first, second)
    assert intervals.difference is not None  # there are two series
    return PairedComparison(
        both=int(np.sum(first & second)),
        only_first=int(np.sum(first & ~second)),
        only_second=int(np.sum(second & ~first)),
        neither=int(np.sum(~first & ~second)),
        exact_p=exact_p(first, second),
        difference=float(first.mean() - second.mean()),
        difference_interval=intervals.difference,
    )


def exact_p(first: BoolArray, second: BoolArray) -> float:
    """McNemar's exact test alone; 1 where the two never differ."""
    only_first, differing = int(np.sum(first & ~second)), int(np.sum(first != second))
    return float(binomtest(only_first, differing).pvalue) if differing else 1.0
