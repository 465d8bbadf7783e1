"""The steps of a run as people count them: a merge that changes no rule is none.

Of such a merge nothing can be seen but that two theories stand together. It stays in the record,
because later merges rest on it, and is counted to the step after it, or to the last one. So are
the pairs that were turned down before it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace

from glocalx.merging.calculation import Calculation, step_calculation
from glocalx.merging.hierarchy import Hierarchy, MergeStep
from glocalx.merging.search import Trial
from glocalx.rules.rule import Rule
from glocalx.rules.scoring import Reference


@dataclass(frozen=True, slots=True)
class TriedPair:
    """One pair that was tried.

    Parameters
    ----------
    step
        The merge of the record that was looked for when it was tried, from 1: as many merges less
        one were done.
    refused
        Its place among the pairs that were turned down then; None: it was kept.
    trial
        The pair, its similarity and BICs.
    piece
        The piece of the run that gave up after it had turned the pair down; None: a merge was
        found.
    """

    step: int
    refused: int | None
    trial: Trial
    piece: int | None = None

    @property
    def accepted(self) -> bool:
        return self.refused is None

    @property
    def merges_before(self) -> int:
        """How many merges were kept before this pair was tried."""
        return self.step - 1

    def calculation(self, hierarchy: Hierarchy, reference: Reference) -> Calculation:
        """Every number of it."""
        return step_calculation(hierarchy, reference, self.step, self.refused, self.piece)


def iter_refused(hierarchy: Hierarchy, step: int) -> Iterator[TriedPair]:
    """The pairs that were turned down in the search for a merge of the record, in order.

    One more than there are: in the search that found none.
    """
    for piece, trials in sorted(hierarchy.endings.items()):
        done = bisect_right(hierarchy.steps, piece, key=lambda made: made.piece)
        if done == step - 1:
            for place, trial in enumerate(trials):
                yield TriedPair(step, place, trial, piece)
    if step <= len(hierarchy.steps):
        for place, trial in enumerate(hierarchy.steps[step - 1].rejected):
            yield TriedPair(step, place, trial)


def stops(hierarchy: Hierarchy) -> tuple[TriedPair, ...]:
    """All pairs that were tried, in order.

    A pair that was kept without any change to the rules is none: there is nothing to see.
    """
    found: list[TriedPair] = []
    for step in hierarchy.steps:
        found += iter_refused(hierarchy, step.number)
        if step.changes_rules:
            found.append(TriedPair(step.number, None, step.trial))
    return (*found, *iter_refused(hierarchy, len(hierarchy.steps) + 1))


def other_rules(hierarchy: Hierarchy, stop: TriedPair) -> tuple[Rule, ...]:
    """The rules of the theories that stand beside the pair."""
    pair = (stop.trial.left, stop.trial.right)
    beside = (number for number in hierarchy.numbers(stop.merges_before) if number not in pair)
    rules = {rule for number in beside for rule in hierarchy.rules_of(number)}
    return tuple(sorted(rules, key=lambda rule: rule.sort_key))


@dataclass(frozen=True, slots=True)
class ToldSteps:
    """The merges that changed rules, and where they stand in the record.

    Parameters
    ----------
    steps
        Numbered from 1 among themselves; their theories have the numbers of the record.
    places
        The number of each in the record.
    merges
        How many merges the record has.
    """

    steps: tuple[MergeStep, ...]
    places: tuple[int, ...]
    merges: int

    @classmethod
    def of(cls, hierarchy: Hierarchy) -> ToldSteps:
        made = list(hierarchy.steps)  # it may grow meanwhile
        told = [step for step in made if step.changes_rules]
        numbered = (replace(step, number=count) for count, step in enumerate(told, start=1))
        return cls(tuple(numbered), tuple(step.number for step in told), len(made))

    def __len__(self) -> int:
        return len(self.steps)

    def place(self, at: int) -> int:
        """How many merges of the record were made when step `at` was; after the last one, all."""
        if at >= len(self.steps):
            return self.merges
        return self.places[at - 1] if at > 0 else 0

    def count(self, place: int) -> int:
        """How many of the first so many merges of the record are steps."""
        return bisect_right(self.places, place)

    def refused(self, hierarchy: Hierarchy, at: int) -> tuple[TriedPair, ...]:
        """The pairs that were turned down on the way to step `at` from the one before it.

        One more than there are: after the last one.
        """
        first = self.places[at - 2] if at > 1 else 0
        last = self.places[at - 1] if at <= len(self) else self.merges + 1
        searches = range(first + 1, last + 1)
        return tuple(pair for place in searches for pair in iter_refused(hierarchy, place))

    def step_of(self, place: int) -> int:
        """The step to which a merge of the record is counted; 0 for none."""
        return min(bisect_left(self.places, place) + 1, len(self.steps)) if place else 0
