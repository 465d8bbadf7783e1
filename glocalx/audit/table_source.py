"""A table whose records were shared out: which columns make groups, and what is counted on whom."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from glocalx.audit.frame_source import FrameSource
from glocalx.audit.true_outcome import TrueOutcome
from glocalx.rules.rule import is_missing
from glocalx.rules.schema import Feature, Schema, outcome_text
from glocalx.table import Column, Split, Table
from glocalx.table.kinds import ReadColumn
from glocalx.table.roles import suggests_sensitive

RecordPart: TypeAlias = Literal["held-out", "all"]
"""The records that nothing was made from; or those and the explained ones."""

MOST_CATEGORIES = 50
"""A column with more makes groups that nobody can compare."""

FIRST_COLUMNS = 4


def group_columns(table: Table) -> dict[str, Column]:
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


def first_group_columns(table: Table) -> tuple[str, ...]:
    """What to look at if nobody says: what is marked as sensitive, or was left out and sounds so.

    Never more than a person can take in at first.
    """
    names = [name for name, column in group_columns(table).items() if _sensitive(column)]
    return tuple(names[:FIRST_COLUMNS])


def table_source(
    table: Table,
    parts: Split,
    schema: Schema,
    answers: dict[str, npt.NDArray[Any]],
    *,
    part: RecordPart = "held-out",
    columns: tuple[str, ...] = (),
    truth: TrueOutcome | None = None,
    probability: Mapping[str, npt.NDArray[np.float64]] | None = None,
) -> FrameSource:
    """The records of a part as the file has them, with what was filled in for the black box.

    Parameters
    ----------
    parts
        The places of the records that were explained and held out.
    schema
        Of the rules.
    answers
        What the black box said about the parts `explain` and `test`.
    columns
        Columns that make groups; those that no rule may speak of become part of the schema.
    truth
        Where the true outcome is from; None: the labels of the table.
    probability
        What the model says the chance of an outcome is, by the name of a column that is added.
    """
    chosen = ("test",) if part == "held-out" else ("test", "explain")
    places = np.concatenate([getattr(parts, name) for name in chosen])
    said = np.concatenate([answers[name] for name in chosen])
    added = [name for name in columns if name not in schema]
    reads = {name: table.unfilled(name).take(places) for name in (*schema.names, *added)}
    features = [_feature(table.column(name), reads[name]) for name in added]
    known = Schema((*schema.features, *features), schema.outcomes, schema.outcome_labels)
    labels = table.true_label[places]
    # True labels in other words than the black box has are not known to it.
    true: Collection[object] = np.where(np.isin(labels.astype(str), schema.outcomes), labels, None)
    if truth is not None:
        true = truth.outcomes(cell_texts(table.unfilled(truth.column).take(places)))
    values = {name: _values(read) for name, read in reads.items()}
    frame = pd.DataFrame({**values, **(probability or {})})
    return FrameSource(known, frame, said, true)


def column_texts(table: Table, column: str) -> list[str]:
    """The different values of a column, as texts, in their order."""
    read = table.unfilled(column)
    if read.is_number:
        return [outcome_text(each) for each in np.unique(read.values[read.known()])]
    return sorted({text for text in cell_texts(read) if text is not None})


def cell_texts(read: ReadColumn) -> list[str | None]:
    """Every value of a column as a text, None where it is missing."""
    return [None if is_missing(each) else outcome_text(each) for each in _values(read)]


def _values(read: ReadColumn) -> Any:
    if read.is_number:
        return read.values
    texts = np.array([*read.categories, None], dtype=object)
    return pd.array(texts, dtype="str").take(read.values.astype(np.int64))  # −1 is the last: None


def _feature(column: Column, read: ReadColumn) -> Feature:
    known = np.unique(read.values[read.known()])
    categories = () if read.is_number else tuple(read.categories[int(place)] for place in known)
    kind: Any = column.kind if read.is_number else "categorical"
    return Feature(column.name, kind, categories, column.label, column.unit, column.spoken)
