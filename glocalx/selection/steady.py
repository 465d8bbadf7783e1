"""Rules that another seed is likely to find, too: what many rules of the hierarchy say.

Local rules cut a feature wherever their neighbours happened to lie, and name conditions besides
that matter little, so two seeds hardly ever say the same. What many of them have in common is much
the same for every seed: rules of few conditions that cut numbers at few places, each of which
follows from at least so many rules. It costs fidelity where the exact cut or a long rule matters.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import combinations, product

import numpy as np
import numpy.typing as npt

from glocalx.merging.hierarchy import Hierarchy
from glocalx.rules.idle import without_idle
from glocalx.rules.rule import Interval, Premise, Rule
from glocalx.rules.scoring import Reference
from glocalx.rules.theory import Theory
from glocalx.selection.candidates import budget_candidates

# What the three numbers do: benchmarks/results/steady.md
STEADY_PARTS = 16  # as many records lie in each
STEADY_LENGTH = 2  # conditions
STEADY_SHARE = 0.03  # of the rules that say the same
STEADY_IS = (
    f"rules of at most {STEADY_LENGTH} conditions that at least {100 * STEADY_SHARE:g} % of the "
    f"hierarchy’s rules say, their numbers cut into {STEADY_PARTS} parts of as many records each"
)


def steady_rules(
    rules: Iterable[Rule],
    reference: Reference,
    *,
    parts: int = STEADY_PARTS,
    length: int = STEADY_LENGTH,
    share: float = STEADY_SHARE,
) -> Theory:
    """What at least a share of the rules say, and two of them, in so many conditions at most.

    Every end of an interval is moved to the nearest of few cuts first. Where the rules have
    nothing in common, they stay as they are but for that.

    Examples
    --------
    >>> import pandas as pd
    >>> from glocalx.rules.coverage import Records
    >>> from glocalx.rules.schema import Schema
    >>> people = pd.DataFrame({"age": range(100), "debt": range(100)})
    >>> labels = ["young"] * 40 + ["old"] * 60
    >>> schema = Schema.of(people, labels)
    >>> rules = [
    ...     schema.rule({"age": (-math.inf, 38), "debt": (10, math.inf)}, "young"),
    ...     schema.rule({"age": (-math.inf, 43), "debt": (-math.inf, 90)}, "young"),
    ... ]
    >>> steady = steady_rules(rules, Reference(Records(schema, people), labels), parts=5)
    >>> [rule.premises for rule in steady]
    [(('age', Interval(low=-inf, high=40.0, missing=False)),)]
    """
    cuts = _Cuts(reference, parts)
    moved = [left for rule in rules if len(left := cuts.moved(rule))]
    said = Counter(each for rule in moved for each in _implied(rule, length))
    least = max(2, share * len(moved))
    common = [rule for rule, times in said.items() if times >= least]
    return Theory.of(common or moved)


def candidates_for(hierarchy: Hierarchy, reference: Reference, *, steady: bool) -> Theory:
    """What a budget chooses from, where rules should depend less on the seed or need not."""
    if not steady:
        return budget_candidates(hierarchy, reference)
    return without_idle(steady_rules(hierarchy.every_rule(), reference), reference)


def _implied(rule: Rule, length: int) -> Iterator[Rule]:
    """The rules of at most so many conditions that cover all that a rule does, itself included."""
    for size in range(1, min(length, len(rule)) + 1):
        for chosen in combinations(rule.premises, size):
            widened = ([(name, wider) for wider in _wider(premise)] for name, premise in chosen)
            yield from (Rule(premises, rule.outcome) for premises in product(*widened))


def _wider(premise: Premise) -> list[Premise]:
    """The premise, and an interval without either end."""
    if not isinstance(premise, Interval) or not -math.inf < premise.low < premise.high < math.inf:
        return [premise]
    return [premise, replace(premise, low=-math.inf), replace(premise, high=math.inf)]


class _Cuts:
    """The cuts of each feature: values at which a new part of the reference records begins."""

    def __init__(self, reference: Reference, parts: int) -> None:
        self._records = reference.records
        self._parts = parts
        self._known: dict[str, tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]] = {}

    def moved(self, rule: Rule) -> Rule:
        """The rule with every end at a cut, without conditions that then say nothing."""
        there = ((name, self._premise(name, premise)) for name, premise in rule.premises)
        kept = ((name, now) for name, now in there if now is not None and not now.is_everything)
        return Rule(tuple(kept), rule.outcome)

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
