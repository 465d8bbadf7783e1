"""The ways down a tree, and the premises that they make together."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

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


def tree_columns(schema: Schema, seen: Sequence[Sequence[int]] | None = None) -> OneHot:
    """The columns that trees are grown on; of two categories one says it all.

    Parameters
    ----------
    seen
        For each feature the codes of the categories that occur; by default all of its domain.
    """
    known = seen or [range(len(feature.categories)) for feature in schema.features]
    return OneHot([_shown(*each) for each in zip(schema.features, known, strict=True)])


def _shown(feature: Feature, codes: Sequence[int]) -> Sequence[int] | None:
    if not feature.is_categorical:
        return None
    return codes[1:] if len(codes) == 2 else codes


def iter_ways(
    left: Sequence[int], right: Sequence[int], column: Sequence[int], cut: Sequence[float]
) -> Iterator[tuple[int, tuple[Branch, ...]]]:
    """Every leaf of a tree and the way to it, from left to right.

    Parameters
    ----------
    left, right, column, cut
        For each node where its branches lead, −1 for a leaf, and what parts them; as the trees of
        scikit-learn are kept.
    """
    waiting: list[tuple[int, tuple[Branch, ...]]] = [(0, ())]
    while waiting:
        node, way = waiting.pop()
        if left[node] < 0:
            yield node, way
            continue
        for child, below in ((right[node], False), (left[node], True)):
            waiting.append((child, (*way, Branch(column[node], cut[node], below))))


def premises_of(
    branches: Iterable[Branch],
    schema: Schema,
    columns: OneHot,
    first_above: Callable[[int, float], float],
) -> dict[str, Premise]:
    """What branches say together, one premise for each feature that they speak of.

    Parameters
    ----------
    columns
        What the tree was grown on.
    first_above
        For the place of a feature and a cut: the first number on the far side of it.
    """
    premises: dict[str, Premise] = {}
    for branch in branches:
        place, code = columns.columns[branch.column]
        feature = schema.features[place]
        premise: Premise
        if code is None:
            edge = first_above(place, branch.cut)
            low, high = (-math.inf, edge) if branch.below else (edge, math.inf)
            premise = feature.interval(low, high)
        else:
            chosen = {feature.categories[code]}
            premise = feature.allowed(feature.domain - chosen if branch.below else chosen)
        premises[feature.name] = both(premises.get(feature.name), premise)
    return premises


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
