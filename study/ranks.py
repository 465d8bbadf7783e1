"""Several methods on several tables: do their ranks differ, and which ones from which?

The Friedman test asks whether all methods could be equally good; if not, Nemenyi's critical
difference tells how far apart two mean ranks must be to count.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt
from scipy.stats import chi2, rankdata, studentized_range

from glocalx.errors import GLocalXError
from glocalx.words.phrases import listing, shown


@dataclass(frozen=True, slots=True)
class RankedPair:
    """Two methods, the better one first.

    Parameters
    ----------
    apart
        How far apart their mean ranks are.
    p
        Nemenyi's test: how likely mean ranks so far apart, or further, are among so many equally
        good methods.
    differ
        Whether they are at least the critical difference apart.
    """

    better: str
    worse: str
    apart: float
    p: float
    differ: bool


@dataclass(frozen=True, slots=True)
class RankTest:
    """What the ranks of methods over several tables say.

    Parameters
    ----------
    ranks
        The mean rank of each method, best first; 1 means best on every table. Methods that are
        level on a table share the mean of their ranks.
    tables
        How many tables (pairs of data set and black box) there were.
    statistic, p
        Friedman's chi², corrected for ties, and how likely so large a value is if all methods are
        equally good. The distribution is a good approximation from some 10 tables on.
    critical_difference
        Nemenyi: mean ranks at least so far apart differ at the level `significance`. Look at it
        only where `p` is below that level.
    """

    ranks: Mapping[str, float]
    tables: int
    statistic: float
    p: float
    significance: float
    critical_difference: float

    def pairs(self) -> tuple[RankedPair, ...]:
        """Every two methods, in the order of their ranks."""
        count = len(self.ranks)
        unit = math.sqrt(count * (count + 1) / (6 * self.tables))
        made = []
        for better, worse in combinations(self.ranks, 2):
            apart = self.ranks[worse] - self.ranks[better]
            p = float(studentized_range.sf(apart / unit * math.sqrt(2), count, math.inf))
            made.append(RankedPair(better, worse, apart, p, apart >= self.critical_difference))
        return tuple(made)


def friedman(
    scores: Mapping[str, Sequence[float]],
    *,
    higher_is_better: bool = True,
    significance: float = 0.05,
) -> RankTest:
    """Compare methods over tables by their ranks.

    Parameters
    ----------
    scores
        For each method one score for each table, in the same order of tables.
    higher_is_better
        True for fidelity; False for size and length.
    significance
        The level of the critical difference.

    Examples
    --------
    >>> scores = {"tree": [0.8, 0.7, 0.9], "rules": [0.9, 0.8, 1.0], "none": [0.5, 0.6, 0.7]}
    >>> test = friedman(scores)
    >>> test.ranks
    {'rules': 1.0, 'tree': 2.0, 'none': 3.0}
    >>> round(test.statistic, 3), round(test.p, 4)
    (6.0, 0.0498)
    """
    matrix = _matrix(scores, significance)
    tables, methods = matrix.shape
    ranked = rankdata(-matrix if higher_is_better else matrix, axis=1)
    means = ranked.mean(axis=0)
    statistic = _statistic(ranked)
    quantile = float(studentized_range.ppf(1 - significance, methods, math.inf))
    order = sorted(zip(means.tolist(), scores, strict=True), key=lambda pair: pair[0])
    return RankTest(
        ranks={name: rank for rank, name in order},
        tables=tables,
        statistic=statistic,
        p=float(chi2.sf(statistic, methods - 1)),
        significance=significance,
        critical_difference=quantile
        / math.sqrt(2)
        * math.sqrt(methods * (methods + 1) / (6 * tables)),
    )


def _statistic(ranked: npt.NDArray[np.float64]) -> float:
    """Friedman's chi² of ranks, one row for each table; 0 where all methods are always level."""
    tables, methods = ranked.shape
    spread = float(((ranked - (methods + 1) / 2) ** 2).sum())
    if not spread:
        return 0.0
    between = float(((ranked.mean(axis=0) - (methods + 1) / 2) ** 2).sum())
    return float(tables**2 * (methods - 1) * between / spread)


def _matrix(scores: Mapping[str, Sequence[float]], significance: float) -> npt.NDArray[np.float64]:
    if not 0 < significance < 1:
        raise GLocalXError(f"A level of {significance} cannot be. Give one between 0 and 1.")
    if len(scores) < 2:
        raise GLocalXError(
            f"Ranks need at least 2 methods, and there is {listing(scores) or 'none'}. Add one."
        )
    tables = {len(column) for column in scores.values()}
    if len(tables) > 1 or tables == {0}:
        raise GLocalXError(
            f"The methods {listing(scores)} were not all measured on the same tables. Give each "
            "one score for each table."
        )
    for name, column in scores.items():
        if not np.isfinite(np.asarray(column, dtype=float)).all():
            raise GLocalXError(
                f"A score of {shown(name)} is missing. Leave the table or the method out."
            )
    return np.column_stack([np.asarray(column, dtype=float) for column in scores.values()])
