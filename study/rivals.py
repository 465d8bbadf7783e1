"""The rivals, fitted on the explained records and their black-box labels."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from glocalx.baselines import RuleSet, Task, available_baselines, fit_baseline
from glocalx.baselines.cpar import Cpar
from glocalx.evaluation.measures import RuleClassifier
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.coverage import Records
from glocalx.rules.rule import Rule
from glocalx.selection import select_budget
from study.explained_cell import ExplainedCell

EXTRAS = ("ripper", "brcg", "bayesian-list")


@dataclass(frozen=True, slots=True)
class Contender:
    """A theory in the comparison: the key of its method, and how long it took."""

    key: str
    theory: RuleClassifier
    seconds: float


def iter_rivals(work: ExplainedCell) -> Iterator[Contender]:
    """Every baseline that is installed, whole and, where it is larger, cut to the budget."""
    task = Task(
        work.explain,
        work.reference.labels,
        work.schema,
        seed=work.cell.seed,
        most_rules=work.settings.budget,
        local_rules=work.rules,
        black_box=work.box,
    )
    for key in available_baselines(work.schema):
        if key in EXTRAS and not work.settings.extras:
            continue
        begun = time.perf_counter()
        fitted = fit_baseline(key, task)
        yield from _entries(key, fitted, time.perf_counter() - begun, work)


def _entries(key: str, fitted: RuleSet, seconds: float, work: ExplainedCell) -> Iterator[Contender]:
    if isinstance(fitted, Cpar):
        yield Contender(key, fitted, seconds)
        most = work.settings.budget
        yield Contender(f"{key}-best", fitted.only(fitted.rules[:most]), seconds)
        yield Contender(f"{key}-chosen", fitted.only(_chosen(fitted.rules, work)), seconds)
    elif key in EXTRAS:
        yield Contender(f"{key}-whole", fitted, seconds)
        yield Contender(key, _cut(key, fitted, work), seconds)
    else:
        yield Contender(key, fitted, seconds)


def _chosen(rules: Iterable[Rule], work: ExplainedCell) -> tuple[Rule, ...]:
    """The rules that together agree best: a cut that gives rivals what budget gives us."""
    return select_budget(rules, work.reference, work.settings.budget).rules


def _cut(key: str, fitted: RuleSet, work: ExplainedCell) -> RuleSet:
    """At most as many rules as the budget: the head of a list, the best together of a set."""
    most = work.settings.budget
    if fitted.size <= most:
        return fitted
    if key == "bayesian-list":
        ranked = fitted.theory.ranked[:most]
        return RuleSet(fitted.name, RankedTheory(work.schema, ranked, fitted.theory.default))
    return RuleSet.of(fitted.name, _chosen(fitted.rules, work), work.reference)


@dataclass(frozen=True, slots=True)
class MajorityAlone:
    """No rules at all: always the most common black-box label."""

    outcome: str
    rules: tuple[Rule, ...] = ()

    def predict(self, records: Records) -> npt.NDArray[np.object_]:
        return np.full(records.size, self.outcome, dtype=object)
