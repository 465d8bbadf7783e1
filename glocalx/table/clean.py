"""Missing values replaced, and columns in the form that black boxes and rules take."""

from __future__ import annotations

import datetime
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from glocalx.rules.codes import texts_of
from glocalx.rules.schema import Feature
from glocalx.table.findings import Finding
from glocalx.table.kinds import ColumnKind, ReadColumn
from glocalx.table.roles import Role
from glocalx.words.phrases import shown
from glocalx.words.spoken import Spoken


@dataclass(frozen=True, slots=True)
class Column:
    """What is known about one column of a table.

    Parameters
    ----------
    name, kind, role
        As in the file; what it holds; what it is there for.
    missing, distinct
        Number of records without a value, and of different values, among the records in use.
    label, unit
        How people call it and what it is counted in.
    fill
        What stands in for missing values: the mean (rounded for whole numbers and dates) or the
        most frequent category; None where the column is not a feature.
    spoken
        How people say conditions on it.
    """

    name: str
    kind: ColumnKind
    role: Role
    missing: int
    distinct: int
    label: str | None = None
    unit: str | None = None
    fill: float | str | None = None
    spoken: Spoken | None = None

    @property
    def is_feature(self) -> bool:
        return self.role in ("feature", "sensitive")

    @property
    def title(self) -> str:
        """The label, or the name where there is none."""
        return self.label or self.name


def fill_of(read: ReadColumn) -> float | str:
    """The mean or the most frequent category; of equally frequent ones the first in order."""
    known = read.values[read.known()]
    if not read.is_number:
        return read.categories[int(np.bincount(known).argmax())]
    with np.errstate(over="ignore"):
        mean = float(known.mean())
    if not math.isfinite(mean):
        mean = float((known / known.size).sum())  # the sum of huge numbers may be infinite
    return mean if read.kind == "numeric" else float(round(mean))


def clean_column(read: ReadColumn, fill: float | str) -> Any:
    """The column without gaps: float64, int64, or pandas text."""
    known = read.known()
    complete = bool(known.all())
    if read.is_number:
        values = read.values if complete else np.where(known, read.values, fill)
        return values if read.kind == "numeric" else np.rint(values).astype(np.int64)
    place = read.categories.index(str(fill)) if not complete else -1
    codes = (read.values if complete else np.where(known, read.values, place)).astype(np.int32)
    return texts_of(read.categories).take(codes)


def feature_of(column: Column, values: pd.Series[Any]) -> Feature:
    """The feature of a schema, with the categories that occur."""
    if column.kind in ("categorical", "boolean"):
        categories = tuple(values.unique().tolist())
        return Feature(
            column.name, "categorical", categories, column.label, column.unit, column.spoken
        )
    assert column.kind in ("numeric", "integer", "date")
    return Feature(column.name, column.kind, (), column.label, column.unit, column.spoken)


def missing_finding(column: Column, size: int) -> Finding:
    """How many values were replaced, and by what."""
    share = column.missing / size
    percent = f"{100 * share:.1f} %" if share >= 0.001 else "less than 0.1 %"
    were = "it was" if column.missing == 1 else "they were"
    how = "most frequent value" if isinstance(column.fill, str) else "mean"
    sentence = (
        f"{shown(column.name)} lacks {column.missing:,} of {size:,} values ({percent}); {were} "
        f"replaced by the {how}, {fill_text(column.kind, column.fill)}."
    )
    return Finding(
        "missing", "warning" if share > 0.2 else "info", column.name, sentence, column.missing
    )


def fill_text(kind: str, fill: float | str | None) -> str:
    """The stand-in for missing values of a column of some kind, as a person reads it."""
    if fill is None or isinstance(fill, str):
        return shown(fill or "")
    if kind == "date":
        return str(datetime.date(1970, 1, 1) + datetime.timedelta(days=fill))
    return f"{fill:,.0f}" if kind == "integer" else f"{fill:,.6g}"
