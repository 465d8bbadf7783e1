"""From the hierarchy to the final theory: alpha, alpha_q or budget.

`alpha` and `alpha_q` are the paper's filters: they rank the rules that merging left, one by one,
by rule fidelity. `budget` looks at the theory as a whole and at every rule in the hierarchy; where
these are few, also at each of them without one of its premises. Whatever chooses, conditions that
keep next to nobody out are gone before (:mod:`glocalx.rules.idle`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

import numpy as np
import numpy.typing as npt

from glocalx.errors import GLocalXError
from glocalx.merging.hierarchy import Hierarchy
from glocalx.rules.coverage import Bits
from glocalx.rules.idle import without_idle
from glocalx.rules.rule import Rule
from glocalx.rules.scoring import Reference
from glocalx.rules.theory import Theory

DEFAULT_BUDGET = 10
FEW_RULES = 200  # with more, wider rules gain nothing: benchmarks/results/candidates.md


def select(
    hierarchy: Hierarchy,
    reference: Reference,
    *,
    alpha: int | None = None,
    alpha_q: float | None = None,
    budget: int | None = None,
) -> Theory:
    """The final theory; give one of the three, or none for a budget of 10 rules."""
    given = [name for name in (alpha, alpha_q, budget) if name is not None]
    if len(given) > 1:
        raise GLocalXError("Choose one of alpha, alpha_q and budget, not several.")
    if alpha is not None:
        return select_alpha(without_idle(hierarchy.rules(), reference), reference, alpha)
    if alpha_q is not None:
        return select_alpha_q(without_idle(hierarchy.rules(), reference), reference, alpha_q)
    candidates = budget_candidates(hierarchy, reference)
    return select_budget(candidates, reference, DEFAULT_BUDGET if budget is None else budget)


def select_alpha(rules: Iterable[Rule], reference: Reference, alpha: int) -> Theory:
    """The rules of highest fidelity, `ceil(alpha / number of outcomes)` for each outcome.

    With `alpha=5` and two outcomes these are up to three for each, six in all, as in the paper.
    """
    if alpha < 1:
        raise GLocalXError("alpha is a number of rules and must be at least 1.")
    share = math.ceil(alpha / len(reference.outcomes))
    kept = (group[:share] for group in _by_outcome(rules, reference).values())
    return Theory.of(rule for group in kept for rule in group)


def select_alpha_q(rules: Iterable[Rule], reference: Reference, alpha_q: float) -> Theory:
    """For each outcome the rules at or above the `alpha_q`-th percentile of rule fidelity."""
    if not 0 <= alpha_q <= 100:
        raise GLocalXError("alpha_q is a percentile and must be between 0 and 100.")
    kept: list[Rule] = []
    for group in _by_outcome(rules, reference).values():
        fidelities = [reference.score(rule).fidelity for rule in group]
        bar = np.percentile(fidelities, alpha_q)
        kept += (rule for rule, value in zip(group, fidelities, strict=True) if value >= bar)
    return Theory.of(kept)


def _by_outcome(rules: Iterable[Rule], reference: Reference) -> dict[str, list[Rule]]:
    """The rules of each outcome, highest fidelity first; ties as rules are ranked."""
    groups: dict[str, list[Rule]] = {}
    for rule in reference.ranked(set(rules)):
        groups.setdefault(rule.outcome, []).append(rule)
    for group in groups.values():
        group.sort(key=lambda rule: -reference.score(rule).fidelity)
    return groups


def budget_candidates(hierarchy: Hierarchy, reference: Reference) -> Theory:
    """What a budget chooses from: every rule of the hierarchy, and wider ones where it has few."""
    rules = hierarchy.every_rule()
    return without_idle(rules if rules.size >= FEW_RULES else with_wider(rules), reference)


def with_wider(rules: Iterable[Rule]) -> Theory:
    """The rules, and each of them without one of its premises, as long as one is left."""
    given = tuple(rules)
    wider = (
        Rule((*rule.premises[:place], *rule.premises[place + 1 :]), rule.outcome)
        for rule in given
        if len(rule) > 1
        for place in range(len(rule))
    )
    return Theory.of((*given, *wider))


def select_budget(rules: Iterable[Rule], reference: Reference, budget: int) -> Theory:
    """At most `budget` rules that together agree best with the black box."""
    if budget < 1:
        raise GLocalXError("The budget is a number of rules and must be at least 1.")
    chosen = iter_budget(rules, reference)
    return Theory.of(rule for rule, _ in zip(chosen, range(budget), strict=False))


def iter_budget(rules: Iterable[Rule], reference: Reference) -> Iterator[Rule]:
    """One rule after the other, each time the one that raises fidelity most; ends when none does.

    The first k rules are the choice for a budget of k, so one pass answers every budget.
    """
    candidates = reference.ranked(set(rules))
    if not candidates:
        raise GLocalXError("There are no rules to choose from. Give at least one.")
    pool = _Pool(candidates, reference)
    while True:
        best = pool.best()
        if best is None:
            return
        yield candidates[best]
        pool.take(best)


class _Pool:
    """Candidates in the order in which they would decide, as packed rows of bits.

    A candidate decides the records that it covers and that no chosen rule before it does. What
    it would change there: the records it gets right come in, those that were right go out.
    """

    def __init__(self, candidates: list[Rule], reference: Reference) -> None:
        self._size = reference.size
        self._words = (self._size + 63) // 64
        self._rules = candidates
        self._having = {name: self._row(bits) for name, bits in reference.having.items()}
        self._coverage = np.stack(
            [self._row(reference.score(rule).coverage) for rule in candidates]
        )
        self._outcomes = np.array([rule.outcome for rule in candidates], dtype=object)
        self._right = self._coverage.copy()
        for name, row in self._having.items():
            self._right[self._outcomes == name] &= row
        self._default = self._having[reference.majority]
        self._chosen: list[int] = []

    def _row(self, bits: Bits) -> npt.NDArray[np.uint64]:
        return np.frombuffer(bits.to_bytes(self._words * 8, "little"), dtype="<u8")

    def best(self) -> int | None:
        """The candidate that raises agreement most, None if none does."""
        gains = self._gains()
        best = int(np.argmax(gains))  # on a tie the first, which is the more accurate one
        return best if gains[best] > 0 else None

    def take(self, place: int) -> None:
        self._chosen = sorted((*self._chosen, place))

    def _gains(self) -> npt.NDArray[np.int64]:
        undecided = self._row((1 << self._size) - 1)
        correct = self._correct()
        gains = np.zeros(len(self._rules), dtype=np.int64)
        starts = [0, *(place + 1 for place in self._chosen)]
        ends = [*self._chosen, len(self._rules)]
        for start, end in zip(starts, ends, strict=True):
            if start:
                undecided = undecided & ~self._coverage[start - 1]
            comes = _count(self._right[start:end] & (undecided & ~correct))
            goes = _count(
                (self._coverage[start:end] & ~self._right[start:end]) & (undecided & correct)
            )
            gains[start:end] = comes - goes
        return gains

    def _correct(self) -> npt.NDArray[np.uint64]:
        """The records on which the chosen rules and the black box agree."""
        undecided = self._row((1 << self._size) - 1)
        correct = np.zeros(self._words, dtype=np.uint64)
        for place in self._chosen:
            correct = correct | (undecided & self._right[place])
            undecided = undecided & ~self._coverage[place]
        return correct | (undecided & self._default)


def _count(rows: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
    counts: npt.NDArray[np.int64] = np.bitwise_count(rows).sum(axis=1, dtype=np.int64)
    return counts
