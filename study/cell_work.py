"""All figures of one cell, as plain data."""

from __future__ import annotations

import platform
import time
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np

from glocalx.baselines import Task
from glocalx.baselines.tree import fit_tree
from glocalx.evaluation import evaluate
from glocalx.evaluation.measures import RuleClassifier
from glocalx.pipeline.theories import drawn_reference
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.scoring import Reference
from glocalx.words.wording import Wording
from study.ablations import by_size, fewer_rules
from study.compas_traits import RULES_SHOWN, whom_rules_cover
from study.explained_cell import ExplainedCell
from study.paper import ALPHA
from study.plan import PERCENTILES, StudyCell, StudySettings
from study.rivals import Contender, MajorityAlone, iter_rivals
from study.two_ways import MergedRules

PACKAGES = ("glocalx", "numpy", "pandas", "scikit-learn", "scipy")
EXTRA_PACKAGES = ("wittgenstein", "aix360", "imodels")


def work_on(cell: StudyCell, settings: StudySettings) -> dict[str, Any]:
    """Train, explain, merge, and measure everything that the study reports of this cell."""
    begun = time.perf_counter()
    work = ExplainedCell.of(cell, settings)
    ours, printed = (
        way(work.rules, work) for way in (MergedRules.as_people_get, MergedRules.as_printed)
    )
    entries = (*_iter_ours(work, ours, printed), *iter_rivals(work))
    majority = Contender("majority", MajorityAlone(work.reference.majority), 0.0)
    return {
        **_about(work, ours),
        "majority": _figures(majority, work),
        "methods": {entry.key: _figures(entry, work) for entry in entries},
        "alpha_q": {
            str(q): _figures(Contender("", printed.alpha_q(q), 0.0), work) for q in PERCENTILES
        },
        "by size": by_size(work, ours, printed),
        "fewer rules": fewer_rules(work, ours, printed),
        **_shown(work, ours, printed),
        "seconds": {
            **{name: round(value, 2) for name, value in work.seconds.items()},
            "merging": round(ours.seconds, 3),
            "all": round(time.perf_counter() - begun, 2),
        },
        "versions": _versions(),
    }


def _about(work: ExplainedCell, ours: MergedRules) -> dict[str, Any]:
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
        "distinct local rules": len(ours.hierarchy.local_rules),
        "merges": ours.hierarchy.accepted,
    }


def _shown(work: ExplainedCell, ours: MergedRules, printed: MergedRules) -> dict[str, Any]:
    """The rules themselves, and whom those of the paper's way cover."""
    six, budget = printed.alpha(RULES_SHOWN), work.settings.budget
    shown = {f"alpha={RULES_SHOWN}": six, f"budget={budget}": ours.budget(budget)}
    return {
        "rules": {name: _texts(theory, work) for name, theory in shown.items()},
        "whom": whom_rules_cover(work, six),
    }


def _iter_ours(work: ExplainedCell, ours: MergedRules, printed: MergedRules) -> Iterator[Contender]:
    """GLocalX as people get it and as in the paper, on the records and without them."""
    alpha, budget = ALPHA[work.cell.dataset], work.settings.budget
    yield Contender("glx", printed.alpha(alpha), printed.seconds)
    yield Contender("alpha", ours.alpha(budget), ours.seconds)
    for key, way in (("", ours), ("-printed", printed)):
        yield Contender(f"budget{key}", way.budget(budget), way.seconds)
        yield Contender(f"all-left{key}", way.left, way.seconds)
    road = work.road
    for name, box in (("star", road.black_box), ("blind", None)):
        drawn = drawn_reference(road.labelled, road.local_rules, box)
        starred = MergedRules.as_printed(work.rules, work, drawn)
        yield Contender(f"glx-{name}", starred.alpha(alpha), starred.seconds)
        starred = MergedRules.as_people_get(work.rules, work, drawn)
        yield Contender(f"budget-{name}", starred.budget(budget), starred.seconds)


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
        "conditions": sum(map(len, theory.rules)),
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
    tree = fit_tree(Task(work.train, work.train_truth, work.schema, work.cell.seed))
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
