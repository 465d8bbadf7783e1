"""The search for merges, step by step, and what a theory answers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from typing import Any

import pandas as pd

from tests.plain.rules import (
    PlainRule,
    PlainTheory,
    bic,
    cut,
    jaccard,
    join,
    order,
    read,
    satisfies,
)


@dataclass(frozen=True)
class PlainTrial:
    """Two theories by number, how similar they are, and what merging them is worth."""

    left: int
    right: int
    similarity: float
    bic_union: float
    bic_merged: float
    fidelity_union: float
    fidelity_merged: float


@dataclass(frozen=True)
class PlainStep:
    """An accepted trial and all that it did; joins and cuts as sets of tuples."""

    trial: PlainTrial
    rules: PlainTheory
    rules_out: PlainTheory
    rules_in: PlainTheory
    joins: frozenset[tuple[PlainTheory, PlainRule]]  # parts, result
    cuts: frozenset[tuple[PlainRule, PlainRule, PlainRule | None]]  # dominant, before, after
    rejected: tuple[PlainTrial, ...]
    theories_left: int
    rules_left: int


class PlainTable:
    """Reference records with their black-box labels, and all that is measured on them."""

    def __init__(
        self,
        frame: pd.DataFrame,
        labels: Sequence[str],
        outcomes: Iterable[str],
        domains: Mapping[str, Iterable[str]] | None = None,
        gaps: Iterable[str] = (),
    ) -> None:
        self.rows = frame.to_dict("records")
        self.places = range(len(self.rows))
        self.labels = list(labels)
        self.outcomes = sorted(outcomes)
        self.domains = {name: frozenset(values) for name, values in (domains or {}).items()}
        self.gaps = frozenset(gaps)
        self._covered: dict[PlainRule, frozenset[int]] = {}

    @cached_property
    def majority(self) -> str:
        return max(self.outcomes, key=self.labels.count)

    def covered(self, rule: PlainRule) -> frozenset[int]:
        """The records that satisfy all premises; looked up again only to save time."""
        if rule not in self._covered:
            self._covered[rule] = frozenset(
                i for i, row in enumerate(self.rows) if satisfies(row, rule)
            )
        return self._covered[rule]

    def covered_by_any(self, rules: PlainTheory) -> frozenset[int]:
        return frozenset().union(*map(self.covered, rules))

    def accuracy(self, rule: PlainRule) -> Fraction:
        """Laplace."""
        covered = self.covered(rule)
        right = sum(self.labels[i] == rule[1] for i in covered)
        return Fraction(right + 1, len(covered) + len(self.outcomes))

    def ranked(self, rules: Iterable[PlainRule]) -> list[PlainRule]:
        """Who wins: the most accurate, then who covers more, then the canonical order."""
        return sorted(rules, key=lambda r: (-self.accuracy(r), -len(self.covered(r)), order(r)))

    def predicted(self, rules: Iterable[PlainRule]) -> list[str]:
        """For each record the outcome of the first rule that covers it, else the majority."""
        ranked = self.ranked(rules)
        decided = [next((r for r in ranked if i in self.covered(r)), None) for i in self.places]
        return [rule[1] if rule else self.majority for rule in decided]

    def fidelity(self, rules: Iterable[PlainRule], among: Collection[int]) -> float:
        """Share of these records where rules and black box agree."""
        predicted = self.predicted(rules)
        return sum(predicted[i] == self.labels[i] for i in among) / len(among)

    def groups(
        self, left: PlainTheory, right: PlainTheory, batch: Iterable[int]
    ) -> set[PlainTheory]:
        """For each record of the batch that both cover, the rules of either that cover it."""
        found = set()
        for record in batch:
            from_left = {rule for rule in left if record in self.covered(rule)}
            from_right = {rule for rule in right if record in self.covered(rule)}
            if from_left and from_right:
                found.add(frozenset(from_left | from_right))
        return found

    def resolve(self, group: PlainTheory) -> tuple[list[PlainRule], list[Any], list[Any]]:
        """One rule for each outcome, of which the most accurate cuts the others; joins; cuts."""
        by_outcome = [{r for r in group if r[1] == outcome} for outcome in self.outcomes]
        parts = [frozenset(rules) for rules in by_outcome if rules]
        joined = [join(rules, self.domains, self.gaps) for rules in parts]
        joins = [(p, result) for p, result in zip(parts, joined, strict=True) if len(p) > 1]
        dominant, *others = self.ranked(joined)
        cuts = [(dominant, r, cut(r, dominant, lambda r: len(self.covered(r)))) for r in others]
        results = [dominant, *(after for _, _, after in cuts if after is not None)]
        return results, joins, cuts

    def merge(
        self, left: PlainTheory, right: PlainTheory, batch: Iterable[int]
    ) -> tuple[PlainTheory, frozenset[Any], frozenset[Any]]:
        """The rules taken are removed, the results are added; the others stay as they are."""
        taken, added, joins, cuts = set(), set(), set(), set()
        for group in self.groups(left, right, batch):
            taken |= group
            results, joined, given_way = self.resolve(group)
            added.update(results)
            joins.update(joined)
            cuts.update(given_way)
        return ((left | right) - taken) | added, frozenset(joins), frozenset(cuts)


@dataclass
class PlainRun:
    """The hierarchy: pairs from the most similar down, all of them again after each merge.

    Parameters
    ----------
    table, rules
        The reference records and the local rules.
    batch_of
        The records of the batch of each iteration, numbered from 0.
    bic_on
        Judge the two theories on `all` records or on the `batch`, or the `whole`: every rule of
        every theory on all records.
    patience
        End after that many rejected candidates in a row.
    """

    table: PlainTable
    rules: Iterable[PlainRule]
    batch_of: Callable[[int], Collection[int]]
    bic_on: str = "all"
    fidelity_weight: float = 1.0
    complexity_weight: float = 0.1
    patience: int | None = None

    def __post_init__(self) -> None:
        self.steps: list[PlainStep] = []
        self.ending: tuple[PlainTrial, ...] = ()  # the trials turned down after the last step
        local = sorted(set(self.rules), key=order)
        alive = {number: frozenset({rule}) for number, rule in enumerate(local)}
        while (step := self._next(alive)) is not None:
            del alive[step.trial.left], alive[step.trial.right]
            alive[len(local) + len(self.steps)] = step.rules
            self.steps.append(step)

    def _next(self, alive: Mapping[int, PlainTheory]) -> PlainStep | None:
        batch = self.batch_of(len(self.steps))
        rejected: list[PlainTrial] = []
        for similarity, left, right in self._pairs(alive):
            if len(rejected) == self.patience:
                break
            a, b = alive[left], alive[right]
            merged, joins, cuts = self.table.merge(a, b, batch)
            others = [rules for number, rules in alive.items() if number not in (left, right)]
            if self.bic_on == "whole":
                before, after = self._whole([a, b, *others]), self._whole([merged, *others])
            else:
                before, after = self._worth(a | b, batch), self._worth(merged, batch)
            measures = (before[0], after[0], before[1], after[1])
            trial = PlainTrial(left, right, similarity, *measures)
            if trial.bic_merged > trial.bic_union:
                rejected.append(trial)
                continue
            return PlainStep(
                trial,
                rules=merged,
                rules_out=(a | b) - merged,
                rules_in=merged - (a | b),
                joins=joins,
                cuts=cuts,
                rejected=tuple(rejected),
                theories_left=len(others) + 1,
                rules_left=len(merged.union(*others)),
            )
        self.ending = tuple(rejected)
        return None

    def _pairs(self, alive: Mapping[int, PlainTheory]) -> list[tuple[float, int, int]]:
        """All pairs that share a record: the most similar first, then the older theories."""
        covered = {number: self.table.covered_by_any(rules) for number, rules in alive.items()}
        pairs = [(jaccard(covered[a], covered[b]), a, b) for a, b in combinations(sorted(alive), 2)]
        return sorted((p for p in pairs if p[0] > 0), key=lambda p: (-p[0], p[1], p[2]))

    def _worth(self, rules: PlainTheory, batch: Collection[int]) -> tuple[float, float]:
        """BIC and fidelity."""
        among = batch if self.bic_on == "batch" else self.table.places
        fidelity = self.table.fidelity(rules, among)
        length = sum(len(premises) for premises, _ in rules) / len(rules)
        weights = (self.fidelity_weight, self.complexity_weight)
        return bic(fidelity, length, len(among), *weights), fidelity

    def _whole(self, theories: Iterable[PlainTheory]) -> tuple[float, float]:
        """BIC and fidelity of all rules; every condition counts, and every rule as one more."""
        rules = frozenset().union(*theories)
        fidelity = self.table.fidelity(rules, self.table.places)
        size = sum(len(premises) for premises, _ in rules) + len(rules)
        weights = (self.fidelity_weight, self.complexity_weight)
        return bic(fidelity, size, len(self.table.places), *weights), fidelity


def predict(
    rules: Iterable[Any], frame: pd.DataFrame, labels: Sequence[str], outcomes: Sequence[str]
) -> list[str]:
    return PlainTable(frame, labels, outcomes).predicted(set(map(read, rules)))
