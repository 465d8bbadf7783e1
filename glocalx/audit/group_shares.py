"""Which rule falls on whom: the share of each group that each rule covers or decides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from glocalx.audit.grouping import find_groups
from glocalx.audit.tally import Tally


@dataclass(frozen=True, slots=True, eq=False)
class GroupShares:
    """What each rule means for each group.

    Parameters
    ----------
    columns, sections, groups, sizes
        One of each for every group: the column, what people call it, the group, its records.
    shares
        Groups by rules: the share of the group; NaN for nobody.
    overall
        For each rule its share of everyone.
    """

    columns: tuple[str, ...]
    sections: tuple[str, ...]
    groups: tuple[str, ...]
    sizes: tuple[int, ...]
    shares: npt.NDArray[np.float64]
    overall: npt.NDArray[np.float64]


def group_shares(tally: Tally, counting: Literal["covered", "decided"] = "covered") -> GroupShares:
    """For each group of each column the share that each rule covers, or decides."""
    deciding = tally.deciding()[:, None] == np.arange(len(tally.rules))
    hits = tally.covers if counting == "covered" else deciding
    weighted = hits * tally.count[:, None]
    found = [(axis, group) for axis in tally.axes for group in find_groups(tally, [axis.name])]
    shares = [
        weighted[group.cells].sum(axis=0) / group.size
        if group.size
        else np.full(len(tally.rules), np.nan)
        for _, group in found
    ]
    return GroupShares(
        tuple(axis.name for axis, _ in found),
        tuple(axis.title for axis, _ in found),
        tuple(group.title for _, group in found),
        tuple(group.size for _, group in found),
        np.array(shares, dtype=float).reshape(len(found), len(tally.rules)),
        weighted.sum(axis=0) / max(tally.size, 1),
    )


def leaning(shares: npt.ArrayLike, overall: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """How far a share lies from that of everyone: −2 a quarter, 0 the same, +2 four times.

    Both are raised by two points first, so that rules that hardly anyone meets stay near 0.

    Examples
    --------
    >>> leaning([0.2, 0.4, 0.0], [0.2, 0.1, 0.5]).tolist()
    [0.0, 1.8073549220576042, -2.0]
    """
    ratio = np.log2((np.asarray(shares) + 0.02) / (np.asarray(overall) + 0.02))
    return np.clip(ratio, -2, 2)
