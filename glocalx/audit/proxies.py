"""How much a column tells about a sensitive one: measured and shown, not asserted."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy.stats import contingency

from glocalx.audit.axis import Axis
from glocalx.audit.source import Source
from glocalx.audit.tally import Tally

CLOSE = 0.3
"""From this strength on a column is called a close proxy."""

TENTHS = 10


@dataclass(frozen=True, slots=True)
class Association:
    """What one column tells about a sensitive one.

    Parameters
    ----------
    column, sensitive
        The two columns.
    measure
        Cramér's V between categories; the correlation ratio between a number and categories, or
        between two numbers, of which the first is cut into tenths.
    strength
        From 0, nothing, to 1, everything; NaN where one of the two never varies.
    information
        Mutual information in bits, numbers being cut into tenths (the first) or into the
        groups of the audit (the sensitive one).
    share_known
        That information as a share of all there is to know about the sensitive groups.
    records
        How many have both values.
    """

    column: str
    sensitive: str
    measure: Literal["Cramér’s V", "correlation ratio"]
    strength: float
    information: float
    share_known: float
    records: int

    def is_close(self, threshold: float = CLOSE) -> bool:
        """Whether the strength reaches the threshold."""
        return self.strength >= threshold


def associations(
    source: Source, columns: Sequence[str], sensitive: Sequence[Axis]
) -> tuple[Association, ...]:
    """How much every column tells about every sensitive one, except about itself."""
    found = []
    for column in columns:
        others = [axis for axis in sensitive if axis.name != column]
        if not others:
            continue
        axes = [source.axis(column, parts=TENTHS), *others]
        numbers = [axis.name for axis in axes if not axis.feature.is_categorical]
        tally = source.tally((), axes, labels=False, numbers=numbers)
        found += [_association(tally, place) for place in range(1, len(axes))]
    return tuple(found)


def _association(tally: Tally, place: int) -> Association:
    """What the first axis of a tally tells about another."""
    axis, sensitive = tally.axes[0], tally.axes[place]
    table = _crossed(tally, place)
    information, entropy = _information(table)
    both = axis.feature.is_categorical and sensitive.feature.is_categorical
    if both:
        strength = cramers_v(table)
    elif sensitive.feature.is_categorical:
        strength = _ratio(tally, by=place, number=axis.name)
    else:
        strength = _ratio(tally, by=0, number=sensitive.name)
    return Association(
        axis.name,
        sensitive.name,
        "Cramér’s V" if both else "correlation ratio",
        strength,
        information,
        information / entropy if entropy > 0 else math.nan,
        int(table.sum()),
    )


def cramers_v(table: npt.NDArray[np.int64]) -> float:
    """Cramér's V of a table of counts, without its empty lines; NaN where one is left."""
    kept = table[table.any(axis=1)][:, table.any(axis=0)]
    if min(kept.shape) < 2:
        return math.nan
    return float(contingency.association(kept, method="cramer"))


def _crossed(tally: Tally, place: int) -> npt.NDArray[np.int64]:
    """How many records are in both groups, over the records that have both values."""
    codes = tally.groups[:, [0, place]]
    known = (codes >= 0).all(axis=1)
    sizes = len(tally.axes[0].groups), len(tally.axes[place].groups)
    table = np.zeros(sizes, dtype=np.int64)
    np.add.at(table, tuple(codes[known].T), tally.count[known])
    return table


def _information(table: npt.NDArray[np.int64]) -> tuple[float, float]:
    """Mutual information, and the entropy of the second column, in bits."""
    total = table.sum()
    if not total:
        return math.nan, math.nan
    joint = table / total
    rows, columns = joint.sum(axis=1), joint.sum(axis=0)
    entropy = _entropy(columns)
    return max(0.0, _entropy(rows) + entropy - _entropy(joint)), entropy


def _entropy(shares: npt.NDArray[np.float64]) -> float:
    positive = shares[shares > 0]
    return float(-(positive * np.log2(positive)).sum())


def _ratio(tally: Tally, by: int, number: str) -> float:
    """The correlation ratio: the root of the share of a number's variance between groups.

    Corrected for what chance alone gives (epsilon squared): with ten groups and ninety records the
    plain ratio of unrelated columns is 0.3.
    """
    moments = tally.moments[number]
    known = (tally.groups[:, by] >= 0) & (moments.known > 0)
    if not known.any():
        return math.nan
    codes = tally.groups[known, by]
    weight, mean = moments.known[known].astype(float), moments.mean[known]
    around = mean - float((weight * mean).sum() / weight.sum())
    size = np.bincount(codes, weight)
    sums = np.bincount(codes, weight * around)
    between = float((sums[size > 0] ** 2 / size[size > 0]).sum())
    whole = float((moments.squares[known] + weight * around**2).sum())
    records, groups = float(weight.sum()), int((size > 0).sum())
    if whole <= 0 or records <= groups:
        return math.nan
    share = 1 - (1 - min(1.0, between / whole)) * (records - 1) / (records - groups)
    return math.sqrt(max(share, 0.0))
