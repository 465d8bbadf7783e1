"""Labelled rows that rules are held against, as one set of bits for each branch."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import and_
from typing import Any

import numpy as np

from glocalx.extraction.encoding import Expanded
from glocalx.extraction.local_tree import Labels
from glocalx.rules.branches import Branch
from glocalx.rules.coverage import Bits, bits_of

_REMEMBERED = 20_000  # branches; 25 MB for a background of 10,000 records


class Evidence:
    """Rows and their labels: the neighbours of one record, or the background of all.

    Parameters
    ----------
    rows
        Expanded codes.
    labels
        One per row, as a place among the outcomes.
    """

    def __init__(self, rows: Expanded, labels: Labels) -> None:
        self.rows, self.labels = rows, labels
        self.everything: Bits = (1 << len(rows)) - 1
        self._columns = np.ascontiguousarray(rows.T)
        self._having: dict[int, Bits] = {}
        self._branches: dict[Branch, Bits] = {}

    def having(self, label: int) -> Bits:
        """The rows with this label."""
        bits = self._having.get(label)
        if bits is None:
            bits = self._having[label] = bits_of(self.labels == label)
        return bits

    def on(self, branch: Branch) -> Bits:
        """The rows that take this branch; remembered, as the rules of records share many."""
        bits = self._branches.get(branch)
        if bits is None:
            if len(self._branches) >= _REMEMBERED:
                self._branches.clear()
            low = self._columns[branch.column] <= branch.cut
            bits = self._branches[branch] = bits_of(low if branch.below else ~low)
        return bits

    def inside(self, branches: Iterable[Branch]) -> Bits:
        """The rows that take all of these branches."""
        return reduce(and_, map(self.on, branches), self.everything)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_branches": {}}


def quantile_cuts(evidence: Evidence, most: int) -> list[tuple[int, ...]]:
    """For each column at most `most` cuts, with about as many rows between any two."""
    size = len(evidence.rows)
    if not size:
        return [() for _ in range(evidence.rows.shape[1])]
    places = np.arange(1, most + 1) * size // (most + 1)
    ordered = np.sort(evidence.rows, axis=0).astype(int)
    return [
        tuple(sorted({cut for cut in column[places].tolist() if cut < column[-1]} | {column[0]}))
        if column[0] < column[-1]
        else ()
        for column in ordered.T
    ]
