"""Ablations: fewer rules in the theory, and fewer local rules to merge (the paper's Figure 2)."""

from __future__ import annotations

from typing import Any

import numpy as np

from glocalx.baselines import Task
from glocalx.baselines.tree import fit_tree
from study.explained_cell import ExplainedCell
from study.two_ways import MergedRules

SIZES = (2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25)
PERCENTILE = 50  # of rule fidelity, to lessen the impact of trimming, as in the paper


def by_size(work: ExplainedCell, ours: MergedRules, printed: MergedRules) -> dict[str, Any]:
    """For each number of rules the held-out fidelity of each way; a theory may have fewer."""
    frame, labels = work.labels_for_rivals
    found = {}
    for size in SIZES:
        task = Task(frame, labels, work.schema, work.cell.seed)
        tree = fit_tree(task, max_leaves=size)
        theories = {
            "budget": ours.budget(size),
            "alpha": ours.alpha(size),
            "alpha one by one": printed.alpha(size),
            "tree": tree.theory,
        }
        found[str(size)] = {name: each.fidelity(work.held_out) for name, each in theories.items()}
    return found


def fewer_rules(
    work: ExplainedCell, ours: MergedRules, printed: MergedRules
) -> dict[str, list[dict[str, Any]]]:
    """For each share of the local rules, in percent, the figures of each trial; 100: all of them.

    Rules are drawn by record, so that rules which explain many records are drawn more often.
    """
    found: dict[str, list[dict[str, Any]]] = {}
    generator = np.random.default_rng((work.cell.seed, 2))
    rules = work.rules
    for share in work.settings.shares:
        count = round(len(rules) * share / 100)
        if count < 2 * len(work.schema.outcomes):
            continue  # German credit at 1 %: two rules
        found[str(share)] = []
        for _ in range(work.settings.trials):
            drawn = generator.choice(len(rules), count, replace=False)
            some = [rules[place] for place in drawn]
            ways = MergedRules.as_people_get(some, work), MergedRules.as_printed(some, work)
            found[str(share)].append(_figures(*ways, work))
    found["100"] = [_figures(ours, printed, work)]
    return found


def _figures(ours: MergedRules, printed: MergedRules, work: ExplainedCell) -> dict[str, Any]:
    """The paper's filter of the paper's merge, and the budget of ours."""
    theories = {
        "alpha_q": printed.alpha_q(PERCENTILE),
        "budget": ours.budget(work.settings.budget),
    }
    return {
        name: {"fidelity": each.fidelity(work.held_out), "size": each.size}
        for name, each in theories.items()
    }
