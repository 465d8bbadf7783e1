"""What every baseline is: named rules that answer for records."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from glocalx.blackbox.base import BlackBox
from glocalx.errors import GLocalXError
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.codes import Coded, Codes
from glocalx.rules.coverage import Records
from glocalx.rules.rule import Rule
from glocalx.rules.schema import Schema
from glocalx.rules.scoring import Reference
from glocalx.words.phrases import counted, listing, shown

Labels: TypeAlias = "Collection[object] | npt.NDArray[Any]"
"""One label for each record of a frame; the black box's, where a baseline is to explain it."""


@dataclass(frozen=True, slots=True, eq=False)
class Task:
    """What baselines are fitted on.

    Parameters
    ----------
    frame, labels, schema
        Clean records, their black-box labels, and what the columns are.
    seed
        For those that draw at random.
    most_rules
        For those that have a number of rules to keep to: the small tree, and Trepan.
    local_rules
        For the union, CEGA and CFIRE.
    black_box
        For Trepan, which asks it.
    """

    frame: pd.DataFrame
    labels: Labels
    schema: Schema
    seed: int = 0
    most_rules: int = 10
    local_rules: Sequence[Rule] = ()
    black_box: BlackBox | None = None


@dataclass(frozen=True, slots=True)
class RuleSet:
    """A baseline that answers as a theory does: the first rule that covers a record decides.

    `theory`: its rules in the order in which they decide, and the default.
    """

    name: str
    theory: RankedTheory

    @classmethod
    def of(cls, name: str, rules: Iterable[Rule], reference: Reference) -> RuleSet:
        """These rules, ranked by their Laplace accuracy on the reference records."""
        return cls(name, RankedTheory.of(rules, reference))

    @classmethod
    def in_order(
        cls, name: str, rules: Sequence[Rule], default: str, reference: Reference
    ) -> RuleSet:
        """A rule list: these rules decide in the order given, whatever their accuracy."""
        known = {each.rule: each for each in RankedTheory.of(rules, reference).ranked}
        ranked = tuple(known[rule] for rule in dict.fromkeys(rules))
        return cls(name, RankedTheory(reference.records.schema, ranked, default))

    @property
    def rules(self) -> tuple[Rule, ...]:
        return self.theory.rules

    @property
    def size(self) -> int:
        return self.theory.size

    def predict(self, records: Records) -> npt.NDArray[np.object_]:
        return self.theory.predict(records)


def fit_union(task: Task) -> RuleSet:
    """The union of the local rules, as a theory: the most accurate covering rule decides."""
    rules = [task.schema.rule(dict(rule.premises), rule.outcome) for rule in task.local_rules]
    if not rules:
        raise GLocalXError("There are no local rules to put side by side. Give at least one.")
    return RuleSet.of("union of local rules", rules, reference_of(task))


def reference_of(task: Task) -> Reference:
    """The training records in the form that rules are measured on.

    Values that rules cannot speak of are refused: categories that the schema does not have,
    infinite numbers, and missing values of a feature without gaps.
    """
    records = Records(task.schema, task.frame)
    for feature in task.schema.features:
        values = records.values(feature.name)
        strange = values < 0 if feature.is_categorical else ~np.isfinite(values)
        if feature.gaps:
            strange &= task.frame[feature.name].notna().to_numpy()
        if strange.any():
            row = int(np.flatnonzero(strange)[0])
            raise GLocalXError(
                f"The column {shown(feature.name)} has no usable value in row {row + 1:,} "
                f"({counted(int(strange.sum()), 'such row')}). Correct it or leave the records out."
            )
    return Reference(records, task.labels)


def outcome_codes(reference: Reference) -> Codes:
    """The label of each reference record as its place among the outcomes."""
    return Coded.of(reference.labels).among(reference.outcomes)


def rarer_outcome(reference: Reference, method: str) -> str:
    """Of two outcomes the one that is not the default; methods for two describe it alone."""
    if len(reference.outcomes) != 2:
        raise GLocalXError(
            f"{method} tells two outcomes apart, and there are {len(reference.outcomes)}: "
            f"{listing(reference.outcomes)}. Use another method, or make them two."
        )
    return next(each for each in reference.outcomes if each != reference.majority)
