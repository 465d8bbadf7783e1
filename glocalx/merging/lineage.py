"""What was merged into each theory of a hierarchy, all the way down to its local rules."""

from __future__ import annotations

from itertools import accumulate

from glocalx.merging.hierarchy import Hierarchy


def folded_rules(hierarchy: Hierarchy, last: int) -> list[int]:
    """For each theory up to step `last` the number of local rules merged into it."""
    folded = [1] * len(hierarchy.local_rules)
    for step in hierarchy.steps[:last]:
        folded.append(folded[step.left] + folded[step.right])
    return folded


def outcomes_within(hierarchy: Hierarchy, last: int) -> list[frozenset[str]]:
    """For each theory up to step `last` the outcomes of the local rules merged into it."""
    single = {rule.outcome: frozenset((rule.outcome,)) for rule in hierarchy.local_rules}
    within = [single[rule.outcome] for rule in hierarchy.local_rules]
    for step in hierarchy.steps[:last]:
        one, other = within[step.left], within[step.right]
        within.append(one if one == other else one | other)
    return within


def distances(hierarchy: Hierarchy) -> list[float]:
    """For each step, from 0, the greatest distance (1 − similarity) that was merged so far.

    Similarities go up and down from merge to merge; their running extreme does not, so that a
    merge never stands before those that it rests on.
    """
    return [0.0, *accumulate((1 - step.trial.similarity for step in hierarchy.steps), max)]
