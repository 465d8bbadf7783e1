"""From the branches around a record to its rule.

Neighbours say where the black box changes its mind close to a record; they do not say how many
real records live there. The *background* (real records that the black box labelled once, for all
rules together) does. So the rule is put together from the branches of the tree and from cuts at
quantiles of the background, one after the other, each time the one with the largest FOIL gain on
both; it is done when the demands of both are met; then what it can do without is taken away.
Compared with the path of the tree as it stands, such rules are shorter, cover more and are right
more often on records that nobody has seen, and no further question is asked.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import accumulate
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

    `labels`: one per row, as a place among the outcomes.
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


_LONGEST = 12  # branches; a rule of more would not be read


@dataclass(frozen=True, slots=True)
class Demands:
    """How right a rule must be.

    Parameters
    ----------
    background
        Laplace accuracy on the background records that it covers.
    neighbours
        Precision on the neighbours that it covers.
    outcomes
        Number of outcomes, for Laplace.
    """

    background: float
    neighbours: float
    outcomes: int

    def met_by_background(self, covered: Bits, right: Bits) -> bool:
        agreed = (covered & right).bit_count()
        return agreed + 1 >= self.background * (covered.bit_count() + self.outcomes)

    def met_by_neighbours(self, covered: Bits, right: Bits) -> bool:
        return (covered & right).bit_count() >= self.neighbours * covered.bit_count()


class Refinement:
    """The search for the rule of one record."""

    def __init__(self, label: int, near: Evidence, real: Evidence, demands: Demands) -> None:
        self._near, self._real, self._demands = near, real, demands
        self._right_near, self._right_real = near.having(label), real.having(label)

    def rule(self, candidates: Sequence[Branch]) -> tuple[Branch, ...]:
        """The branches of the rule, out of these, all of which the record takes."""
        return self.shortened(self.grown(candidates))

    def grown(self, candidates: Sequence[Branch]) -> list[Branch]:
        """Branches with the largest gain, until the demands are met or nothing gains.

        A background with no record of another label inside has no more to say; it may be too
        small to meet a demand on Laplace accuracy.
        """
        kept: list[Branch] = []
        near, real = self._near.everything, self._real.everything
        while len(kept) < _LONGEST:
            near_is_met = self._demands.met_by_neighbours(near, self._right_near)
            real_is_met = not real & ~self._right_real or self._demands.met_by_background(
                real, self._right_real
            )
            if near_is_met and real_is_met:
                break
            best = self._best(candidates, None if near_is_met else near, real)
            if best is None:
                break
            kept.append(best)
            near, real = near & self._near.on(best), real & self._real.on(best)
        return kept

    def _best(self, candidates: Sequence[Branch], near: Bits | None, real: Bits) -> Branch | None:
        """The branch with the largest gain; neighbours that are content are not asked."""
        best, most = None, 1e-9
        gain_real = _Gain(real, self._right_real)
        gain_near = _Gain(near, self._right_near) if near is not None else None
        for branch in candidates:
            gain = gain_real.by(self._real.on(branch))
            if gain_near:
                gain += gain_near.by(self._near.on(branch))
            if gain > most:
                best, most = branch, gain
        return best

    def shortened(self, branches: Sequence[Branch]) -> tuple[Branch, ...]:
        """Without the branches that can go, each time the one whose loss widens the rule most.

        A branch can go while the demands are met; where too few background records are left to
        meet theirs, while no record of another label comes in.
        """
        kept = list(dict.fromkeys(branches))
        wrong = self._real.inside(kept) & ~self._right_real
        while kept:
            near = _without_each([self._near.on(each) for each in kept], self._near.everything)
            real = _without_each([self._real.on(each) for each in kept], self._real.everything)
            widths = [
                (real[place].bit_count(), near[place].bit_count(), -place)
                for place in range(len(kept))
                if self._suffices(near[place], real[place], wrong)
            ]
            if not widths:
                break
            del kept[-max(widths)[2]]
        return tuple(kept)

    def _suffices(self, near: Bits, real: Bits, wrong: Bits) -> bool:
        if not self._demands.met_by_neighbours(near, self._right_near):
            return False
        return real & ~self._right_real == wrong or self._demands.met_by_background(
            real, self._right_real
        )


class _Gain:
    """FOIL gain: right rows kept × growth of the log of precision."""

    __slots__ = ("_covered", "_log", "_right")

    def __init__(self, covered: Bits, right: Bits) -> None:
        self._covered, self._right = covered, covered & right
        agreed = self._right.bit_count()
        self._log = math.log(agreed / covered.bit_count()) if agreed else 0.0

    def by(self, branch: Bits) -> float:
        agreed = (self._right & branch).bit_count()
        if not agreed:
            return 0.0
        return agreed * (math.log(agreed / (self._covered & branch).bit_count()) - self._log)


def _without_each(sets: Sequence[Bits], everything: Bits) -> list[Bits]:
    """For each set, the intersection of all the others."""
    after = list(accumulate(reversed(sets), and_, initial=everything))[-2::-1]
    before = accumulate(sets, and_, initial=everything)
    return [left & right for left, right in zip(before, after, strict=False)]
