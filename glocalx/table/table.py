"""A typed table: what its columns are and are for, its records, and what was found."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt
import pandas as pd

from glocalx.errors import GLocalXError
from glocalx.rules.schema import Schema
from glocalx.table.building import Rows, build
from glocalx.table.clean import Column, feature_of
from glocalx.table.findings import Finding
from glocalx.table.kinds import ColumnKind, ReadColumn
from glocalx.table.new_records import NewRecords, encode_records
from glocalx.table.outcomes import Texts
from glocalx.table.raw import RawTable
from glocalx.table.roles import Choices, Role
from glocalx.table.understanding import read_column
from glocalx.words.phrases import listing, shown
from glocalx.words.spoken import outcome_names


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Records with features and, where chosen, outcomes. Make it with :meth:`of`.

    Parameters
    ----------
    raw
        The table as it is in the file.
    choices
        What people have said about its columns.
    columns
        Every column of the file, those that are not used included.
    findings
        What was found and what was done about it.
    rows
        The place of each record in `raw`; rows without an outcome are left out.

    Examples
    --------
    >>> from glocalx.table.reading import parse_table
    >>> raw = parse_table(b"age,job,answer\\n31,clerk,yes\\n,chief,no\\n44,,yes\\n", "people.csv")
    >>> table = Table.of(raw, target="answer")
    >>> table.frame["age"].tolist(), table.target.tolist()
    ([31.0, nan, 44.0], ['yes', 'no', 'yes'])
    >>> [finding.sentence for finding in table.findings if finding.topic == "missing"][0]
    '“age” lacks 1 of 3 values (33.3 %); rules can speak of that.'
    >>> Table.of(raw, choices=Choices(gaps="fill")).frame["age"].tolist()
    [31, 38, 44]
    """

    raw: RawTable = field(repr=False)
    choices: Choices = field(repr=False)
    columns: tuple[Column, ...]
    findings: tuple[Finding, ...] = field(repr=False)
    rows: Rows = field(repr=False)
    _frame: pd.DataFrame = field(repr=False)
    _outcomes: Mapping[Role, Texts] = field(repr=False)
    _reads: Mapping[str, ReadColumn] = field(repr=False)
    _among: Rows | None = field(repr=False)

    @classmethod
    def of(
        cls,
        raw: RawTable,
        target: str | None = None,
        *,
        predictions: str | None = None,
        true_label: str | None = None,
        ignored: Iterable[str] = (),
        choices: Choices | None = None,
    ) -> Table:
        """Understand a raw table.

        Parameters
        ----------
        target
            The column to be explained; it can be chosen later with :meth:`with_role`.
        predictions
            The column with the answers of a black box.
        true_label
            The column with what was true, if that is not the target.
        ignored
            Columns that no rule may speak of.
        choices
            More that is known about the columns.
        """
        choices = choices or Choices()
        named: list[tuple[str | None, Role]] = [(name, "ignored") for name in ignored]
        named += [(target, "target"), (predictions, "predictions"), (true_label, "true label")]
        for name, role in named:
            if name is not None:
                choices = choices.with_role(name, role)
        return cls._built(raw, choices, None)

    @classmethod
    def _built(cls, raw: RawTable, choices: Choices, among: Rows | None) -> Table:
        choices.check(raw.columns, raw.name)
        reads = {name: read_column(raw, name, choices.kinds.get(name)) for name in raw.columns}
        return cls(raw, choices, *build(raw, choices, reads, among), reads, among)

    @property
    def size(self) -> int:
        """Number of records in use."""
        return int(self.rows.size)

    @property
    def features(self) -> tuple[Column, ...]:
        """The columns that rules may speak of."""
        return tuple(column for column in self.columns if column.is_feature)

    @property
    def sensitive(self) -> tuple[str, ...]:
        """The names of the sensitive features."""
        return tuple(column.name for column in self.columns if column.role == "sensitive")

    def column(self, name: str) -> Column:
        """What is known about one column."""
        for column in self.columns:
            if column.name == name:
                return column
        raise GLocalXError(
            f"{shown(self.raw.name)} has no column {shown(name)}. "
            f"It has: {listing(self.raw.columns)}."
        )

    def unfilled(self, name: str) -> ReadColumn:
        """One column as it is in the file, gaps included, for the records in use."""
        self.column(name)
        return self._reads[name].take(self.rows)

    @property
    def frame(self) -> pd.DataFrame:
        """The features: numbers, dates as days since 1970-01-01, texts.

        A missing value is NaN, unless gaps are filled.
        """
        if not self._frame.shape[1]:
            raise GLocalXError(
                f"No column of {shown(self.raw.name)} is left as a feature. "
                "Change the kind or the role of a column."
            )
        return self._frame.copy(deep=False)

    @property
    def target(self) -> Texts:
        """The outcome of each record, in the file's own words."""
        texts = self._outcomes.get("target")
        if texts is None:
            raise GLocalXError("No target is chosen. Choose the column that is to be explained.")
        return texts

    @property
    def predictions(self) -> Texts | None:
        """The black-box answer for each record, where a column holds them."""
        return self._outcomes.get("predictions")

    @property
    def true_label(self) -> Texts:
        """What was true for each record: the true labels where chosen, else the target."""
        texts = self._outcomes.get("true label")
        return self.target if texts is None else texts

    def schema(
        self, outcomes: Iterable[object] | None = None, only: Collection[str] | None = None
    ) -> Schema:
        """The features with their domains, and the outcomes; by default those of the target.

        `only`: the features to take, where a model does not read them all.
        """
        frame = self.frame
        given = self.target if outcomes is None else outcomes
        names = tuple(sorted({str(name) for name in given}))
        return Schema(
            tuple(
                feature_of(column, frame[column.name])
                for column in self.features
                if only is None or column.name in only
            ),
            names,
            self._outcome_labels(names),
            self.choices.bands,
        )

    def _outcome_labels(self, outcomes: Iterable[str]) -> Mapping[str, str]:
        target = next((column for column in self.columns if column.role == "target"), None)
        if target is None:
            return {}
        known = target.spoken.values if target.spoken else None
        return outcome_names(target.title, outcomes, known)

    def with_choices(self, choices: Choices) -> Table:
        """The same records with other choices; only columns of another kind are read again."""
        return self._built(self.raw, choices, self._among)

    def with_kind(self, column: str, kind: ColumnKind) -> Table:
        """The table with another kind for one column."""
        return self.with_choices(self.choices.with_kind(self.column(column).name, kind))

    def with_role(self, column: str, role: Role) -> Table:
        """The table with another role for one column."""
        return self.with_choices(self.choices.with_role(self.column(column).name, role))

    def with_label(self, column: str, label: str) -> Table:
        """The table with a person's own name for one column."""
        return self.with_choices(self.choices.with_label(self.column(column).name, label))

    def only(self, records: npt.NDArray[np.int64], note: Finding | None = None) -> Table:
        """The table of these records alone, by their place in this one; `note` is kept with it."""
        notes = (*self.choices.notes, note) if note else self.choices.notes
        choices = replace(self.choices, notes=notes)
        return self._built(self.raw, choices, self.rows[records])

    def encode(self, other: RawTable) -> NewRecords:
        """New records as features of this table; gaps stay or are filled as they are here."""
        return encode_records(self.features, self._reads, self._frame, other)

    def fingerprint(self) -> str:
        """A short text that differs for other columns, roles, values or outcomes."""
        described = [(c.name, c.kind, c.role) for c in self.columns if c.role != "ignored"]
        digest = hashlib.sha256(repr(described).encode())
        digest.update(pd.util.hash_pandas_object(self._frame, index=False).to_numpy().tobytes())
        for role in sorted(self._outcomes):
            digest.update("\x1f".join((role, *self._outcomes[role])).encode())
        return digest.hexdigest()[:16]
