"""How much is lost with fewer local rules: the paper's Figure 2."""

from __future__ import annotations

from typing import Any

import numpy as np

from glocalx.merging.hierarchy import Hierarchy
from glocalx.merging.iterate import iter_merges
from glocalx.rules.classifier import RankedTheory
from glocalx.selection import select
from study.world import World

PERCENTILE = 50  # of rule fidelity, to lessen the impact of trimming, as in the paper


def fewer_rules(world: World, whole: Hierarchy) -> dict[str, list[dict[str, Any]]]:
    """For each share of the local rules, in percent, the figures of each trial; 100: all of them.

    Rules are drawn by record, so that rules which explain many records are drawn more often.
    """
    found: dict[str, list[dict[str, Any]]] = {}
    generator = np.random.default_rng((world.cell.seed, 2))
    rules = world.rules
    for share in world.settings.shares:
        count = round(len(rules) * share / 100)
        if count < 2 * len(world.schema.outcomes):
            continue  # German credit at 1 %: two rules
        found[str(share)] = []
        for _ in range(world.settings.trials):
            drawn = generator.choice(len(rules), count, replace=False)
            hierarchy = Hierarchy.start(
                [rules[place] for place in drawn], world.reference, world.settings.merging
            )
            for _ in iter_merges(hierarchy, world.reference):
                pass
            found[str(share)].append(_figures(hierarchy, world))
    found["100"] = [_figures(whole, world)]
    return found


def _figures(hierarchy: Hierarchy, world: World) -> dict[str, Any]:
    reference = world.reference
    filtered = RankedTheory.of(select(hierarchy, reference, alpha_q=PERCENTILE), reference)
    chosen = RankedTheory.of(select(hierarchy, reference, budget=world.settings.budget), reference)
    return {
        "alpha_q": {"fidelity": filtered.fidelity(world.held_out), "size": filtered.size},
        "budget": {"fidelity": chosen.fidelity(world.held_out), "size": chosen.size},
    }
