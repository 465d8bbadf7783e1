"""From a raw table and what people chose to columns, records and findings."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from glocalx.errors import GLocalXError
from glocalx.table.clean import Column, clean_column, fill_of, missing_finding
from glocalx.table.findings import Finding, told_once
from glocalx.table.kinds import ColumnKind, ReadColumn
from glocalx.table.outcomes import (
    Texts,
    check_outcome,
    dropped_rows,
    outcome_texts,
    read_outcome,
    target_findings,
)
from glocalx.table.raw import RawTable
from glocalx.table.roles import OUTCOME_ROLES, Choices, Role, suggests_sensitive
from glocalx.words.phrases import counted, listing, shown

Rows = npt.NDArray[np.int64]


def build(
    raw: RawTable, choices: Choices, reads: Mapping[str, ReadColumn], among: Rows | None
) -> tuple[tuple[Column, ...], tuple[Finding, ...], Rows, pd.DataFrame, Mapping[Role, Texts]]:
    """The columns, findings, rows, features and outcomes of a table.

    `reads`: every column of `raw` as it was understood.
    """
    outcomes = {
        role: read_outcome(raw, name, choices).take(among)
        for role in OUTCOME_ROLES
        if (name := choices.outcome(role)) is not None
    }
    findings = [*raw.findings, *choices.notes]
    rows = np.arange(raw.size, dtype=np.int64) if among is None else among
    kept, dropped = _labelled(outcomes, choices, rows.size)
    findings += dropped
    rows = rows[kept]
    texts = _outcome_texts(raw, choices, reads, outcomes, kept)
    builder = _ColumnBuilder(raw, choices, reads, None if rows.size == raw.size else rows)
    frame = builder.frame(rows.size)
    if "target" in texts:
        findings += target_findings(str(choices.outcome("target")), texts["target"])
    findings += told_once(builder.findings)
    findings += _known_after(builder.columns, choices)
    findings += _repeated_rows(builder.used)
    return tuple(builder.columns), tuple(findings), rows, frame, texts


def _labelled(
    outcomes: Mapping[Role, ReadColumn], choices: Choices, size: int
) -> tuple[npt.NDArray[np.bool_], list[Finding]]:
    """Which records have a value in every outcome column, and what to say of the others."""
    kept = np.ones(size, dtype=bool)
    findings = []
    for role, read in outcomes.items():
        missing = int(np.count_nonzero(read.values < 0))
        if missing:
            findings.append(dropped_rows(str(choices.outcome(role)), role, missing, size))
            kept &= read.values >= 0
    return kept, findings


def _outcome_texts(
    raw: RawTable,
    choices: Choices,
    reads: Mapping[str, ReadColumn],
    outcomes: Mapping[Role, ReadColumn],
    kept: npt.NDArray[np.bool_],
) -> dict[Role, Texts]:
    places = np.flatnonzero(kept)
    texts = {}
    for role, read in outcomes.items():
        name = str(choices.outcome(role))
        check_outcome(name, read, reads[name].kind)
        if not places.size:
            raise GLocalXError(
                f"No row of {shown(raw.name)} has a value in every outcome column "
                f"({listing(choices.outcome(role) for role in outcomes)}). Choose others."
            )
        texts[role] = outcome_texts(read.take(places))
    return texts


class _ColumnBuilder:
    """Goes through the columns of a table once, in order."""

    def __init__(
        self,
        raw: RawTable,
        choices: Choices,
        reads: Mapping[str, ReadColumn],
        rows: Rows | None,
    ) -> None:
        self._raw = raw
        self._choices = choices
        self._reads = reads
        self._rows = rows
        self._seen: dict[tuple[object, ...], str] = {}
        self.columns: list[Column] = []
        self.findings: list[Finding] = []
        self.used: list[ReadColumn] = []

    def frame(self, size: int) -> pd.DataFrame:
        """The features; adds to `columns` and `findings` on the way."""
        features: dict[str, Any] = {}
        for name in (name for name in self._raw.columns if self._given(name) in OUTCOME_ROLES):
            self._seen.setdefault(content_key(self._reads[name].take(self._rows)), name)
        for name in self._raw.columns:
            read = self._reads[name].take(self._rows)
            column = self._column(name, read)
            self.columns.append(column)
            if column.role != "ignored":
                self.used.append(read)
            if column.is_feature:
                features[name] = clean_column(read, column.fill)
                self.findings += read.findings
                if column.missing:
                    self.findings.append(missing_finding(column, column.missing, size))
        return pd.DataFrame(features, index=pd.RangeIndex(size), copy=False)

    def _given(self, name: str) -> Role | None:
        return self._choices.roles.get(name)

    def _column(self, name: str, read: ReadColumn) -> Column:
        known = read.values[read.known()]
        missing, distinct = read.values.size - known.size, int(pd.unique(known).size)
        role = self._given(name) or self._found_role(name, read, known.size, distinct)
        role = self._choices.marked(name, role)
        is_feature = role in ("feature", "sensitive")
        if is_feature:
            _check_usable(name, read, distinct)
            if not read.is_number and distinct > MANY_CATEGORIES:
                sentence = (
                    f"{shown(name)} has {distinct:,} categories. None were grouped; rules on it "
                    "may become long."
                )
                self.findings.append(Finding("many categories", "info", name, sentence))
        filled = is_feature and missing and self._choices.gaps == "fill"
        return Column(
            name,
            read.kind,
            role,
            missing,
            distinct,
            self._choices.labels.get(name),
            self._choices.units.get(name),
            fill_of(read) if filled else None,
            self._choices.spoken.get(name),
        )

    def _found_role(self, name: str, read: ReadColumn, known: int, distinct: int) -> Role:
        first = self._seen.setdefault(content_key(read), name)
        reason = why_set_aside(name, read.kind, known, distinct, first)
        if reason:
            self.findings.append(reason)
            return "ignored"
        if name in self._choices.sensitive or not suggests_sensitive(name):
            return "feature"
        sentence = (
            f"The name {shown(name)} suggests a sensitive feature, so it is marked as one. "
            "Change its role if it is not."
        )
        self.findings.append(Finding("sensitive", "info", name, sentence))
        return "sensitive"


def _check_usable(name: str, read: ReadColumn, distinct: int) -> None:
    if not read.is_usable:
        raise GLocalXError(
            f"The column {shown(name)} is {read.kind} and cannot be a feature. "
            "Change its kind first, for example to categorical."
        )
    if not distinct:
        raise GLocalXError(f"The column {shown(name)} is empty and cannot be a feature. Ignore it.")


def _known_after(columns: list[Column], choices: Choices) -> list[Finding]:
    names = [
        column.name
        for column in columns
        if column.is_feature and column.name in choices.known_after
    ]
    if not names:
        return []
    sentence = (
        f"{listing(names)} {'was' if len(names) == 1 else 'were'} known only after the decision. "
        "Leave them out if you want reasons that could have been given at the time."
    )
    return [Finding("known after the decision", "warning", None, sentence)]


MANY_CATEGORIES = 100


def why_set_aside(
    name: str, kind: ColumnKind, known: int, distinct: int, first: str
) -> Finding | None:
    """The reason not to use a column as a feature; None where there is none.

    Parameters
    ----------
    known, distinct
        Number of records that have a value, and of different values.
    first
        The first column that has the same values.
    """
    if distinct == 0:
        return _set_aside(name, "empty", "is empty")
    if distinct == 1:
        return _set_aside(name, "constant", "has the same value in every record")
    if kind == "text":
        return _set_aside(name, "text", "holds free text")
    if kind == "identifier":
        what = f"has {distinct:,} different values in {known:,} records, like an identifier"
        return _set_aside(name, "identifier", what)
    if first != name:
        return _set_aside(name, "duplicate column", f"has the same values as {shown(first)}")
    return None


def _set_aside(name: str, topic: str, what: str) -> Finding:
    sentence = f"{shown(name)} {what}, so it is set aside."
    return Finding(topic, "warning", name, sentence)


def content_key(read: ReadColumn) -> tuple[object, ...]:
    """Equal for columns that hold the same values, gaps included."""
    digest = hashlib.sha256(np.ascontiguousarray(read.values).data).digest()
    return (read.is_number, read.categories, digest)


def _repeated_rows(columns: Iterable[ReadColumn]) -> list[Finding]:
    """That records equal an earlier one in all these columns."""
    total: np.ndarray | None = None
    for read in columns:
        values = np.asarray(read.values, dtype=np.float64) + 0.0  # −0.0 equals 0.0
        hashed = pd.util.hash_array(values, categorize=False)
        total = hashed if total is None else total * np.uint64(1_000_003) ^ hashed
    count = 0 if total is None else int(total.size - pd.unique(total).size)
    if total is None or not count:
        return []
    sentence = (
        f"{count:,} of {counted(total.size, 'record')} {'equals' if count == 1 else 'equal'} an "
        f"earlier one in every column in use; {'it was' if count == 1 else 'they were'} kept."
    )
    return [Finding("duplicate rows", "info", None, sentence)]
