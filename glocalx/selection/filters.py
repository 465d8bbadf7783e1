"""Rules by rule fidelity: the paper's filters, which rank one by one, and `alpha` together.

One by one the most faithful rules of an outcome are much the same rule, an outcome with few rules
leaves places empty, the most common answer is the default even where the rules have taken its
records, and rules of different outcomes outvote each other. `alpha` together mends these four
(benchmarks/results/alpha.md); the last by :func:`~glocalx.selection.pricing.shortened`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from glocalx.errors import GLocalXError
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.coverage import Bits
from glocalx.rules.rule import Rule
from glocalx.rules.scoring import Reference
from glocalx.rules.theory import Theory


def select_alpha(rules: Iterable[Rule], reference: Reference, alpha: int) -> Theory:
    """The rules of highest fidelity, `ceil(alpha / number of outcomes)` for each outcome.

    With `alpha=5` and two outcomes these are up to three for each, six in all, as in the paper.
    """
    if alpha < 1:
        raise GLocalXError("alpha is a number of rules and must be at least 1.")
    share = math.ceil(alpha / len(reference.outcomes))
    kept = (group[:share] for group in _by_outcome(rules, reference).values())
    return Theory.of(rule for group in kept for rule in group)


def select_alpha_together(rules: Iterable[Rule], reference: Reference, alpha: int) -> Theory:
    """As many rules as by :func:`select_alpha`, those of an outcome judged together.

    The rules taken for an outcome count as one: “covered by any of them”. Each time the rule is
    taken that raises the fidelity of that most, as long as one does; each outcome that has rules
    keeps one at least. Places that an outcome leaves go to those that still gain.
    """
    if alpha < 1:
        raise GLocalXError("alpha is a number of rules and must be at least 1.")
    share = math.ceil(alpha / len(reference.outcomes))
    parts = [_Part(group, reference) for group in _by_outcome(rules, reference).values()]
    for part in parts:
        while len(part.taken) < share and part.gain() > 0:
            part.take()
        if not part.taken:
            part.take()
    while sum(len(part.taken) for part in parts) < alpha:
        part = max(parts, key=_Part.gain)
        if part.gain() <= 0:
            break
        part.take()
    return Theory.of(rule for part in parts for rule in part.taken)


class _Part:
    """The rules of one outcome, and those of them that are taken."""

    def __init__(self, rules: list[Rule], reference: Reference) -> None:
        having = reference.having[rules[0].outcome]
        self._left = [(rule, reference.score(rule).coverage) for rule in rules]
        self._having = having
        self._covered: Bits = 0
        self.taken: list[Rule] = []

    def gain(self) -> int:
        """Records that the best rule would bring, less those it would wrongly cover."""
        return max((self._gain(bits) for _, bits in self._left), default=0)

    def take(self) -> None:
        best = max(self._left, key=lambda each: self._gain(each[1]))  # on a tie the more faithful
        self._left.remove(best)
        self._covered |= best[1]
        self.taken.append(best[0])

    def _gain(self, bits: Bits) -> int:
        new = bits & ~self._covered
        return 2 * (new & self._having).bit_count() - new.bit_count()


def with_otherwise(theory: RankedTheory, reference: Reference) -> RankedTheory:
    """The theory with the most common answer to records that no rule covers as its default.

    On a tie, and where rules cover every record, the default stays.
    """
    *_, left = theory.iter_decided(reference.records)
    outcomes = (theory.default, *reference.outcomes)
    best = max(outcomes, key=lambda name: (reference.having[name] & left).bit_count())
    return replace(theory, default=best)


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
