"""Records that come later, brought into the form of a table that is already there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from glocalx.errors import GLocalXError
from glocalx.rules.codes import Coded
from glocalx.table.clean import Column, clean_column, missing_finding
from glocalx.table.findings import Finding
from glocalx.table.kinds import ColumnKind, ReadColumn
from glocalx.table.numbers import POINT
from glocalx.table.raw import RawTable
from glocalx.table.understanding import read_column
from glocalx.words.phrases import counted, listing, shown

_READ_AS: dict[ColumnKind, ColumnKind] = {"boolean": "categorical", "integer": "numeric"}


@dataclass(frozen=True, slots=True, eq=False)
class NewRecords:
    """New records as features of a table, and what had to be said about them.

    Parameters
    ----------
    frame
        The features, in the order of the table.
    findings
        Gaps, categories that the table does not have, cells of the wrong kind. Unseen categories
        stay in `frame` as they are; no rule on that column covers them.
    """

    frame: pd.DataFrame
    findings: tuple[Finding, ...] = ()


def encode_records(
    features: Sequence[Column],
    reads: Mapping[str, ReadColumn],
    known: pd.DataFrame,
    other: RawTable,
) -> NewRecords:
    """Read `other` as the features of a table.

    Parameters
    ----------
    features
        The columns to read, with what stands in for missing values, if anything does.
    known
        The clean features of the table, for the categories that it has.
    """
    lacking = [column.name for column in features if column.name not in other.columns]
    if lacking:
        raise GLocalXError(
            f"{shown(other.name)} lacks the {'column' if len(lacking) == 1 else 'columns'} "
            f"{listing(lacking)}. Add what is missing, under the same name."
        )
    values: dict[str, Any] = {}
    findings: list[Finding] = list(other.findings)
    for column in features:
        read = _read(column, reads[column.name], other)
        findings += read.findings
        missing = int(np.count_nonzero(~read.known()))
        if missing:
            findings.append(missing_finding(column, missing, other.size))
        if not read.is_number:
            coded = Coded(read.values.astype(np.int32), read.categories)
            strange = coded.outside(known[column.name].dropna().unique().tolist())
            if strange:
                findings.append(_unseen_finding(column.name, strange))
        values[column.name] = clean_column(read, column.fill)
    frame = pd.DataFrame(values, index=pd.RangeIndex(other.size), copy=False)
    return NewRecords(frame, tuple(findings))


def _read(column: Column, mine: ReadColumn, other: RawTable) -> ReadColumn:
    form = mine.form or (POINT if mine.is_number else None)
    read = read_column(other, column.name, _READ_AS.get(column.kind, column.kind), form)
    if column.kind != "integer":
        return read
    fractions = int(np.count_nonzero(read.values[read.known()] % 1))
    findings = read.findings
    if fractions:
        sentence = (
            f"{counted(fractions, 'value')} of {shown(column.name)} "
            f"{'is' if fractions == 1 else 'are'} not whole and "
            f"{'was' if fractions == 1 else 'were'} rounded."
        )
        findings += (Finding("rounded", "warning", column.name, sentence),)
    return replace(read, kind="integer", findings=findings)


def _unseen_finding(name: str, strange: Mapping[str, int]) -> Finding:
    records = sum(strange.values())
    sentence = (
        f"{counted(records, 'record')} {'has' if records == 1 else 'have'} a category of "
        f"{shown(name)} that the table does not know: {listing(strange)}. "
        f"Rules on {shown(name)} do not cover {'it' if records == 1 else 'them'}."
    )
    return Finding("unseen category", "warning", name, sentence)
