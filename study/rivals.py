"""The rivals, fitted on the explained records and their black-box labels."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from glocalx.baselines import Baseline, Task, available_baselines, fit_baseline
from glocalx.baselines.base import RuleSet
from glocalx.baselines.cpar import Cpar
from glocalx.evaluation.measures import RuleClassifier
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.coverage import Records
from glocalx.rules.rule import Rule
from glocalx.selection import select_budget
from study.world import World

EXTRAS = ("ripper", "brcg", "bayesian-list")


@dataclass(frozen=True, slots=True)
class Entry:
    """A theory in the comparison: the key of its method, and how long it took."""

    key: str
    theory: RuleClassifier
    seconds: float


def iter_rivals(world: World) -> Iterator[Entry]:
    """Every baseline that is installed, whole and, where it is larger, cut to the budget."""
    task = Task(
        world.explain,
        world.reference.labels,
        world.schema,
        seed=world.cell.seed,
        most_rules=world.settings.budget,
        local_rules=world.rules,
        black_box=world.box,
    )
    for key in available_baselines(world.schema):
        if key in EXTRAS and not world.settings.extras:
            continue
        begun = time.perf_counter()
        fitted = fit_baseline(key, task)
        yield from _entries(key, fitted, time.perf_counter() - begun, world)


def _entries(key: str, fitted: Baseline, seconds: float, world: World) -> Iterator[Entry]:
    if isinstance(fitted, Cpar):
        yield Entry(key, fitted, seconds)
        most = world.settings.budget
        yield Entry(f"{key}-best", fitted.only(fitted.rules[:most]), seconds)
        yield Entry(f"{key}-chosen", fitted.only(_chosen(fitted.rules, world)), seconds)
    elif key in EXTRAS and isinstance(fitted, RuleSet):
        yield Entry(f"{key}-whole", fitted, seconds)
        yield Entry(key, _cut(key, fitted, world), seconds)
    else:
        yield Entry(key, fitted, seconds)


def _chosen(rules: Iterable[Rule], world: World) -> tuple[Rule, ...]:
    """The rules that together agree best: a cut that gives rivals what budget gives us."""
    return select_budget(rules, world.reference, world.settings.budget).rules


def _cut(key: str, fitted: RuleSet, world: World) -> RuleSet:
    """At most as many rules as the budget: the head of a list, the best together of a set."""
    most = world.settings.budget
    if fitted.size <= most:
        return fitted
    if key == "bayesian-list":
        ranked = fitted.theory.ranked[:most]
        return RuleSet(fitted.name, RankedTheory(world.schema, ranked, fitted.theory.default))
    return RuleSet.of(fitted.name, _chosen(fitted.rules, world), world.reference)


@dataclass(frozen=True, slots=True)
class MajorityAlone:
    """No rules at all: always the most common black-box label."""

    outcome: str
    rules: tuple[Rule, ...] = ()

    def predict(self, records: Records) -> npt.NDArray[np.object_]:
        return np.full(records.size, self.outcome, dtype=object)
