"""CFIRE (Müller et al. 2025, arXiv 2504.00930), written from its description.

For each outcome: which sets of features do explanations name together often (closed frequent
itemsets)? Each set is a small space in which boxes are drawn around the records of the outcome; of
all boxes a greedy cover keeps those that add something: a rule for each, together a formula in
disjunctive normal form. What the description leaves open is ours: boxes are the leaves of a tree of
depth 4 that tells the records explained by the set from those of other outcomes, a box has to add a
hundredth of the outcome's records, and where rules of two outcomes meet the more accurate decides.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from glocalx.baselines.base import RuleSet, Task, reference_of
from glocalx.baselines.local_explanations import closed_itemsets, features_named
from glocalx.baselines.tree import grow, iter_leaf_rules
from glocalx.rules.branches import TreeColumns
from glocalx.rules.coverage import Bits, Records
from glocalx.rules.rule import Rule
from glocalx.rules.scoring import Reference

FREQUENCY = 0.01
DEPTH = 4
MOST_SETS = 200  # of features, the most frequent ones, for each outcome
_REST = "the rest"


def fit_cfire(task: Task) -> RuleSet:
    """Boxes in the spaces that local rules speak of, for each outcome.

    The explanations are the task's local rules.
    """
    reference = reference_of(task)
    named = features_named(task.local_rules, reference)
    rules: list[Rule] = []
    for outcome in reference.outcomes:
        own = np.flatnonzero(reference.labels == outcome)
        if not len(own):
            continue
        least = max(2, round(FREQUENCY * len(own)))
        sets = closed_itemsets((named[place] for place in own.tolist()), least)
        often = sorted(sets.items(), key=lambda each: -len(each[1]))[:MOST_SETS]
        boxes = {
            box
            for features, places in often
            for box in _boxes(features, own[list(places)], outcome, task, reference)
        }
        rules += _cover(boxes, outcome, least, reference)
    return RuleSet.of("CFIRE", rules, reference)


def _boxes(
    features: frozenset[str],
    places: np.ndarray,
    outcome: str,
    task: Task,
    reference: Reference,
) -> Iterator[Rule]:
    """Boxes around these records of an outcome, in the space of some features."""
    schema = task.schema
    others = np.flatnonzero(reference.labels != outcome)
    chosen = tuple(each for each in schema.features if each.name in features)
    said = outcome if outcome != _REST else f"{outcome}!"
    space = replace(schema, features=chosen, outcomes=(said, _REST), outcome_labels={}, bands=())
    records = Records(space, task.frame.iloc[np.concatenate([places, others])])
    known = Reference(records, [said] * len(places) + [_REST] * len(others))
    columns = TreeColumns(space)
    grown = grow(known, columns, max_depth=DEPTH, seed=task.seed)
    for rule in iter_leaf_rules(grown, columns, records):
        if rule.outcome == said and len(rule):
            yield schema.rule(dict(rule.premises), outcome)


def _cover(boxes: set[Rule], outcome: str, least: int, reference: Reference) -> list[Rule]:
    """One box after the other, each time the one that adds most, as long as it adds enough."""
    left: Bits = reference.having[outcome]
    ranked = reference.ranked(boxes)  # on a tie the more accurate
    coverages = [reference.score(rule).coverage for rule in ranked]
    taken: list[Rule] = []
    while ranked:
        gains = [(bits & left).bit_count() for bits in coverages]
        best = int(np.argmax(gains))
        if gains[best] < least:
            break
        taken.append(ranked[best])
        left &= ~coverages[best]
    return taken
