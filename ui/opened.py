"""Runs opened for the pages: read once, kept for whoever looks at the same run.

Everything here is the same for all who look, and nobody changes it. What is still being made is
read as far as it goes.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Any

import streamlit as st

from glocalx.blackbox.base import BlackBox
from glocalx.errors import GLocalXError
from glocalx.extraction.local_rule import LocalRule
from glocalx.files.journals import HierarchyReader, LocalRulesReader
from glocalx.merging.hierarchy import Hierarchy
from glocalx.pipeline.settings import SelectionSettings
from glocalx.pipeline.tables import LabelledTable, SplitTable, open_table, split_table
from glocalx.plots.colours import OutcomeColours, Palette, palette
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.coverage import Records
from glocalx.rules.rule import Rule
from glocalx.selection import budget_candidates, iter_budget, select
from glocalx.table import Table
from glocalx.words.wording import Wording
from glocalx.workspace.labels_file import read_labels
from glocalx.workspace.run import Run

KEPT = 6  # runs that are held in memory at the same time


def shades() -> Palette:
    """The colours for figures in the theme that the person sees."""
    return palette(st.context.theme.type)


def table_of(run: Run) -> Table:
    """The table of a run, whole; raises GLocalXError where it cannot be read."""
    return _table(run.folder, repr(run.settings.data), run)


def shared_of(run: Run) -> SplitTable:
    """The table with its records shared out."""
    return _shared(run.folder, repr(run.settings.data), run)


def explained_of(run: Run) -> LabelledTable:
    """The records with the answers of the black box; the model stage must be done."""
    stamp = stamp_of(run)
    return _explained(run.folder, repr(run.settings.data), run.settings.key("model"), stamp, run)


def wording_of(run: Run) -> Wording:
    """How the rules of a run are put into words."""
    stamp = stamp_of(run)
    return _wording(run.folder, repr(run.settings.data), run.settings.key("model"), stamp, run)


def colours_of(run: Run) -> OutcomeColours:
    """The outcomes' colours in the theme that the person sees."""
    facts = explained_of(run)
    schema = facts.schema
    return OutcomeColours.of(schema.outcomes, facts.positive, shades(), schema.outcome_labels)


def local_rules_of(run: Run) -> list[LocalRule]:
    """The local rules as far as they are made."""
    if not run.begun("rules"):
        return []
    reader = _rules_reader(run.folder, run.settings.key("rules"), run)
    with reader.lock:
        return list(reader.reader.refresh())


def hierarchy_of(run: Run) -> Hierarchy | None:
    """The hierarchy as far as it is made; None where merging has not begun.

    While merging goes on, the hierarchy grows: look at `len(hierarchy.steps)` once and use that.
    """
    if not run.done("rules") or not run.begun("merge"):
        return None
    reader = _hierarchy_reader(run.folder, run.settings.key("merge"), run)
    with reader.lock:
        made: Hierarchy | None = reader.reader.refresh()
        return made


def distinct_rules_of(run: Run) -> tuple[Rule, ...]:
    """The different local rules; the rules stage must be done."""
    return _start(run.folder, run.settings.key("rules"), run).local_rules


def budget_path_of(run: Run) -> tuple[Rule, ...]:
    """The rules that a budget chooses, one after the other; the merge stage must be done."""
    return _budget_path(run.folder, run.settings.key("merge"), run)


def theory_of(run: Run, selection: SelectionSettings | None = None) -> RankedTheory:
    """The final theory; the merge stage must be done."""
    chosen = selection or run.settings.selection
    return _theory(run.folder, run.settings.key("merge"), chosen, run)


def black_box_of(run: Run) -> BlackBox | None:
    """The black box to be asked; None where it is not in this workspace yet."""
    if not run.done("model") or not run.has_black_box:
        return None
    stamp = stamp_of(run)
    return _black_box(run.folder, run.settings.key("model"), stamp, run)


def stamp_of(run: Run) -> int:
    """When the black box was last made; changes if it is made again."""
    try:
        return run.file("model").stat().st_mtime_ns
    except OSError:
        raise GLocalXError(
            "This run is no longer here: it was deleted, or has to be made again. "
            "Open another one on the Runs page."
        ) from None


@dataclass(frozen=True, slots=True)
class _Locked:
    """A reader that several sessions share."""

    reader: Any
    lock: threading.Lock


@st.cache_resource(max_entries=KEPT, show_spinner="Reading the table …")
def _table(folder: object, data: str, _run: Run) -> Table:
    return open_table(_run.settings.data, _run.folder)


@st.cache_resource(max_entries=KEPT, show_spinner=False)
def _shared(folder: object, data: str, _run: Run) -> SplitTable:
    return split_table(table_of(_run), _run.settings.data)


@st.cache_resource(max_entries=KEPT, show_spinner=False)
def _explained(folder: object, data: str, key: str, stamp: int, _run: Run) -> LabelledTable:
    return read_labels(_run, shared_of(_run))


@st.cache_resource(max_entries=KEPT, show_spinner=False)
def _wording(folder: object, data: str, key: str, stamp: int, _run: Run) -> Wording:
    facts = explained_of(_run)
    table = facts.split.table
    everyone = Records(facts.schema, table.frame)  # a rounded threshold must be right for all
    return Wording(facts.schema, everyone, always=table.sensitive)


@st.cache_resource(max_entries=KEPT, show_spinner=False)
def _rules_reader(folder: object, key: str, _run: Run) -> _Locked:
    reader = LocalRulesReader(_run.file("rules"), explained_of(_run).schema)
    return _Locked(reader, threading.Lock())


@st.cache_resource(max_entries=KEPT, show_spinner=False)
def _start(folder: object, key: str, _run: Run) -> Hierarchy:
    rules = [local.rule for local in local_rules_of(_run)]
    return Hierarchy.start(rules, explained_of(_run).reference)


@st.cache_resource(max_entries=KEPT, show_spinner=False)
def _hierarchy_reader(folder: object, key: str, _run: Run) -> _Locked:
    schema = explained_of(_run).schema
    reader = HierarchyReader(_run.file("merge"), schema, distinct_rules_of(_run))
    return _Locked(reader, threading.Lock())


@st.cache_resource(max_entries=KEPT, show_spinner=False)
def _budget_path(folder: object, key: str, _run: Run) -> tuple[Rule, ...]:
    hierarchy = hierarchy_of(_run)
    assert hierarchy is not None  # the stage is done
    return tuple(iter_budget(budget_candidates(hierarchy), explained_of(_run).reference))


@st.cache_resource(max_entries=40 * KEPT, show_spinner=False)
def _theory(folder: object, key: str, selection: SelectionSettings, _run: Run) -> RankedTheory:
    reference = explained_of(_run).reference
    if selection.by == "budget":
        return RankedTheory.of(budget_path_of(_run)[: int(selection.value)], reference)
    hierarchy = hierarchy_of(_run)
    assert hierarchy is not None  # the stage is done
    return RankedTheory.of(select(hierarchy, reference, **selection.to_options()), reference)


@st.cache_resource(max_entries=KEPT, show_spinner=False)
def _black_box(folder: object, key: str, stamp: int, _run: Run) -> BlackBox:
    from glocalx.workspace.trained_model import open_black_box  # brings scikit-learn along

    return open_black_box(_run, explained_of(_run))
