"""What rules are made of where numbers must be cut first: intervals, half-lines, categories."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from glocalx.baselines.base import outcome_codes
from glocalx.rules.branches import both
from glocalx.rules.coverage import BoolArray, mask_of
from glocalx.rules.rule import Premise, Rule
from glocalx.rules.schema import Feature, Schema
from glocalx.rules.scoring import Reference


@dataclass(frozen=True, slots=True)
class Item:
    """One premise that a rule may take up."""

    feature: str
    premise: Premise


def items_of(reference: Reference) -> tuple[Item, ...]:
    """Every category of every feature, and the intervals that entropy cuts numbers into.

    A number that is not worth cutting has no items. Being missing is an item of its own.
    """
    return _items(_parts, reference)


def half_items_of(reference: Reference) -> tuple[Item, ...]:
    """Every category and every other than it; numbers below and from each place of a cut.

    Missing goes with either side, and is a side of its own.
    """
    return _items(_halves, reference)


def _items(
    premises: Callable[[Feature, list[float]], list[Premise]], reference: Reference
) -> tuple[Item, ...]:
    """Those of every feature; it is told where entropy cuts a number, and nothing of a category."""
    outcomes = outcome_codes(reference)
    found = []
    for feature in reference.records.schema.features:
        cuts: list[float] = []
        if not feature.is_categorical:
            values = reference.records.values(feature.name)
            known = ~np.isnan(values)
            cuts = cut_points(values[known], outcomes[known], len(reference.outcomes))
        made = premises(feature, cuts)
        found += [Item(feature.name, premise) for premise in made if not premise.is_everything]
    return tuple(found)


def rule_of(items: Iterable[Item], outcome: str, schema: Schema) -> Rule:
    """The rule that asks for all of these, at most one premise for each feature."""
    premises: dict[str, Premise] = {}
    for item in items:
        premises[item.feature] = both(premises.get(item.feature), item.premise)
    return schema.rule(premises, outcome)


def item_masks(items: tuple[Item, ...], reference: Reference) -> BoolArray:
    """Which records satisfy each item: one row for each item."""
    records = reference.records
    masks = [mask_of(records.satisfying(i.feature, i.premise), records.size) for i in items]
    return np.array(masks, dtype=bool).reshape(len(items), records.size)


def _parts(feature: Feature, cuts: list[float]) -> list[Premise]:
    missing: list[Premise] = [feature.only_missing] if feature.gaps else []
    if feature.is_categorical:
        return [*(feature.allowed([category]) for category in feature.categories), *missing]
    ends = [-math.inf, *cuts, math.inf]
    return [*(feature.interval(low, high) for low, high in pairwise(ends)), *missing]


def _halves(feature: Feature, cuts: list[float]) -> list[Premise]:
    """Each premise, followed by what it leaves."""
    if feature.is_categorical:
        domain = feature.allowed(feature.domain, missing=True)
        chosen = [feature.allowed([category]) for category in feature.categories]
        chosen += [feature.allowed((), missing=True)] if feature.gaps else []
        return [each for part in chosen for each in (part, *domain.minus(part))]
    numbers = feature.interval(-math.inf, math.inf, missing=True)
    sides = (False, True) if feature.gaps else (False,)
    lower = [feature.interval(-math.inf, cut, side) for cut in cuts for side in sides]
    lower += [feature.interval(-math.inf, math.inf)] if feature.gaps else []
    return [each for part in lower for each in (part, *numbers.minus(part))]


Counts: TypeAlias = npt.NDArray[np.int64]
"""How many records have each outcome: one column for each outcome."""


def entropy(counts: npt.NDArray[np.number]) -> npt.NDArray[np.float64]:
    """Entropy in bits of each row of counts; 0 where one outcome has all.

    Examples
    --------
    >>> entropy(np.array([[2, 2], [4, 0]])).tolist()
    [1.0, 0.0]
    """
    totals = counts.sum(axis=-1, keepdims=True)
    shares = counts / np.maximum(totals, 1)
    logs = np.log2(shares, out=np.zeros_like(shares), where=shares > 0)
    return np.asarray(np.abs((shares * logs).sum(axis=-1)))


def cut_points(
    values: npt.NDArray[np.float64], outcomes: npt.NDArray[np.integer], kinds: int
) -> list[float]:
    """Where to cut the numbers of one feature, ascending; none where no cut is worth it.

    The best cut is the one that leaves the least entropy of outcomes; it is made if it saves more
    than it costs to describe (minimum description length), and both sides are cut again.

    `values`, `outcomes`: for each record its number and the place of its outcome, of which there
    are `kinds`.

    Examples
    --------
    >>> numbers, outcomes = np.arange(20.0), np.repeat([0, 1], 10)
    >>> cut_points(numbers, outcomes, 2)
    [9.5]
    """
    distinct, places = np.unique(values, return_inverse=True)
    counts = np.zeros((len(distinct), kinds), dtype=np.int64)
    np.add.at(counts, (places, outcomes), 1)
    found: list[int] = []
    waiting = [(0, len(distinct))]
    while waiting:
        start, end = waiting.pop()
        cut = _best_cut(counts[start:end])
        if cut is not None:
            found.append(start + cut)
            waiting += [(start, start + cut), (start + cut, end)]
    return [_between(distinct[cut - 1], distinct[cut]) for cut in sorted(found)]


def _best_cut(counts: Counts) -> int | None:
    """How many of the distinct values go to the lower side; None if no cut pays."""
    if len(counts) < 2:
        return None
    lower = counts.cumsum(axis=0)[:-1]
    whole = counts.sum(axis=0)
    upper = whole - lower
    size = int(whole.sum())
    left = (entropy(lower) * lower.sum(axis=1) + entropy(upper) * upper.sum(axis=1)) / size
    best = int(np.argmin(left))
    gain = float(entropy(whole) - left[best])
    return best + 1 if gain > _price(whole, lower[best], upper[best]) else None


def _price(whole: Counts, lower: Counts, upper: Counts) -> float:
    """The gain that a cut must exceed."""
    kinds, below, above = (int(np.count_nonzero(each)) for each in (whole, lower, upper))
    size = int(whole.sum())
    parts = below * float(entropy(lower)) + above * float(entropy(upper))
    delta = math.log2(3**kinds - 2) - (kinds * float(entropy(whole)) - parts)
    return (math.log2(size - 1) + delta) / size


def _between(below: float, above: float) -> float:
    middle = float(below / 2 + above / 2)
    return middle if below < middle <= above else float(above)
