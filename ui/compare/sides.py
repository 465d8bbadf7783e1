"""The two sides of a comparison: rules, what they answer, and how good that is."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import streamlit as st

from glocalx.baselines.cpar import Cpar
from glocalx.errors import GLocalXError
from glocalx.evaluation import Evaluation, PairedComparison, evaluate, mcnemar
from glocalx.pipeline.settings import SelectionSettings
from glocalx.pipeline.tables import LabelledTable
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.coverage import Records
from glocalx.rules.scoring import Reference
from glocalx.words.wording import Wording
from glocalx.workspace.run import Run
from ui.compare.records import Common, Places, all_held_out, common_records
from ui.compare.rivals import TREES, methods_of, rival_of
from ui.opened import explained_of, stamp_of, theory_of, wording_of

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
    wording
        How they are put into words.
    records, frame, truth
        The compared records with the answers of the black box that is explained, as this side
        sees them, and what was true.
    answers
        What the rules say about them.
    measured
        How good that is.
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

    def at(self, place: int) -> pd.Series[Any]:
        """One of the compared records."""
        return self.frame.iloc[place]


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
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


def with_method(run: Run, chosen: SelectionSettings, method: str) -> Comparison:
    """The chosen rules of a run beside another method."""
    return _with_method(*_key(run), chosen, method, run)


def with_run(run: Run, chosen: SelectionSettings, other: Run) -> Comparison:
    """The chosen rules of a run beside those of another run."""
    return _with_run(*_key(run), chosen, *_key(other), other.settings.selection, run, other)


def _key(run: Run) -> tuple[object, str, str, int, str]:
    stamp = stamp_of(run)
    return run.folder, repr(run.settings.data), run.settings.key("merge"), stamp, run.name


@st.cache_resource(max_entries=60, show_spinner=False)
def _with_method(
    folder: object,
    data: str,
    key: str,
    stamp: int,
    name: str,
    chosen: SelectionSettings,
    method: str,
    _run: Run,
) -> Comparison:
    theory, facts = theory_of(_run, chosen), explained_of(_run)
    rival, words = rival_of(_run, method, theory.size), methods_of(_run)[method]
    common = all_held_out(facts)
    left = _side("These rules", "these rules", theory, theory, _run, common.places)
    right = _side(words.title, words.called, rival, _ranked(rival, facts), _run, common.places)
    right = replace(right, is_tree=method in TREES)
    return _compared(left, right, common, another_run=False)


@st.cache_resource(max_entries=20, show_spinner=False)
def _with_run(
    folder: object,
    data: str,
    key: str,
    stamp: int,
    name: str,
    chosen: SelectionSettings,
    other_folder: object,
    other_data: str,
    other_key: str,
    other_stamp: int,
    other_name: str,
    other_chosen: SelectionSettings,
    _run: Run,
    _other: Run,
) -> Comparison:
    common = common_records(explained_of(_run), explained_of(_other))
    if not common.places.size:
        raise GLocalXError(
            "The other run learned from every record that this run holds out, so there is none "
            "to compare them on. Give both runs the same seed and shares on Data and model."
        )
    mine, theirs = theory_of(_run, chosen), theory_of(_other, other_chosen)
    left = _side(_run.name, "this run", mine, mine, _run, common.places)
    if common.others is None:
        right = _side(_other.name, "the other run", theirs, theirs, _run, common.places)
    else:
        right = _side(_other.name, "the other run", theirs, theirs, _other, common.others)
    right = replace(right, wording=wording_of(_other))
    return _compared(left, right, common, another_run=True)


def _side(
    title: str, called: str, rules: Any, theory: RankedTheory, run: Run, places: Places
) -> Side:
    """Rules asked about held-out records of a run."""
    facts = explained_of(run)
    shared = facts.split
    frame = shared.test.iloc[places].reset_index(drop=True)
    truth = shared.table.true_label[shared.parts.test][places]
    records = _records(facts, frame, places)
    return Side(
        title=title,
        called=called,
        theory=theory,
        wording=wording_of(run),
        records=records,
        frame=frame,
        truth=truth,
        answers=rules.predict(records.records),
        measured=evaluate(rules, records, truth),
        votes=isinstance(rules, Cpar),
    )


def _records(facts: LabelledTable, frame: pd.DataFrame, places: Places) -> Reference:
    if np.array_equal(places, np.arange(facts.held_out.size)):
        return facts.held_out
    return Reference(Records(facts.schema, frame), facts.held_out.labels[places])


def _ranked(rival: Any, facts: LabelledTable) -> RankedTheory:
    theory = getattr(rival, "theory", None)
    if isinstance(theory, RankedTheory):
        return theory
    return RankedTheory.of(rival.rules, facts.reference)


def _compared(left: Side, right: Side, common: Common, *, another_run: bool) -> Comparison:
    paired = mcnemar(left.agrees, right.agrees)
    return Comparison(left, right, common, paired, another_run)
