"""Plain, slow answers to compare with: rules tested value by value, records in a loop."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

import pandas as pd

from glocalx.merging.operators import cut, join
from glocalx.rules.rule import Rule


def covers(rule: Rule, record: pd.Series) -> bool:
    return all(record[name] in premise for name, premise in rule.premises)


def covered(rule: Rule, frame: pd.DataFrame) -> set[int]:
    return {i for i in range(len(frame)) if covers(rule, frame.iloc[i])}


def accuracy(rule: Rule, frame: pd.DataFrame, labels: Sequence[str], outcomes: int) -> Fraction:
    inside = covered(rule, frame)
    return Fraction(sum(labels[i] == rule.outcome for i in inside) + 1, len(inside) + outcomes)


def predict(
    rules: Iterable[Rule], frame: pd.DataFrame, labels: Sequence[str], outcomes: Sequence[str]
) -> list[str]:
    """The outcome of the most accurate covering rule, else the majority, record by record."""
    ranked = sorted(
        set(rules),
        key=lambda rule: (
            -accuracy(rule, frame, labels, len(outcomes)),
            -len(covered(rule, frame)),
            rule.sort_key,
        ),
    )
    majority = max(sorted(outcomes), key=list(labels).count)
    rows = [frame.iloc[i] for i in range(len(frame))]
    return [next((r.outcome for r in ranked if covers(r, row)), majority) for row in rows]


def merge(
    left: set[Rule], right: set[Rule], batch: Iterable[int], frame: pd.DataFrame, rank: Any
) -> set[Rule]:
    """Merge record by record, as the paper's second algorithm reads."""
    taken, added = set(), set()
    for record in batch:
        row = frame.iloc[record]
        from_left = {rule for rule in left if covers(rule, row)}
        from_right = {rule for rule in right if covers(rule, row)}
        if not (from_left and from_right):
            continue
        group = from_left | from_right
        taken |= group
        joined = [
            join(sorted((r for r in group if r.outcome == o), key=lambda r: r.sort_key))
            for o in sorted({rule.outcome for rule in group})
        ]
        dominant, *others = sorted(joined, key=rank)
        cuts = (cut(rule, dominant, lambda r: len(covered(r, frame))) for rule in others)
        added |= {dominant} | {rule for rule in cuts if rule is not None}
    return ((left | right) - taken) | added


def run(
    rules: Iterable[Rule],
    frame: pd.DataFrame,
    labels: Sequence[str],
    outcomes: Sequence[str],
    batch_of: Callable[[int], Iterable[int]],
) -> list[tuple[int, int, set[Rule]]]:
    """The paper's first algorithm: every merge as the two numbers and the rules they became."""

    def rank(rule: Rule) -> Any:
        right = accuracy(rule, frame, labels, len(outcomes))
        return (-right, -len(covered(rule, frame)), rule.sort_key)

    def worth(theory: set[Rule]) -> float:
        predicted = predict(theory, frame, labels, outcomes)
        agreed = sum(p == y for p, y in zip(predicted, labels, strict=True)) / len(labels)
        length = sum(map(len, theory)) / len(theory)
        n = len(labels)
        return 0.1 * length * math.log(n) - 2 * n * math.log(max(agreed, 1e-12))

    def likeness(a: set[Rule], b: set[Rule]) -> Fraction:
        of_a = set().union(*(covered(rule, frame) for rule in a))
        of_b = set().union(*(covered(rule, frame) for rule in b))
        return Fraction(len(of_a & of_b), len(of_a | of_b)) if of_a | of_b else Fraction(0)

    alive = dict(enumerate({r} for r in sorted(set(rules), key=lambda r: r.sort_key)))
    created, merges = len(alive), []
    while True:
        pairs = [(-likeness(alive[a], alive[b]), a, b) for a, b in combinations(alive, 2)]
        for likes, a, b in sorted(pairs):
            merged = merge(alive[a], alive[b], batch_of(len(merges)), frame, rank)
            if likes < 0 and worth(merged) <= worth(alive[a] | alive[b]):
                break
        else:
            return merges
        merges.append((a, b, merged))
        del alive[a], alive[b]
        alive[created] = merged
        created += 1
