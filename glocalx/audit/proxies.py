"""How much a column tells about a sensitive one: measured and shown, not asserted."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from glocalx.audit.axis import Axis
from glocalx.audit.source import Source
from glocalx.audit.tally import Tally, squared_deviation

CLOSE = 0.3
"""From this strength on a column is called a close proxy."""

TENTHS = 10
MOST_CELLS = 10_000
"""So many cells at most, where columns are counted in one pass over the records."""


@dataclass(frozen=True, slots=True)
class Association:
    """What one column tells about a sensitive one.

    Parameters
    ----------
    column, sensitive
        The two columns.
    measure
        Cramér's V between categories; the correlation ratio between a number and categories, or
        between two numbers, of which the first is cut into tenths. Both are corrected for what
        chance alone gives in few records.
    strength
        From 0, nothing, to 1, everything; NaN where one of the two never varies, or every record
        has a group to itself.
    information
        Mutual information in bits, numbers being cut into tenths (the first) or into the
        groups of the audit (the sensitive one). Not corrected: a little above 0 by chance.
    share_known
        That information as a share of all there is to know about the sensitive groups.
    records
        How many have both values.
    """

    column: str
    sensitive: str
    measure: Literal["corrected Cramér’s V", "corrected correlation ratio"]
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
    wanted = [name for name in columns if any(axis.name != name for axis in sensitive)]
    found: dict[str, list[Association]] = {}
    for together in _one_pass([source.axis(name, parts=TENTHS) for name in wanted], sensitive):
        names = [axis.name for axis in together]
        axes = [*together, *(axis for axis in sensitive if axis.name not in names)]
        numbers = [axis.name for axis in axes if not axis.feature.is_categorical]
        tally = source.tally((), axes, labels=False, numbers=numbers)
        places = {axis.name: place for place, axis in enumerate(axes)}
        for own, name in enumerate(names):
            others = [places[axis.name] for axis in sensitive if axis.name != name]
            found[name] = [_association(tally, own, place) for place in others]
    return tuple(each for name in wanted for each in found[name])


def _one_pass(columns: Sequence[Axis], sensitive: Sequence[Axis]) -> Iterator[list[Axis]]:
    """Columns that are counted together: a number alone, categories as far as cells stay few."""
    known = {axis.name for axis in sensitive}
    least = math.prod(len(axis.groups) + 1 for axis in sensitive)
    together, cells = list[Axis](), least
    for axis in columns:
        if not axis.feature.is_categorical:
            yield [axis]
            continue
        more = 1 if axis.name in known else len(axis.groups) + 1
        if together and cells * more > MOST_CELLS:
            yield together
            together, cells = [], least
        together.append(axis)
        cells *= more
    if together:
        yield together


def _association(tally: Tally, own: int, place: int) -> Association:
    """What one axis of a tally tells about another."""
    axis, sensitive = tally.axes[own], tally.axes[place]
    table = _crossed(tally, own, place)
    information, entropy = _information(table)
    both = axis.feature.is_categorical and sensitive.feature.is_categorical
    if both:
        strength = cramers_v(table)
    elif sensitive.feature.is_categorical:
        strength = _ratio(tally, by=place, number=axis.name)
    else:
        strength = _ratio(tally, by=own, number=sensitive.name)
    return Association(
        axis.name,
        sensitive.name,
        "corrected Cramér’s V" if both else "corrected correlation ratio",
        strength,
        information,
        information / entropy if entropy > 0 else math.nan,
        int(table.sum()),
    )


def cramers_v(table: npt.NDArray[np.int64]) -> float:
    """Cramér's V of a table of counts, corrected for chance (Bergsma 2013); its empty lines go.

    NaN where one line is left, or every record has a line to itself. Unrelated columns of four
    and five categories have a plain V of about 0.2 in a hundred records, and 0 here.

    Examples
    --------
    >>> round(cramers_v(np.array([[10, 2], [3, 9]])), 3), cramers_v(np.array([[5, 5], [5, 5]]))
    (0.559, 0.0)
    """
    kept = table[table.any(axis=1)][:, table.any(axis=0)]
    records, (rows, columns) = int(kept.sum()), kept.shape
    if min(rows, columns) < 2 or max(rows, columns) >= records:
        return math.nan
    lone = np.outer(kept.sum(axis=1), kept.sum(axis=0)).astype(float)
    found = float((kept.astype(float) ** 2 / lone).sum()) - 1  # χ² / records
    by_chance = (rows - 1) * (columns - 1) / (records - 1)
    most = min((lines - 1) * (records - lines) / (records - 1) for lines in (rows, columns))
    return math.sqrt(max(0.0, found - by_chance) / most)


def _crossed(tally: Tally, own: int, place: int) -> npt.NDArray[np.int64]:
    """How many records are in both groups, over the records that have both values."""
    codes = tally.groups[:, [own, place]]
    known = (codes >= 0).all(axis=1)
    sizes = len(tally.axes[own].groups), len(tally.axes[place].groups)
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
    middle = float((weight * mean).sum() / weight.sum())
    size = np.bincount(codes, weight)
    sums = np.bincount(codes, weight * (mean - middle))
    between = float((sums[size > 0] ** 2 / size[size > 0]).sum())
    whole = squared_deviation(moments.known[known], mean, moments.squares[known], middle)
    records, groups = float(weight.sum()), int((size > 0).sum())
    if whole <= 0 or groups < 2 or records <= groups:
        return math.nan
    share = 1 - (1 - min(1.0, between / whole)) * (records - 1) / (records - groups)
    return math.sqrt(max(share, 0.0))
