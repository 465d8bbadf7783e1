"""Records as the matrix that a tree of scikit-learn takes, and its splits as premises.

Numbers are one column each; a feature with two categories is one column, with more categories
one column each. Trees of scikit-learn see numbers in 32 bits, so the place where a split really
falls among 64-bit numbers is worked out exactly.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from glocalx.rules.coverage import Records
from glocalx.rules.rule import Categories, Interval, Premise, Rule
from glocalx.rules.schema import Feature, Schema

_NUMBER = -1  # in the place of a category: the column holds the number itself


class Turn(NamedTuple):
    """One turn on the way down a tree: the column is at most the threshold, or above it."""

    column: int
    threshold: float
    below: bool


class OneHot:
    """The columns that a tree sees for the features of one schema."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self.columns: tuple[tuple[Feature, int], ...] = tuple(
            (feature, place) for feature in schema.features for place in _places(feature)
        )

    def matrix(self, records: Records) -> npt.NDArray[np.float32]:
        """One row for each record; a category outside the domain is 0 in every column."""
        matrix = np.empty((records.size, len(self.columns)), dtype=np.float32)
        for column, (feature, place) in enumerate(self.columns):
            values = records.values(feature.name)
            matrix[:, column] = values if place == _NUMBER else values == place
        return matrix

    def rule(self, turns: Iterable[Turn], outcome: str) -> Rule:
        """What the turns say together, at most one premise for each feature."""
        premises: dict[str, Premise] = {}
        for turn in turns:
            feature, place = self.columns[turn.column]
            premise = _numbers(feature, turn) if place == _NUMBER else _others(feature, place, turn)
            premises[feature.name] = both(premises.get(feature.name), premise)
        return self.schema.rule(premises, outcome)


def both(first: Premise | None, second: Premise) -> Premise:
    """What satisfies both premises on one feature.

    Examples
    --------
    >>> both(Interval(0, 5), Interval(3, 9))
    Interval(low=3, high=5)
    """
    match first, second:
        case Interval(), Interval():
            return Interval(max(first.low, second.low), min(first.high, second.high))
        case Categories(), Categories():
            return Categories(first.values & second.values, first.domain)
    return second


def first_above(threshold: float) -> float:
    """The smallest 64-bit number that lies above `threshold` once it is rounded to 32 bits.

    Examples
    --------
    >>> first_above(2.5) > 2.5, float(np.float32(first_above(2.5))) > 2.5
    (True, True)
    >>> float(np.float32(math.nextafter(first_above(2.5), 0))) > 2.5
    False
    """
    above = np.float32(threshold)
    if float(above) <= threshold:
        above = np.nextafter(above, np.float32(math.inf))
    below = np.nextafter(above, np.float32(-math.inf))
    middle = (float(below) + float(above)) / 2  # exact: both have few digits
    return middle if np.float32(middle) == above else math.nextafter(middle, math.inf)


def _places(feature: Feature) -> range | tuple[int, ...]:
    count = len(feature.categories)
    if not feature.is_categorical:
        return (_NUMBER,)
    return range(1, 2) if count == 2 else range(count)


def _numbers(feature: Feature, turn: Turn) -> Interval:
    edge = first_above(turn.threshold)
    return feature.interval(-math.inf, edge) if turn.below else feature.interval(edge, math.inf)


def _others(feature: Feature, place: int, turn: Turn) -> Categories:
    """A column of 0 and 1 that is not above its threshold: every category but this one."""
    chosen = {feature.categories[place]}
    return feature.allowed(feature.domain - chosen if turn.below else chosen)
