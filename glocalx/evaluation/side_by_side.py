"""Two theories on the same records: what each answers, how good that is, where they differ."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt
import pandas as pd

from glocalx.baselines.base import RuleSet
from glocalx.baselines.cpar import Cpar
from glocalx.errors import GLocalXError
from glocalx.evaluation.common_records import Common, Places, all_held_out, common_records
from glocalx.evaluation.measures import Evaluation, evaluate
from glocalx.evaluation.paired import PairedComparison, mcnemar
from glocalx.pipeline.tables import LabelledTable
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.coverage import Records
from glocalx.rules.scoring import Reference
from glocalx.words.wording import Wording

Texts = npt.NDArray[np.object_]


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """One of the two.

    Parameters
    ----------
    title, called
        As a heading, which may hold a run's name; and within a sentence, in our words.
    theory
        The rules in the order in which they decide.
    records, frame, truth
        The compared records with the answers of the black box that is explained, as this side
        sees them, and what was true.
    votes
        Whether several rules decide together.
    is_tree
        Whether the rules are the leaves of a tree, which leave no record over.
    """

    title: str
    called: str
    theory: RankedTheory
    wording: Wording
    records: Reference = field(repr=False)
    frame: pd.DataFrame = field(repr=False)
    truth: Texts = field(repr=False)
    answers: Texts = field(repr=False)
    measured: Evaluation
    votes: bool = False
    is_tree: bool = False

    @property
    def agrees(self) -> npt.NDArray[np.bool_]:
        """Where the rules say what the black box says."""
        return np.asarray(self.answers == self.records.labels, dtype=bool)


@dataclass(frozen=True, slots=True, eq=False)
class SideBySide:
    """Two sides on the same records."""

    left: Side
    right: Side
    common: Common
    paired: PairedComparison
    another_run: bool

    @property
    def differ(self) -> Places:
        """The places, among the compared records, where the two give different answers."""
        return np.flatnonzero(self.left.answers != self.right.answers)

    @property
    def one_black_box(self) -> bool:
        """Whether both explain the same answers."""
        return bool(np.all(self.left.records.labels == self.right.records.labels))

    def place_of(self, number: int) -> int | None:
        """Where a held-out record of this run, counted from 1, is among those compared."""
        found = np.flatnonzero(self.common.places == number - 1)
        return int(found[0]) if found.size else None


@dataclass(frozen=True, slots=True, eq=False)
class Chosen:
    """The chosen rules of a run, with what they were measured on.

    `theory`, `labelled`, `wording`: the rules, the records, and how both are put into words.
    """

    title: str
    theory: RankedTheory
    labelled: LabelledTable
    wording: Wording

    def asked(self, title: str, called: str, rules: RankedTheory | RuleSet, places: Places) -> Side:
        """Rules asked about held-out records of this run."""
        labelled = self.labelled
        frame = labelled.split.test.iloc[places].reset_index(drop=True)
        truth = labelled.truth[places]
        records = _records(labelled, frame, places)
        return Side(
            title=title,
            called=called,
            theory=rules.theory if isinstance(rules, RuleSet) else rules,
            wording=self.wording,
            records=records,
            frame=frame,
            truth=truth,
            answers=rules.predict(records.records),
            measured=evaluate(rules, records, truth),
            votes=isinstance(rules, Cpar),
        )


def beside_method(
    mine: Chosen, rival: RuleSet, title: str, called: str, *, is_tree: bool
) -> SideBySide:
    """The rules of a run beside another method that learned from the same records."""
    common = all_held_out(mine.labelled)
    left = mine.asked("These rules", "these rules", mine.theory, common.places)
    right = replace(mine.asked(title, called, rival, common.places), is_tree=is_tree)
    paired = mcnemar(left.agrees, right.agrees)
    return SideBySide(left, right, common, paired, another_run=False)


def beside_run(mine: Chosen, other: Chosen) -> SideBySide:
    """The rules of a run beside those of another, on records that neither learned from.

    Raises
    ------
    GLocalXError
        Where there is no such record, or the two answer different questions.
    """
    common = common_records(mine.labelled, other.labelled)
    if not common.places.size:
        raise GLocalXError(
            "The other run learned from every record that this run holds out, so there is none "
            "to compare them on. Give both runs the same seed and shares on Data and model."
        )
    left = mine.asked(mine.title, "this run", mine.theory, common.places)
    called = other.title, "the other run", other.theory
    if common.others is None:
        right = replace(mine.asked(*called, common.places), wording=other.wording)
    else:
        right = other.asked(*called, common.others)
    paired = mcnemar(left.agrees, right.agrees)
    return SideBySide(left, right, common, paired, another_run=True)


def _records(facts: LabelledTable, frame: pd.DataFrame, places: Places) -> Reference:
    if np.array_equal(places, np.arange(facts.held_out.size)):
        return facts.held_out
    return Reference(Records(facts.schema, frame), facts.held_out.labels[places])
