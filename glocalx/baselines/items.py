"""What rules are made of where numbers must be cut first: intervals, half-lines, categories."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from glocalx.baselines.base import outcome_codes
from glocalx.baselines.discretise import cut_points
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
    outcomes = outcome_codes(reference)
    return tuple(
        Item(feature.name, premise)
        for feature in reference.records.schema.features
        for premise in _premises(feature, reference, outcomes)
        if not premise.is_everything
    )


def half_items_of(reference: Reference) -> tuple[Item, ...]:
    """Every category and every other than it; numbers below and from each place of a cut.

    Missing goes with either side, and is a side of its own.
    """
    outcomes = outcome_codes(reference)
    return tuple(
        Item(feature.name, premise)
        for feature in reference.records.schema.features
        for premise in _halves(feature, reference, outcomes)
        if not premise.is_everything
    )


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


def _premises(
    feature: Feature, reference: Reference, outcomes: npt.NDArray[np.integer]
) -> list[Premise]:
    missing: list[Premise] = [feature.only_missing] if feature.gaps else []
    if feature.is_categorical:
        return [*(feature.allowed([category]) for category in feature.categories), *missing]
    ends = [-math.inf, *_cuts(feature, reference, outcomes), math.inf]
    return [*(feature.interval(low, high) for low, high in pairwise(ends)), *missing]


def _halves(
    feature: Feature, reference: Reference, outcomes: npt.NDArray[np.integer]
) -> list[Premise]:
    """Each premise, followed by what it leaves."""
    if feature.is_categorical:
        domain = feature.allowed(feature.domain, missing=True)
        chosen = [feature.allowed([category]) for category in feature.categories]
        chosen += [feature.allowed((), missing=True)] if feature.gaps else []
        return [each for part in chosen for each in (part, *domain.minus(part))]
    numbers = feature.interval(-math.inf, math.inf, missing=True)
    cuts = _cuts(feature, reference, outcomes)
    sides = (False, True) if feature.gaps else (False,)
    lower = [feature.interval(-math.inf, cut, side) for cut in cuts for side in sides]
    lower += [feature.interval(-math.inf, math.inf)] if feature.gaps else []
    return [each for part in lower for each in (part, *numbers.minus(part))]


def _cuts(feature: Feature, reference: Reference, outcomes: npt.NDArray[np.integer]) -> list[float]:
    values = reference.records.values(feature.name)
    known = ~np.isnan(values)
    return cut_points(values[known], outcomes[known], len(reference.outcomes))
