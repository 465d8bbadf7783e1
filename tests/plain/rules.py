"""Rules, which records they cover, join, cut, and the numbers of a merge."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from typing import Any, TypeAlias

import pandas as pd

Premise: TypeAlias = tuple[Any, bool]  # tuple[float, float] | frozenset[str], or missing
PlainRule: TypeAlias = tuple[frozenset[tuple[str, Premise]], str]
PlainTheory: TypeAlias = frozenset[PlainRule]

NO_NUMBER = (math.inf, -math.inf)


def read(rule: Any) -> PlainRule:
    """A rule of the product as plain data."""
    return frozenset((name, _read(premise)) for name, premise in rule.premises), rule.outcome


def _read(premise: Any) -> Premise:
    is_set = hasattr(premise, "values")
    values = frozenset(premise.values) if is_set else (premise.low, premise.high)
    return values, premise.missing


def order(rule: PlainRule) -> Any:
    """Where a rule stands among others: by outcome, by length, then by what it says."""
    premises, outcome = rule
    said = [
        (name, tuple(sorted(values)) if isinstance(values, frozenset) else values, missing)
        for name, (values, missing) in premises
    ]
    return outcome, len(premises), sorted(said)


def holds(premise: Premise, value: Any) -> bool:
    values, missing = premise
    if value is None or value != value:
        return missing
    if isinstance(values, frozenset):
        return value in values
    low, high = values
    return bool(low <= value < high)


def satisfies(record: Mapping[str, Any] | pd.Series, rule: PlainRule) -> bool:
    return all(holds(premise, record[name]) for name, premise in rule[0])


def join(
    rules: Collection[PlainRule], domains: Mapping[str, frozenset[str]], gaps: Collection[str] = ()
) -> PlainRule:
    """Per feature that all have: from the lowest low to the highest high; the values of any.

    Missing where any includes it. A premise that allows everything does not exist; on a feature
    with gaps, everything is all values and missing.
    """
    (outcome,) = {outcome for _, outcome in rules}
    every = [dict(premises) for premises, _ in rules]
    joined = set()
    for name in set.intersection(*map(set, every)):
        subspaces = [premises[name][0] for premises in every]
        missing = any(premises[name][1] for premises in every)
        if isinstance(subspaces[0], frozenset):
            whole = frozenset().union(*subspaces)
            everything = whole == domains[name]
        else:
            whole = (min(low for low, _ in subspaces), max(high for _, high in subspaces))
            everything = whole == (-math.inf, math.inf)
        if not (everything and (missing or name not in gaps)):
            joined.add((name, (whole, missing)))
    return frozenset(joined), outcome


def pieces(premise: Premise, gone: Premise) -> list[Premise]:
    """What is left of a premise when another is taken from it; of numbers the lower side first.

    Missing, where it is left, is part of what is left, or all of it.
    """
    (values, had), (taken, takes) = premise, gone
    missing = had and not takes
    if isinstance(values, frozenset):
        left: list[Any] = [values - taken] if values - taken or missing else []
    else:
        (low, high), (start, end) = values, taken
        sides = [(low, min(high, start)), (max(low, end), high)] if start < end else [values]
        left = [(low, high) for low, high in sides if low < high]
        left = left or ([NO_NUMBER] if missing else [])
    return [(side, missing) for side in left]


def cut(
    rule: PlainRule, dominant: PlainRule, records: Callable[[PlainRule], int]
) -> PlainRule | None:
    """What the dominant rule leaves of another; `records` counts what a rule covers."""
    ours, theirs = dict(rule[0]), dict(dominant[0])
    left = {name: pieces(ours[name], theirs[name]) for name in ours if name in theirs}
    if not any(left.values()) and set(theirs) <= set(ours):
        return None  # it lies wholly inside
    after = dict(ours)
    for name, sides in left.items():
        owned = [records((frozenset({**ours, name: side}.items()), rule[1])) for side in sides]
        if sides:
            after[name] = sides[owned.index(max(owned))]  # on a tie the lower
    return frozenset(after.items()), rule[1]


def jaccard(a: frozenset[int], b: frozenset[int]) -> float:
    """How similar two coverages are; 0 where both are empty."""
    return len(a & b) / len(a | b) if a | b else 0.0


def bic(
    fidelity: float, length: float, n: int, fidelity_weight: float, complexity_weight: float
) -> float:
    loss = -2 * fidelity_weight * n * math.log(max(fidelity, 1e-12))
    return complexity_weight * length * math.log(n) + loss


def covers(rule: Any, record: Mapping[str, Any] | pd.Series) -> bool:
    return satisfies(record, read(rule))


def covered(rule: Any, frame: pd.DataFrame) -> set[int]:
    return {i for i, record in enumerate(frame.to_dict("records")) if covers(rule, record)}
