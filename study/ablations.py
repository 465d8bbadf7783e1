"""Ablations: fewer rules in the theory, and fewer local rules to merge (the paper's Figure 2)."""

from __future__ import annotations

from itertools import islice
from typing import Any

import numpy as np

from glocalx.baselines.tree import fit_tree
from glocalx.merging.hierarchy import Hierarchy
from glocalx.pipeline.theories import merged
from glocalx.rules.classifier import RankedTheory
from glocalx.selection import budget_candidates, iter_budget, select
from study.explained_cell import ExplainedCell

SIZES = (2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25)
PERCENTILE = 50  # of rule fidelity, to lessen the impact of trimming, as in the paper


def by_size(work: ExplainedCell, hierarchy: Hierarchy) -> dict[str, Any]:
    """For each number of rules the held-out fidelity of the three; a theory may have fewer."""
    reference, held_out = work.reference, work.held_out
    chosen = list(
        islice(iter_budget(budget_candidates(hierarchy, reference), reference), max(SIZES))
    )
    found = {}
    for size in SIZES:
        tree = fit_tree(
            work.explain,
            reference.labels,
            work.schema,
            max_leaves=size,
            seed=work.cell.seed,
        )
        theories = {
            "budget": RankedTheory.of(chosen[:size], reference),
            "alpha": RankedTheory.of(
                select(hierarchy, reference, alpha=size, together=False), reference
            ),
            "tree": tree.theory,
        }
        found[str(size)] = {name: theory.fidelity(held_out) for name, theory in theories.items()}
    return found


def fewer_rules(work: ExplainedCell, whole: Hierarchy) -> dict[str, list[dict[str, Any]]]:
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
            hierarchy = merged(some, work.reference, work.settings.merging)
            found[str(share)].append(_figures(hierarchy, work))
    found["100"] = [_figures(whole, work)]
    return found


def _figures(hierarchy: Hierarchy, work: ExplainedCell) -> dict[str, Any]:
    reference = work.reference
    filtered = RankedTheory.of(select(hierarchy, reference, alpha_q=PERCENTILE), reference)
    chosen = RankedTheory.of(select(hierarchy, reference, budget=work.settings.budget), reference)
    return {
        "alpha_q": {"fidelity": filtered.fidelity(work.held_out), "size": filtered.size},
        "budget": {"fidelity": chosen.fidelity(work.held_out), "size": chosen.size},
    }
