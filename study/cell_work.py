"""All figures of one cell, as plain data."""

from __future__ import annotations

import platform
import time
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np

from glocalx.baselines.tree import fit_tree
from glocalx.evaluation import evaluate
from glocalx.evaluation.measures import RuleClassifier
from glocalx.merging.hierarchy import Hierarchy
from glocalx.merging.iterate import iter_merges
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.rule import Rule
from glocalx.rules.scoring import Reference
from glocalx.selection import select
from glocalx.synthetic import FeatureDistribution, synthetic_reference
from glocalx.words.wording import Wording
from study.by_size import by_size
from study.fewer_rules import fewer_rules
from study.paper import ALPHA
from study.plan import PERCENTILES, Cell, StudySettings
from study.rivals import Entry, MajorityAlone, iter_rivals
from study.whom import RULES_SHOWN, whom_rules_cover
from study.world import World, prepare

PACKAGES = ("glocalx", "numpy", "pandas", "scikit-learn", "scipy")
EXTRA_PACKAGES = ("wittgenstein", "aix360", "imodels")


def work_on(cell: Cell, settings: StudySettings) -> dict[str, Any]:
    """Train, explain, merge, and measure everything that the study reports of this cell."""
    begun = time.perf_counter()
    world = prepare(cell, settings)
    hierarchy, merging = _merged(world.rules, world.reference, settings)
    entries = (*_iter_ours(world, hierarchy, merging), *iter_rivals(world))
    majority = Entry("majority", MajorityAlone(world.reference.majority), 0.0)
    return {
        **_about(world, hierarchy),
        "majority": _figures(majority, world),
        "methods": {entry.key: _figures(entry, world) for entry in entries},
        "alpha_q": {str(q): _figures(entry, world) for q, entry in _iter_alpha_q(world, hierarchy)},
        "by size": by_size(world, hierarchy),
        "fewer rules": fewer_rules(world, hierarchy),
        **_shown(world, hierarchy),
        "seconds": {
            **{name: round(value, 2) for name, value in world.seconds.items()},
            "merging": round(merging, 3),
            "all": round(time.perf_counter() - begun, 2),
        },
        "versions": _versions(),
    }


def _about(world: World, hierarchy: Hierarchy) -> dict[str, Any]:
    """What the figures were taken on."""
    return {
        "records": {
            "train": len(world.train),
            "explain": world.reference.size,
            "test": world.held_out.size,
        },
        "black box": _black_box(world),
        "true tree": _true_tree(world),
        "local rules": len(world.rules),
        "distinct local rules": len(hierarchy.local_rules),
        "merges": hierarchy.accepted,
    }


def _shown(world: World, hierarchy: Hierarchy) -> dict[str, Any]:
    """The rules themselves, and whom those of the paper's way cover."""
    reference, budget = world.reference, world.settings.budget
    theories = {
        f"alpha={RULES_SHOWN}": select(hierarchy, reference, alpha=RULES_SHOWN),
        f"budget={budget}": select(hierarchy, reference, budget=budget),
    }
    ranked = {name: RankedTheory.of(rules, reference) for name, rules in theories.items()}
    return {
        "rules": {name: _texts(theory, world) for name, theory in ranked.items()},
        "whom": whom_rules_cover(world, ranked[f"alpha={RULES_SHOWN}"]),
    }


def _merged(
    rules: list[Rule], reference: Reference, settings: StudySettings
) -> tuple[Hierarchy, float]:
    begun = time.perf_counter()
    hierarchy = Hierarchy.start(rules, reference, settings.merging)
    for _ in iter_merges(hierarchy, reference):
        pass
    return hierarchy, time.perf_counter() - begun


def _iter_ours(world: World, hierarchy: Hierarchy, seconds: float) -> Iterator[Entry]:
    """GLocalX by alpha and by budget, on the explained records and without them."""
    alpha, budget = ALPHA[world.cell.dataset], world.settings.budget
    reference = world.reference
    ranked = RankedTheory.of
    yield Entry("glx", ranked(select(hierarchy, reference, alpha=alpha), reference), seconds)
    yield Entry("budget", ranked(select(hierarchy, reference, budget=budget), reference), seconds)
    yield Entry("all-left", ranked(hierarchy.rules(), reference), seconds)
    distribution = FeatureDistribution(world.explain, world.schema)
    for name, box in (("star", world.box), ("blind", None)):
        drawn = synthetic_reference(
            distribution, world.local, reference.size, black_box=box, seed=world.cell.seed
        )
        starred, seconds = _merged(world.rules, drawn, world.settings)
        yield Entry(f"glx-{name}", ranked(select(starred, drawn, alpha=alpha), drawn), seconds)
        yield Entry(f"budget-{name}", ranked(select(starred, drawn, budget=budget), drawn), seconds)


def _iter_alpha_q(world: World, hierarchy: Hierarchy) -> Iterator[tuple[int, Entry]]:
    for q in PERCENTILES:
        chosen = select(hierarchy, world.reference, alpha_q=q)
        yield q, Entry("", RankedTheory.of(chosen, world.reference), 0.0)


def _figures(entry: Entry, world: World) -> dict[str, Any]:
    """What the held-out records say of a theory."""
    return _measured(entry.theory, world.held_out, world) | {"seconds": round(entry.seconds, 3)}


def _measured(theory: RuleClassifier, held_out: Reference, world: World) -> dict[str, Any]:
    found = evaluate(theory, held_out, world.truth, resamples=1)
    return {
        "fidelity": found.fidelity,
        "accuracy": found.accuracy,
        "delta": found.delta_accuracy,
        "size": found.size,
        "length": found.length,
        "length deviation": found.length_deviation,
        "coverage": found.coverage,
    }


def _black_box(world: World) -> dict[str, Any]:
    right = world.held_out.labels == world.truth
    return {
        "accuracy": float(np.mean(right)),
        "preset": world.settings.preset_of(world.cell),
        "parameters": {name: str(value) for name, value in world.box.parameters.items()},
        "notes": list(world.box.notes),
    }


def _true_tree(world: World) -> dict[str, Any]:
    """A tree on the true labels of the records that the black box was trained on (table 2)."""
    tree = fit_tree(world.train, world.train_truth, world.schema, seed=world.cell.seed)
    return _measured(tree, world.held_out, world)


def _texts(theory: RankedTheory, world: World) -> list[str]:
    wording = Wording(world.schema, world.reference.records)
    return [wording.rule(rule) for rule in theory.rules] + [f"otherwise → {theory.default}"]


def _versions() -> dict[str, str]:
    """Of Python and of every package that a figure may depend on."""
    found = {"python": platform.python_version()}
    for name in (*PACKAGES, *EXTRA_PACKAGES):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found
