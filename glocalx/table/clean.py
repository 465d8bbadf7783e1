"""Columns in the form that black boxes and rules take, missing values kept or replaced."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from glocalx.rules.codes import texts_of
from glocalx.rules.schema import Feature
from glocalx.table.findings import Finding, Severity
from glocalx.table.kinds import ColumnKind, ReadColumn
from glocalx.table.roles import Role
from glocalx.words.figures import day_text
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
        What stands in for missing values of a feature: the mean (rounded for whole numbers and
        dates) or the most frequent category; None where they are kept and where none is missing.
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
    def has_gaps(self) -> bool:
        """Whether it is a feature with missing values that are kept."""
        return self.is_feature and bool(self.missing) and self.fill is None

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


def clean_column(read: ReadColumn, fill: float | str | None = None) -> Any:
    """The column as float64, int64 (without gaps), or pandas text; gaps filled where asked."""
    known = read.known()
    complete = bool(known.all())
    if read.is_number:
        values = read.values
        if not complete and fill is not None:
            values, complete = np.where(known, values, fill), True
        if read.kind == "numeric":
            return values
        return np.rint(values).astype(np.int64) if complete else np.rint(values)
    codes = read.values.astype(np.int32)  # −1, where it is missing, is the last: None
    return texts_of((*read.categories, None if fill is None else str(fill))).take(codes)


def feature_of(column: Column, values: pd.Series[Any]) -> Feature:
    """The feature of a schema, with the categories that occur."""
    kind: Any = "categorical" if column.kind == "boolean" else column.kind
    return Feature(
        column.name,
        kind,
        tuple(values.dropna().unique().tolist()) if kind == "categorical" else (),
        column.label,
        column.unit,
        column.spoken,
        gaps=column.has_gaps,
        fill=column.fill,
    )


def missing_finding(column: Column, missing: int, size: int) -> Finding:
    """How many values are missing, and what becomes of them."""
    share = missing / size
    percent = f"{100 * share:.1f} %" if share >= 0.001 else "less than 0.1 %"
    one = missing == 1
    if column.fill is not None:
        how = "most frequent value" if isinstance(column.fill, str) else "mean"
        fill = fill_text(column.kind, column.fill)
        said = f"; {'it was' if one else 'they were'} replaced by the {how}, {fill}."
    elif column.has_gaps:
        said = "; rules can speak of that."
    else:
        said = f". Rules on {shown(column.name)} do not cover {'that record' if one else 'these'}."
    sentence = f"{shown(column.name)} lacks {missing:,} of {size:,} values ({percent}){said}"
    severity: Severity = "warning" if share > 0.2 and column.fill is not None else "info"
    return Finding("missing", severity, column.name, sentence)


def fill_text(kind: str, fill: float | str | None) -> str:
    """The stand-in for missing values of a column of some kind, as a person reads it."""
    if fill is None or isinstance(fill, str):
        return shown(fill or "")
    if kind == "date":
        return day_text(fill)
    return f"{fill:,.0f}" if kind == "integer" else f"{fill:,.6g}"
