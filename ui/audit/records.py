"""What an audit counts: which columns make groups, and on which records."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import numpy as np
import pandas as pd
import streamlit as st

from glocalx.audit import FrameSource
from glocalx.rules.coverage import Records
from glocalx.rules.schema import Feature, Schema
from glocalx.table import Column, Table
from glocalx.table.clean import fill_text
from glocalx.table.kinds import ReadColumn
from glocalx.table.roles import suggests_sensitive
from glocalx.table.understanding import read_column
from glocalx.words.phrases import counted, shown
from glocalx.words.wording import Wording
from glocalx.workspace.run import Run
from ui.opened import explained_of, stamp_of, wording_of

Part: TypeAlias = Literal["held-out", "all"]
MOST_CATEGORIES = 50
"""A column with more makes groups that nobody can compare."""
FIRST_COLUMNS = 4


@dataclass(frozen=True, slots=True, eq=False)
class Counted:
    """The records of an audit.

    Parameters
    ----------
    source
        For the audit.
    records, wording
        The same for figures; columns that were left out of the rules are among them.
    notes
        What a reader has to know about these records.
    """

    source: FrameSource = field(repr=False)
    records: Records = field(repr=False)
    wording: Wording = field(repr=False)
    notes: tuple[str, ...]


def columns_of(table: Table) -> dict[str, Column]:
    """The columns that can make groups: sensitive ones first, and those that sound like it.

    Columns that no rule may speak of are among them: whoever leaves race out of the features may
    well want to know what becomes of it.
    """
    usable = [column for column in table.columns if _makes_groups(column)]
    usable.sort(key=lambda column: (not _sensitive(column), column.role == "ignored"))
    return {column.name: column for column in usable}


def _makes_groups(column: Column) -> bool:
    if column.role not in ("feature", "sensitive", "ignored") or not column.distinct:
        return False
    if column.kind in ("categorical", "boolean"):
        return column.distinct <= MOST_CATEGORIES
    return column.kind not in ("text", "identifier")


def _sensitive(column: Column) -> bool:
    left_out = column.role == "ignored" and suggests_sensitive(column.name)
    return column.role == "sensitive" or left_out


def first_columns(table: Table) -> tuple[str, ...]:
    """What to look at if nobody says: what is marked as sensitive, or was left out and sounds so.

    Never more than a person can take in at first.
    """
    names = [name for name, column in columns_of(table).items() if _sensitive(column)]
    return tuple(names[:FIRST_COLUMNS])


def counted_of(run: Run, part: Part, columns: tuple[str, ...]) -> Counted:
    """The records of a part with the columns of the features and these; the model must be done."""
    stamp = stamp_of(run)
    return _counted(run.folder, repr(run.settings.data), stamp, part, columns, run)


@st.cache_resource(max_entries=24, show_spinner=False)
def _counted(
    folder: object, data: str, stamp: int, part: Part, columns: tuple[str, ...], _run: Run
) -> Counted:
    facts = explained_of(_run)
    shared, table = facts.split, facts.split.table
    places, frame, answers = shared.parts.test, shared.test, facts.held_out.labels
    if part == "all":
        places = np.concatenate([places, shared.parts.explain])
        frame = pd.concat([frame, shared.explain], ignore_index=True)
        answers = np.concatenate([answers, facts.reference.labels])
    added = {name: _read(table, name) for name in columns if name not in facts.schema}
    for name, read in added.items():
        frame = frame.assign(**{name: _values(read.take(places))})
    features = [_feature(table.column(name), read) for name, read in added.items()]
    schema = facts.schema
    schema = Schema((*schema.features, *features), schema.outcomes, schema.outcome_labels)
    return Counted(
        FrameSource(schema, frame, answers, _known(table.true_label[places], schema.outcomes)),
        Records(schema, frame),
        Wording(schema) if added else wording_of(_run),
        tuple(_filled(table, name, places) for name in columns if _gaps(table, name, places)),
    )


def _read(table: Table, name: str) -> ReadColumn:
    """A column as it is in the file, gaps included, for the records in use."""
    return read_column(table.raw, name, table.column(name).kind).take(table.rows)


def _values(read: ReadColumn) -> Any:
    if read.is_number:
        return read.values
    return np.array([*read.categories, None], dtype=object)[read.values]  # −1 is the last


def _feature(column: Column, read: ReadColumn) -> Feature:
    known = np.unique(read.values[read.known()])
    categories = () if read.is_number else tuple(read.categories[int(place)] for place in known)
    kind: Any = column.kind if read.is_number else "categorical"
    return Feature(column.name, kind, categories, column.label, column.unit, column.spoken)


def _known(labels: Any, outcomes: tuple[str, ...]) -> Any:
    """True labels in other words than the black box has are not known to it."""
    return np.where(np.isin(labels.astype(str), outcomes), labels, None)


def _gaps(table: Table, name: str, places: Any) -> int:
    """How many of the records have a value that was filled in."""
    if not table.column(name).is_feature or not table.column(name).missing:
        return 0
    return int(np.count_nonzero(~_read(table, name).take(places).known()))


def _filled(table: Table, name: str, places: Any) -> str:
    number, column = _gaps(table, name, places), table.column(name)
    return (
        f"{counted(number, 'record')} had no value in {shown(column.title)}; "
        f"{fill_text(column)} was filled in before the black box was asked, and they count there."
    )
