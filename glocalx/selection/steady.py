"""Rules that another seed is likely to find, too: numbers cut at few places, the same for all.

Local rules cut a feature wherever their neighbours happened to lie, so two seeds hardly ever say
the same. Cut at the quantiles of the reference records, most of what they say coincides, and a
choice among such rules depends less on the seed. It costs fidelity where the exact cut matters.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from glocalx.merging.hierarchy import Hierarchy
from glocalx.rules.idle import without_idle
from glocalx.rules.rule import Interval, Premise, Rule
from glocalx.rules.scoring import Reference
from glocalx.rules.theory import Theory
from glocalx.selection.candidates import budget_candidates, widened

STEADY_PARTS = 5  # as many records lie in each; benchmarks/results/steady_parts.md


def steady_rules(rules: Iterable[Rule], reference: Reference, parts: int = STEADY_PARTS) -> Theory:
    """The rules with every end of an interval at the nearest of few cuts, and wider ones.

    A rule of which no condition is left is gone, as is one whose two ends become the same.
    """
    cuts = _Cuts(reference, parts)
    moved = (cuts.moved(rule) for rule in rules)
    return widened([rule for rule in moved if rule is not None], reference)


def candidates_for(hierarchy: Hierarchy, reference: Reference, *, steady: bool) -> Theory:
    """What a budget chooses from, where rules should depend less on the seed or need not."""
    if not steady:
        return budget_candidates(hierarchy, reference)
    return without_idle(steady_rules(hierarchy.every_rule(), reference), reference)


class _Cuts:
    """The cuts of each feature: values at which a new part of the reference records begins."""

    def __init__(self, reference: Reference, parts: int) -> None:
        self._records = reference.records
        self._parts = parts
        self._known: dict[str, tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]] = {}

    def moved(self, rule: Rule) -> Rule | None:
        premises = []
        for name, premise in rule.premises:
            there = self._premise(name, premise)
            if there is None:
                return None
            if not there.is_everything:
                premises.append((name, there))
        return Rule(tuple(premises), rule.outcome) if premises else None

    def _premise(self, name: str, premise: Premise) -> Premise | None:
        if not isinstance(premise, Interval) or premise.is_only_missing:
            return premise
        low, high = self._end(name, premise.low), self._end(name, premise.high)
        return Interval(low, high, premise.missing, premise.gaps) if low < high else None

    def _end(self, name: str, end: float) -> float:
        """The cut with the fewest records between it and an end; on a tie the lower one."""
        values, cuts = self._of(name)
        if math.isinf(end) or not len(cuts):
            return end
        between = np.abs(np.searchsorted(values, cuts) - np.searchsorted(values, end))
        return float(cuts[np.argmin(between)])

    def _of(self, name: str) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        if name not in self._known:
            column = self._records.values(name)
            values = np.sort(column[~np.isnan(column)])
            cuts = np.unique(values)[1:]
            if len(cuts) >= self._parts:
                shares = np.arange(1, self._parts) / self._parts
                cuts = np.unique(np.quantile(values, shares, method="higher"))
            self._known[name] = values, cuts
        return self._known[name]
