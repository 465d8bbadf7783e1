"""What would have to be different: the leaves with another label that a record nearly reaches.

A gap is never a change: nobody is told to withhold a value. Where a record lacks one, a change may
give it one: of the numbers that are allowed, that nearest to the middle of the background.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from glocalx.extraction.encoding import Encoding, Expanded
from glocalx.extraction.local_rule import Counterfactual
from glocalx.extraction.local_tree import Leaf, LocalTree
from glocalx.rules.branches import Branch
from glocalx.rules.codes import Codes
from glocalx.rules.rule import Categories
from glocalx.rules.what_if import ValueChange

Frequencies: TypeAlias = Sequence[npt.NDArray[np.intp]]
"""For each feature how often each code occurs in the background."""


@dataclass(frozen=True, slots=True)
class Alternative:
    """A leaf with another label, and the record changed as little as gets it there."""

    branches: tuple[Branch, ...]
    label: int
    changed: dict[int, int]  # place of a feature: its new code

    def applied(self, record: Codes) -> Codes:
        """The record with the changes."""
        codes = record.copy()
        codes[list(self.changed)] = list(self.changed.values())
        return codes

    def told(self, encoding: Encoding, record: Codes, confirmed: bool) -> Counterfactual:
        """The same in the words of the schema."""
        outcomes, names = encoding.schema.outcomes, encoding.schema.names
        changes = tuple(
            ValueChange(
                names[place],
                encoding.value(place, int(record[place])),
                encoding.value(place, code),
            )
            for place, code in sorted(self.changed.items())
        )
        return Counterfactual(
            encoding.rule(self.branches, outcomes[self.label]), changes, confirmed
        )


class Alternatives:
    """Finds the nearest leaves with another label.

    `frequencies`: of the background, to change a category to the commonest one that is allowed.
    """

    def __init__(self, encoding: Encoding, frequencies: Frequencies) -> None:
        self._encoding = encoding
        self._frequencies = frequencies

    def nearest(
        self,
        tree: LocalTree,
        record: Codes,
        expanded: Expanded,
        label: int,
        most: int,
    ) -> list[Alternative]:
        """At most `most` leaves, fewest features to change first, then most rows in the leaf."""
        codes = expanded.tolist()
        missed: list[tuple[int, int, int, Leaf, set[int]]] = []
        for leaf in (leaf for leaf in tree.leaves() if leaf.label != label):
            failed = {self._encoding.feature_of(b) for b in leaf.branches if not _takes(codes, b)}
            if failed:
                missed.append((len(failed), -leaf.rows, len(missed), leaf, failed))
        found = (self._alternative(leaf, failed, record) for *_, leaf, failed in sorted(missed))
        return list(islice((each for each in found if each is not None), most))

    def _alternative(self, leaf: Leaf, failed: set[int], record: Codes) -> Alternative | None:
        """The leaf with the changes that lead there; None where only a gap would.

        `failed`: the places of the features on which the record leaves the way to it.
        """
        branches = leaf.branches
        changed: dict[int, int] = {}
        for place in failed:
            asked = [b for b in branches if self._encoding.feature_of(b) == place]
            code = self._moved(place, int(record[place]), asked)
            if code is None:
                return None
            changed[place] = code
        return Alternative(branches, leaf.label, changed)

    def _moved(self, place: int, code: int, branches: list[Branch]) -> int | None:
        """The nearest code that takes all the branches, for categories the commonest."""
        feature = self._encoding.schema.features[place]
        if not feature.is_categorical:
            gap = int(self._encoding.gap_codes[place])
            last = len(self._encoding.values[place]) - (2 if gap >= 0 else 1)
            lowest = max((int(b.cut) + 1 for b in branches if not b.below), default=0)
            highest = min((int(b.cut) for b in branches if b.below), default=last)
            start = self._middle(place, gap) if code == gap else code
            return min(max(start, lowest), highest) if lowest <= min(highest, last) else None
        premise = self._encoding.premises(branches)[feature.name]
        assert isinstance(premise, Categories)
        allowed = [code for code, name in enumerate(feature.categories) if name in premise]
        counts = self._frequencies[place]
        return max(allowed, key=lambda each: (int(counts[each]), -each), default=None)

    def _middle(self, place: int, gap: int) -> int:
        """The median code of the background records that have a value."""
        upto = np.cumsum(self._frequencies[place][:gap])
        return int(np.searchsorted(upto, upto[-1] / 2))


def _takes(codes: list[float], branch: Branch) -> bool:
    return (codes[branch.column] <= branch.cut) == branch.below
