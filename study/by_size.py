"""Fidelity at every number of rules: budget, alpha, and a tree of as many leaves."""

from __future__ import annotations

from itertools import islice
from typing import Any

from glocalx.baselines.tree import fit_tree
from glocalx.merging.hierarchy import Hierarchy
from glocalx.rules.classifier import RankedTheory
from glocalx.selection import budget_candidates, iter_budget, select
from study.world import World

SIZES = (2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25)


def by_size(world: World, hierarchy: Hierarchy) -> dict[str, Any]:
    """For each number of rules the held-out fidelity of the three; a theory may have fewer."""
    reference, held_out = world.reference, world.held_out
    chosen = list(islice(iter_budget(budget_candidates(hierarchy), reference), max(SIZES)))
    found = {}
    for size in SIZES:
        tree = fit_tree(
            world.explain,
            reference.labels,
            world.schema,
            max_leaves=size,
            seed=world.cell.seed,
        )
        theories = {
            "budget": RankedTheory.of(chosen[:size], reference),
            "alpha": RankedTheory.of(select(hierarchy, reference, alpha=size), reference),
            "tree": tree.theory,
        }
        found[str(size)] = {name: theory.fidelity(held_out) for name, theory in theories.items()}
    return found
