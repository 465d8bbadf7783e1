"""How fidelity, number of rules and their length went, over the whole run."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from glocalx.merging.hierarchy import Hierarchy
from glocalx.rules.rule import Rule
from glocalx.rules.scoring import Reference
from glocalx.rules.theory import Theory


@dataclass(frozen=True, slots=True)
class RunSeries:
    """All rules together after some of the steps that change rules; step 0 is the start.

    Parameters
    ----------
    steps
        Which steps: all, or evenly spaced ones of a long run.
    fidelity
        On the reference records.
    rules, length
        How many there are, and their mean number of premises.
    """

    steps: tuple[int, ...]
    fidelity: tuple[float, ...]
    rules: tuple[int, ...]
    length: tuple[float, ...]

    def with_step(self, at: int, rules: Theory, reference: Reference) -> RunSeries:
        """The series with its values at a step that it may have left out; `rules` are all then."""
        place = bisect_left(self.steps, at)
        if place < len(self.steps) and self.steps[place] == at:
            return self
        now = (at, reference.fidelity(rules), rules.size, rules.length)
        columns: tuple[Any, ...] = (self.steps, self.fidelity, self.rules, self.length)
        return RunSeries(*((*c[:place], v, *c[place:]) for c, v in zip(columns, now, strict=True)))


def run_series(hierarchy: Hierarchy, reference: Reference, most: int = 600) -> RunSeries:
    """Measure a run, finished or not.

    Fidelity is measured after at most `most` evenly spaced steps, always the first and the last.
    Compute it once for a number of steps and keep it: it does not depend on what is looked at.
    """
    steps = list(hierarchy.steps)
    last = sum(step.changes_rules for step in steps)
    wanted = set(np.unique(np.linspace(0, last, min(last + 1, most)).round().astype(int)).tolist())
    rules = _Rules(hierarchy.local_rules, reference)
    rows: list[tuple[int, float, int, float]] = [(0, *rules.measured())]
    number = 0
    for step in steps:
        left, right = hierarchy.rules_of(step.left), hierarchy.rules_of(step.right)
        rules.replace((*left, *right), step.rules)
        if not step.changes_rules:
            continue
        number += 1
        if number in wanted:
            rows.append((number, *rules.measured()))
    columns: list[Any] = list(zip(*rows, strict=True))
    return RunSeries(*columns)


class _Rules:
    """The rules of all theories in the order in which they decide, kept up to date."""

    def __init__(self, rules: Iterable[Rule], reference: Reference) -> None:
        self._reference = reference
        self._uses = Counter(rules)
        self._ranks = sorted(reference.score(rule).rank for rule in self._uses)
        self._rule_of = {reference.score(rule).rank: rule for rule in self._uses}
        self._premises = sum(map(len, self._uses))

    def replace(self, out: Iterable[Rule], into: Iterable[Rule]) -> None:
        """Take away one use of each rule, then add one use of each."""
        change = Counter(into)
        change.subtract(out)
        for rule, uses in change.items():
            before = self._uses[rule]
            self._uses[rule] = before + uses
            if before and not self._uses[rule]:
                self._drop(rule)
            elif not before and self._uses[rule]:
                self._add(rule)

    def _drop(self, rule: Rule) -> None:
        del self._ranks[bisect_left(self._ranks, self._reference.score(rule).rank)]
        self._premises -= len(rule)

    def _add(self, rule: Rule) -> None:
        rank = self._reference.score(rule).rank
        insort(self._ranks, rank)
        self._rule_of[rank] = rule
        self._premises += len(rule)

    def measured(self) -> tuple[float, int, float]:
        """Fidelity, number of rules, mean length."""
        reference = self._reference
        undecided, agreed = reference.records.everything, 0
        for rank in self._ranks:
            rule = self._rule_of[rank]
            decided = reference.score(rule).coverage & undecided
            if decided:
                agreed += (decided & reference.having[rule.outcome]).bit_count()
                undecided ^= decided
                if not undecided:
                    break
        agreed += (undecided & reference.having[reference.majority]).bit_count()
        size = len(self._ranks)
        return agreed / reference.size, size, self._premises / size if size else 0.0
