"""Where rules mislead: small cases that are run when they are asked for.

Each ends in a sentence on what to check. The numbers are counted, never written down.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from glocalx.blackbox.python_object import PythonBlackBox
from glocalx.extraction.iterate import local_rules
from glocalx.lessons.presets import moons
from glocalx.lessons.scene import EXPLAINED, LESSON, Scene
from glocalx.merging.iterate import merged
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.coverage import Records, similarity
from glocalx.rules.rule import Rule
from glocalx.rules.schema import Feature, Schema
from glocalx.rules.scoring import Reference
from glocalx.rules.theory import named_features
from glocalx.words.figures import percent
from glocalx.words.phrases import counted

ALIKE = 0.5  # of the records that either covers: a rule that returns
SEEDS = 5


@dataclass(frozen=True, slots=True)
class Misled:
    """What came out of a case, in plain sentences, and what to check."""

    told: tuple[str, ...]
    check: str


def small_neighbourhood() -> Misled:
    """Local rules made from few neighbours, and from many."""
    scene, shares = moons(), []
    for neighbours in (10, 500):
        found = scene.explained(range(EXPLAINED), neighbours=neighbours)
        covered = sum(rule.covered for rule in found)
        shares.append((neighbours, sum(rule.agreed for rule in found) / max(covered, 1)))
    (few, worse), (many, better) = shares
    return Misled(
        (
            f"Each of {EXPLAINED} rules was made from {few} neighbours: on other records they are "
            f"right for {percent(worse, 1)} of what they cover.",
            f"Made from {many} neighbours, they are right for {percent(better, 1)}.",
        ),
        "Look at how often local rules agree on records they were not made from. If that is low, "
        "ask the black box about more neighbours.",
    )


class _ByDistrict:
    """A box that asks for the district and for nothing else."""

    def predict(self, frame: pd.DataFrame) -> npt.NDArray[Any]:
        return np.where(frame["district"] == "north", "deny", "accept")


def proxy() -> Misled:
    """No rule names the group, and yet the groups are treated differently."""
    rng = np.random.default_rng(0)
    group = rng.choice(["A", "B"], 200)
    same = rng.random(200) < 0.9
    district = np.where((group == "A") == same, "north", "south")
    frame = pd.DataFrame({"group": group, "district": district, "age": rng.integers(18, 70, 200)})
    schema = Schema.of(frame, ["accept", "deny"])
    box = PythonBlackBox(_ByDistrict(), schema, outcomes=schema.outcomes)
    reference = Reference(Records(schema, frame), box.labels(frame))
    found = local_rules(frame, box, schema, background=frame, records=range(12))
    rules = merged([each.rule for each in found], reference, LESSON).rules()
    shares = {
        name: float((reference.labels[group == name] == "deny").mean()) for name in ("A", "B")
    }
    names = sorted(named_features(rules))
    return Misled(
        (
            f"The rules agree with the model on {percent(reference.fidelity(rules))} of the "
            f"records and name only: {', '.join(names)}. None of them names the group.",
            f"Still {percent(shares['A'])} of group A and {percent(shares['B'])} of group B are "
            "denied: who lives where says who belongs to which group.",
        ),
        "That no rule names a sensitive feature proves nothing. Compare the answers of the groups "
        "on the page Audit, and look at its proxies.",
    )


def majority() -> Misled:
    """One rule without conditions that is nearly always right, and finds nobody."""
    schema = Schema((Feature("x", "integer"),), ("rare", "usual"))
    frame = pd.DataFrame({"x": np.arange(100)})
    labels = ["rare" if x >= 94 else "usual" for x in range(100)]
    reference = Reference(Records(schema, frame), labels)
    always = schema.rule({}, "usual")
    rare = reference.having["rare"].bit_count()
    found = int((RankedTheory.of([always], reference).predict(reference.records) == "rare").sum())
    return Misled(
        (
            f"The rule “always usual” agrees on {percent(reference.fidelity([always]))} of the "
            "records.",
            f"Of the {counted(rare, 'rare record')} it finds {found}.",
        ),
        "When one outcome is rare, nearly any rules agree often. Look at each outcome by itself, "
        "and at what guessing would reach.",
    )


def unstable() -> Misled:
    """The same table, other seeds: which of the rules come back?"""
    scene = moons()
    reference = scene.reference
    runs = [_of_seed(scene, seed) for seed in range(SEEDS)]
    first, *others = runs
    returned = [
        sum(any(_alike(rule, other, reference) for other in run) for run in others)
        for rule in first
    ]
    always = sum(count == len(others) for count in returned)
    return Misled(
        (
            f"Merging {EXPLAINED} local rules of the moons left {counted(len(first), 'rule')}. "
            f"With {len(others)} other choices of records to explain, {always} of them came back "
            "every time.",
            "A rule counts as the same if it has the same outcome and shares at least half of the "
            "records that either covers.",
        ),
        "Before you quote a single rule, look at how often it returns when records are drawn "
        "anew (page Global theory).",
    )


def _of_seed(scene: Scene, seed: int) -> tuple[Rule, ...]:
    """What merging leaves of the rules of other records."""
    rng = np.random.default_rng([seed, 7])
    chosen = sorted(rng.permutation(len(scene.frame))[:EXPLAINED].tolist())
    found = [each.rule for each in scene.explained(chosen, seed=seed)]
    return merged(found, scene.reference, LESSON).rules().rules


def _alike(one: Rule, other: Rule, reference: Reference) -> bool:
    covered = (reference.score(rule).coverage for rule in (one, other))
    return one.outcome == other.outcome and similarity(*covered) >= ALIKE


class _WithACorner:
    """Answers by x, but for a corner where y counts."""

    def predict(self, frame: pd.DataFrame) -> npt.NDArray[Any]:
        corner = (frame["x"] >= 7) & (frame["y"] >= 9)
        return np.where((frame["x"] >= 5) & ~corner, "yes", "no")


def against_the_model() -> Misled:
    """Rules that leave out a feature which the model does use."""
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"x": rng.uniform(0, 10, 120), "y": rng.uniform(0, 10, 120)}).round(1)
    schema = Schema.of(frame, ["no", "yes"])
    box = PythonBlackBox(_WithACorner(), schema, outcomes=schema.outcomes)
    reference = Reference(Records(schema, frame), box.labels(frame))
    rules = [schema.rule({"x": (5, np.inf)}, "yes"), schema.rule({"x": (-np.inf, 5)}, "no")]
    flipped = frame.assign(y=9.5)
    model = int((box.labels(flipped) != reference.labels).sum())
    theory = RankedTheory.of(rules, reference)
    before, after = (theory.predict(Records(schema, each)) for each in (frame, flipped))
    return Misled(
        (
            f"Two rules on x agree with the model on {percent(reference.fidelity(rules))} of the "
            "records, and do not name y.",
            f"Set y to 9.5 for everybody: the model changes {counted(model, 'answer')}, the rules "
            f"change {int((before != after).sum())}.",
        ),
        "Rules that leave a feature out do not show that the model does. Change the feature and "
        "ask the model itself (flip test on the page Audit).",
    )


@dataclass(frozen=True, slots=True)
class Case:
    """What to think about before the case is run, and what runs it."""

    told_before: str
    ask: str
    run: Callable[[], Misled]


CASES: dict[str, Case] = {
    "A neighbourhood that is too small": Case(
        "A local rule is made from answers around one record. Ask for ten of them, and it fits "
        "these ten.",
        "How often is such a rule right elsewhere?",
        small_neighbourhood,
    ),
    "A feature and its proxy": Case(
        "A model never asks for the group that somebody belongs to, only for the district.",
        "Are the groups treated alike?",
        proxy,
    ),
    "A high fidelity that is hardly useful": Case(
        "Six of a hundred records have the rare answer. One rule: always the usual one.",
        "How faithful is it, and whom does it find?",
        majority,
    ),
    "Rules that do not come back": Case(
        "The same points and the same black box; other records are explained.",
        "How many of the merged rules return?",
        unstable,
    ),
    "Rules against the model": Case(
        "Two rules that name x agree with the model nearly always.",
        "Does the model look at y?",
        against_the_model,
    ),
}
"""By their titles."""
