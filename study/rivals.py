"""The rivals, fitted on the explained records, or all labelled ones, and their black-box labels."""

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
from glocalx.rules.scoring import Reference
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
    frame, labels = work.labels_for_rivals
    task = Task(
        frame,
        labels,
        work.schema,
        seed=work.cell.seed,
        most_rules=work.settings.budget,
        local_rules=work.rules,
        black_box=work.box,
    )
    known = Reference(Records(work.schema, frame), labels)
    for key in available_baselines(work.schema):
        if key in EXTRAS and not work.settings.extras:
            continue
        begun = time.perf_counter()
        fitted = fit_baseline(key, task)
        yield from _entries(key, fitted, time.perf_counter() - begun, work, known)


def _entries(
    key: str, fitted: RuleSet, seconds: float, work: ExplainedCell, known: Reference
) -> Iterator[Contender]:
    if isinstance(fitted, Cpar):
        yield Contender(key, fitted, seconds)
        most = work.settings.budget
        yield Contender(f"{key}-best", fitted.only(fitted.rules[:most]), seconds)
        yield Contender(f"{key}-chosen", fitted.only(_chosen(fitted.rules, known, most)), seconds)
    elif key in ("cega", "cfire"):
        yield Contender(key, fitted, seconds)
        few = _chosen(fitted.rules, known, work.settings.budget) if fitted.rules else ()
        yield Contender(f"{key}-chosen", RuleSet.of(fitted.name, few, known), seconds)
    elif key in EXTRAS:
        yield Contender(f"{key}-whole", fitted, seconds)
        yield Contender(key, _cut(key, fitted, known, work.settings.budget), seconds)
    else:
        yield Contender(key, fitted, seconds)


def _chosen(rules: Iterable[Rule], known: Reference, most: int) -> tuple[Rule, ...]:
    """The rules that together agree best: a cut that gives rivals what budget gives us."""
    return select_budget(rules, known, most).rules


def _cut(key: str, fitted: RuleSet, known: Reference, most: int) -> RuleSet:
    """At most as many rules as the budget: the head of a list, the best together of a set."""
    if fitted.size <= most:
        return fitted
    if key == "bayesian-list":
        ranked = fitted.theory.ranked[:most]
        return RuleSet(
            fitted.name, RankedTheory(known.records.schema, ranked, fitted.theory.default)
        )
    return RuleSet.of(fitted.name, _chosen(fitted.rules, known, most), known)


@dataclass(frozen=True, slots=True)
class MajorityAlone:
    """No rules at all: always the most common black-box label."""

    outcome: str
    rules: tuple[Rule, ...] = ()

    def predict(self, records: Records) -> npt.NDArray[np.object_]:
        return np.full(records.size, self.outcome, dtype=object)
