"""The paper's filters: the rules that merging left, ranked one by one by rule fidelity."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from glocalx.errors import GLocalXError
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
