"""A run as a walk from pair to pair: those that were turned down, too, so that there is something
to guess."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain

from glocalx.merging.calculation import Calculation, step_calculation
from glocalx.merging.hierarchy import Hierarchy
from glocalx.merging.search import Trial
from glocalx.rules.rule import Rule
from glocalx.rules.scoring import Reference


@dataclass(frozen=True, slots=True)
class TriedPair:
    """One pair that was tried.

    Parameters
    ----------
    step
        The merge that was looked for when it was tried, from 1: as many merges less one are done.
    refused
        Its place among the pairs that were turned down before that merge; None: it was kept.
    trial
        The pair, its similarity and BICs.
    """

    step: int
    refused: int | None
    trial: Trial

    @property
    def accepted(self) -> bool:
        return self.refused is None

    @property
    def merges_before(self) -> int:
        """How many merges were kept before this pair was tried."""
        return self.step - 1

    def calculation(self, hierarchy: Hierarchy, reference: Reference) -> Calculation:
        """Every number of it."""
        return step_calculation(hierarchy, reference, self.step, self.refused)


def stops(hierarchy: Hierarchy) -> tuple[TriedPair, ...]:
    """All pairs that were tried in a run of one piece, in order.

    A pair that was kept without any change to the rules is none: there is nothing to see.
    """
    found: list[TriedPair] = []
    for step in hierarchy.steps:
        found += _refused(step.number, step.rejected)
        if step.changes_rules:
            found.append(TriedPair(step.number, None, step.trial))
    last = chain.from_iterable(hierarchy.endings.values())
    return (*found, *_refused(len(hierarchy.steps) + 1, tuple(last)))


def _refused(step: int, trials: tuple[Trial, ...]) -> list[TriedPair]:
    return [TriedPair(step, place, trial) for place, trial in enumerate(trials)]


def other_rules(hierarchy: Hierarchy, stop: TriedPair) -> tuple[Rule, ...]:
    """The rules of the theories that stand beside the pair."""
    pair = (stop.trial.left, stop.trial.right)
    beside = (number for number in hierarchy.numbers(stop.merges_before) if number not in pair)
    rules = {rule for number in beside for rule in hierarchy.rules_of(number)}
    return tuple(sorted(rules, key=lambda rule: rule.sort_key))
