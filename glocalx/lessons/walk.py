"""A run as a walk from pair to pair: those that were turned down, too, so that there is something
to guess."""

from __future__ import annotations

from glocalx.merging.hierarchy import Hierarchy
from glocalx.merging.told import TriedPair, iter_refused
from glocalx.rules.rule import Rule


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
