"""The columns that trees are grown on, the ways down a tree, and the premises that these make."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from glocalx.rules.codes import OneHot
from glocalx.rules.rule import Categories, Interval, Premise
from glocalx.rules.schema import Feature, Schema


class Branch(NamedTuple):
    """One turn on the way down a tree: the column is at most the cut if `below`, else above it.

    The column of a category holds 1 where the record has it, so that `below` with any cut from 0
    up to 1 reads "is not this category".
    """

    column: int
    cut: float
    below: bool


class TreeColumns:
    """The columns that trees are grown on; of two categories one says it all.

    A number that some records lack has two columns: in the first a missing one lies below every
    number, in the second above. So one branch can say of a number that it is at most some bound,
    or above it, either with missing ones or without, that it is missing, and that it is not. A
    missing category is one more category.

    Parameters
    ----------
    seen
        For each feature the codes of the categories that occur; by default all of its domain.
    gaps
        For each feature whether some record lacks it; by default what the schema says.
    """

    def __init__(
        self,
        schema: Schema,
        seen: Sequence[Sequence[int]] | None = None,
        gaps: Sequence[bool] | None = None,
    ) -> None:
        self.schema = schema
        self.gaps = tuple(gaps or (feature.gaps for feature in schema.features))
        known = seen or [range(len(feature.categories)) for feature in schema.features]
        shown: list[Sequence[int] | None] = []
        columns: list[tuple[int, bool]] = []
        for place, feature in enumerate(schema.features):
            lacking = self.gaps[place]
            codes = _shown(feature, known[place], lacking)
            for missing_above in (False, True) if codes is None and lacking else (False,):
                shown.append(codes)
                columns.append((place, missing_above))
        self._one_hot = OneHot(shown)
        self._inputs = tuple(columns)

    def feature_of(self, branch: Branch) -> int:
        """The place of the feature that a branch speaks of."""
        return self._inputs[self._one_hot.columns[branch.column][0]][0]

    def matrix(
        self, values: Sequence[npt.NDArray[Any] | tuple[npt.NDArray[Any], ...]], size: int
    ) -> npt.NDArray[np.float32]:
        """One row for each of `size` records.

        `values`: for each feature its codes, a missing one after all others, or its numbers; of a
        number with gaps both columns.
        """
        inputs = [
            each for given in values for each in (given if isinstance(given, tuple) else (given,))
        ]
        return self._one_hot.matrix(inputs, size)

    def premises(
        self, branches: Iterable[Branch], first_above: Callable[[int, float], float]
    ) -> dict[str, Premise]:
        """What branches say together, one premise for each feature that they speak of.

        `first_above`: for the place of a feature and a cut: the first number on the far side of it;
        infinite where all numbers lie on one side.
        """
        premises: dict[str, Premise] = {}
        for branch in branches:
            column, code = self._one_hot.columns[branch.column]
            place, missing_above = self._inputs[column]
            feature, lacking = self.schema.features[place], self.gaps[place]
            premise: Premise
            if code is None:
                edge = first_above(place, branch.cut)
                low, high = (-math.inf, edge) if branch.below else (edge, math.inf)
                missing = lacking and branch.below != missing_above
                premise = feature.interval(low, high, missing)
            else:
                chosen = frozenset(feature.categories[code : code + 1])  # none: it is missing
                allowed = feature.domain - chosen if branch.below else chosen
                premise = feature.allowed(allowed, lacking and branch.below == bool(chosen))
            premises[feature.name] = both(premises.get(feature.name), premise)
        return premises


def _shown(feature: Feature, codes: Sequence[int], lacking: bool) -> Sequence[int] | None:
    if not feature.is_categorical:
        return None
    if lacking:
        codes = [*codes, len(feature.categories)]
    return codes[1:] if len(codes) == 2 else codes


def iter_ways(
    left: Sequence[int], right: Sequence[int], column: Sequence[int], cut: Sequence[float]
) -> Iterator[tuple[int, tuple[Branch, ...]]]:
    """Every leaf of a tree and the way to it, from left to right.

    `left`, `right`, `column`, `cut`: for each node where its branches lead, −1 for a leaf, and what
    parts them; as the trees of scikit-learn are kept.
    """
    waiting: list[tuple[int, tuple[Branch, ...]]] = [(0, ())]
    while waiting:
        node, way = waiting.pop()
        if left[node] < 0:
            yield node, way
            continue
        for child, below in ((right[node], False), (left[node], True)):
            waiting.append((child, (*way, Branch(column[node], cut[node], below))))


def both(first: Premise | None, second: Premise) -> Premise:
    """What satisfies both premises on one feature; refused where nothing does.

    Examples
    --------
    >>> both(Interval(0, 5), Interval(3, 9))
    Interval(low=3, high=5, missing=False)
    """
    if first is None:
        return second
    missing = first.missing and second.missing
    match first, second:
        case Interval(), Interval():
            low, high = max(first.low, second.low), min(first.high, second.high)
            return Interval(low, high, missing, first.gaps)
        case Categories(), Categories():
            return Categories(first.values & second.values, first.domain, missing, first.gaps)
    return second


_MOST_DIGITS = 17  # of a 64-bit number


def shortest_between(below: float, above: float) -> float:
    """The number with the fewest digits above one value and not above the next.

    It is looked for around their middle. `x >= number` tells the two values apart.

    Examples
    --------
    >>> shortest_between(3561.9, 3600.0), shortest_between(0.31, 0.3174), shortest_between(3.1, 3.2)
    (3600.0, 0.314, 3.2)
    """
    middle = below / 2 + above / 2
    for digits in range(_MOST_DIGITS):
        nearest = float(f"{middle:.{digits}e}")
        unit = float(f"1e{f'{middle:e}'.split('e')[1]}") * 10.0**-digits
        for number in (nearest, float(f"{nearest + unit:.{digits}e}")):
            if below < number <= above:
                return number
    return above
