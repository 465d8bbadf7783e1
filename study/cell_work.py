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
from glocalx.pipeline.theories import drawn_reference, merged
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.rule import Rule
from glocalx.rules.scoring import Reference
from glocalx.selection import select
from glocalx.words.wording import Wording
from study.ablations import by_size, fewer_rules
from study.compas_traits import RULES_SHOWN, whom_rules_cover
from study.explained_cell import ExplainedCell
from study.paper import ALPHA
from study.plan import PERCENTILES, StudyCell, StudySettings
from study.rivals import Contender, MajorityAlone, iter_rivals

PACKAGES = ("glocalx", "numpy", "pandas", "scikit-learn", "scipy")
EXTRA_PACKAGES = ("wittgenstein", "aix360", "imodels")


def work_on(cell: StudyCell, settings: StudySettings) -> dict[str, Any]:
    """Train, explain, merge, and measure everything that the study reports of this cell."""
    begun = time.perf_counter()
    work = ExplainedCell.of(cell, settings)
    hierarchy, merging = _timed(work.rules, work.reference, settings)
    entries = (*_iter_ours(work, hierarchy, merging), *iter_rivals(work))
    majority = Contender("majority", MajorityAlone(work.reference.majority), 0.0)
    return {
        **_about(work, hierarchy),
        "majority": _figures(majority, work),
        "methods": {entry.key: _figures(entry, work) for entry in entries},
        "alpha_q": {str(q): _figures(entry, work) for q, entry in _iter_alpha_q(work, hierarchy)},
        "by size": by_size(work, hierarchy),
        "fewer rules": fewer_rules(work, hierarchy),
        **_shown(work, hierarchy),
        "seconds": {
            **{name: round(value, 2) for name, value in work.seconds.items()},
            "merging": round(merging, 3),
            "all": round(time.perf_counter() - begun, 2),
        },
        "versions": _versions(),
    }


def _about(work: ExplainedCell, hierarchy: Hierarchy) -> dict[str, Any]:
    """What the figures were taken on."""
    return {
        "records": {
            "train": len(work.train),
            "explain": work.reference.size,
            "test": work.held_out.size,
        },
        "black box": _black_box(work),
        "true tree": _true_tree(work),
        "local rules": len(work.rules),
        "distinct local rules": len(hierarchy.local_rules),
        "merges": hierarchy.accepted,
    }


def _shown(work: ExplainedCell, hierarchy: Hierarchy) -> dict[str, Any]:
    """The rules themselves, and whom those of the paper's way cover."""
    reference, budget = work.reference, work.settings.budget
    theories = {
        f"alpha={RULES_SHOWN}": select(hierarchy, reference, alpha=RULES_SHOWN, together=False),
        f"budget={budget}": select(hierarchy, reference, budget=budget),
    }
    ranked = {name: RankedTheory.of(rules, reference) for name, rules in theories.items()}
    return {
        "rules": {name: _texts(theory, work) for name, theory in ranked.items()},
        "whom": whom_rules_cover(work, ranked[f"alpha={RULES_SHOWN}"]),
    }


def _timed(
    rules: list[Rule], reference: Reference, settings: StudySettings
) -> tuple[Hierarchy, float]:
    """The hierarchy of these rules, and how long merging them took."""
    begun = time.perf_counter()
    hierarchy = merged(rules, reference, settings.merging)
    return hierarchy, time.perf_counter() - begun


def _iter_ours(work: ExplainedCell, hierarchy: Hierarchy, seconds: float) -> Iterator[Contender]:
    """GLocalX by alpha and by budget, on the explained records and without them."""
    alpha, budget = ALPHA[work.cell.dataset], work.settings.budget
    reference = work.reference
    ranked = RankedTheory.of
    yield Contender(
        "glx", ranked(select(hierarchy, reference, alpha=alpha, together=False), reference), seconds
    )
    yield Contender(
        "budget", ranked(select(hierarchy, reference, budget=budget), reference), seconds
    )
    yield Contender("all-left", ranked(hierarchy.rules(), reference), seconds)
    road = work.road
    for name, box in (("star", road.black_box), ("blind", None)):
        drawn = drawn_reference(road.labelled, road.local_rules, box)
        starred, seconds = _timed(work.rules, drawn, work.settings)
        yield Contender(
            f"glx-{name}",
            ranked(select(starred, drawn, alpha=alpha, together=False), drawn),
            seconds,
        )
        yield Contender(
            f"budget-{name}", ranked(select(starred, drawn, budget=budget), drawn), seconds
        )


def _iter_alpha_q(work: ExplainedCell, hierarchy: Hierarchy) -> Iterator[tuple[int, Contender]]:
    for q in PERCENTILES:
        chosen = select(hierarchy, work.reference, alpha_q=q)
        yield q, Contender("", RankedTheory.of(chosen, work.reference), 0.0)


def _figures(entry: Contender, work: ExplainedCell) -> dict[str, Any]:
    """What the held-out records say of a theory."""
    return _measured(entry.theory, work.held_out, work) | {"seconds": round(entry.seconds, 3)}


def _measured(theory: RuleClassifier, held_out: Reference, work: ExplainedCell) -> dict[str, Any]:
    found = evaluate(theory, held_out, work.truth, resamples=1)
    return {
        "fidelity": found.fidelity,
        "accuracy": found.accuracy,
        "delta": found.delta_accuracy,
        "size": found.size,
        "length": found.length,
        "length deviation": found.length_deviation,
        "coverage": found.coverage,
    }


def _black_box(work: ExplainedCell) -> dict[str, Any]:
    right = work.held_out.labels == work.truth
    return {
        "accuracy": float(np.mean(right)),
        "preset": work.settings.preset_of(work.cell),
        "parameters": {name: str(value) for name, value in work.box.parameters.items()},
        "notes": list(work.box.notes),
    }


def _true_tree(work: ExplainedCell) -> dict[str, Any]:
    """A tree on the true labels of the records that the black box was trained on (table 2)."""
    tree = fit_tree(work.train, work.train_truth, work.schema, seed=work.cell.seed)
    return _measured(tree, work.held_out, work)


def _texts(theory: RankedTheory, work: ExplainedCell) -> list[str]:
    wording = Wording(work.schema, work.reference.records)
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
