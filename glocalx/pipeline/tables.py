"""Open, split: from settings and files to records in three parts, and these with their labels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from glocalx.blackbox.base import Labels
from glocalx.errors import GLocalXError
from glocalx.file_bytes import written_when
from glocalx.pipeline.settings import DataSettings
from glocalx.rules.coverage import Records
from glocalx.rules.schema import Schema
from glocalx.rules.scoring import Reference
from glocalx.synthetic import FeatureDistribution
from glocalx.table import Choices, Finding, RawTable, Split, Table, read_table, sample_rows, split
from glocalx.table.samples import read_sample, sample_info
from glocalx.words.phrases import counted


@dataclass(frozen=True, slots=True, eq=False)
class SplitTable:
    """A table whose records are shared out.

    Parameters
    ----------
    table, parts
        The table, and the places of its records in the three parts.
    positive
        The outcome that people ask about.
    drawn
        Whether the records to explain are drawn, and no records of the table.
    """

    table: Table
    parts: Split
    positive: str
    train: pd.DataFrame = field(repr=False)
    explain: pd.DataFrame = field(repr=False)
    test: pd.DataFrame = field(repr=False)
    drawn: bool = False

    @classmethod
    def of(cls, table: Table, parts: Split, positive: str) -> SplitTable:
        """The records of a table in these parts."""
        train, explain, test = (
            table.frame.iloc[part].reset_index(drop=True)
            for part in (parts.train, parts.explain, parts.test)
        )
        return cls(table, parts, positive, train, explain, test)

    @property
    def background(self) -> pd.DataFrame:
        """Clean records that stand for all; see :attr:`Split.background`."""
        return self.train if len(self.train) else self.explain


@dataclass(frozen=True, slots=True, eq=False)
class LabelledTable:
    """The records with what the black box says of them: all that rules are measured on.

    Parameters
    ----------
    reference, held_out
        What rules are merged and chosen on, and the held-out records, with the labels that it
        gives them. The reference begins with the records to explain; mostly it is these alone.
    facts
        What else is known of the black box, as JSON holds it: notes, accuracy, …
    background
        What it says of the records that it was trained on; None where nobody asked.
    """

    split: SplitTable
    box_name: str
    reference: Reference = field(repr=False)
    held_out: Reference = field(repr=False)
    facts: Mapping[str, Any] = field(repr=False, default_factory=dict)
    background: Labels | None = field(repr=False, default=None)

    @classmethod
    def of(
        cls,
        split: SplitTable,
        box_name: str,
        schema: Schema,
        labels: tuple[Labels, Labels],
        facts: Mapping[str, Any] | None = None,
        background: Labels | None = None,
    ) -> LabelledTable:
        """The records to explain and the held-out ones, each with their labels."""
        reference, held_out = (
            Reference(Records(schema, frame), given)
            for frame, given in zip((split.explain, split.test), labels, strict=True)
        )
        return cls(split, box_name, reference, held_out, facts or {}, background)

    @property
    def schema(self) -> Schema:
        """The features that the black box reads, and every outcome it gave or could have given."""
        return self.reference.records.schema

    @property
    def unread(self) -> tuple[str, ...]:
        """The table's features that the black box does not read: no rule speaks of them."""
        return tuple(c.name for c in self.split.table.features if c.name not in self.schema)

    @property
    def explained_labels(self) -> Labels:
        """What the black box says of the records to explain."""
        return self.reference.labels[: len(self.split.explain)]

    @property
    def reference_name(self) -> str:
        """What people call a record of the reference, in the singular."""
        alone = self.reference.size == len(self.split.explain)
        return "explained record" if alone else "labelled record"

    @property
    def judged_name(self) -> str:
        """What people call a record that rules are judged on, in the singular."""
        return "record" if self.split.parts.nothing_held_out else "held-out record"

    @property
    def positive(self) -> str:
        """The outcome that people ask about."""
        return self.split.positive

    @property
    def truth(self) -> Labels:
        """What is true of the held-out records."""
        return self.split.table.true_label[self.split.parts.test]

    @property
    def box_accuracy(self) -> float:
        """Share of the held-out records to which the black box gives the true answer."""
        return float(np.mean(self.held_out.labels == self.truth))

    @property
    def majority_share(self) -> float:
        """Share of the held-out records to which the black box gives its most common answer."""
        return self.held_out.having[self.reference.majority].bit_count() / self.held_out.size


def open_table(data: DataSettings, folder: Path = Path()) -> Table:
    """The table, its columns read as the person wants them; not yet sampled down.

    `folder`: where the file is, if it is not a sample.
    """
    if data.sample is not None:
        raw, choices = read_sample(data.sample)
    elif data.file is not None:
        raw, choices = read_once(folder / data.file, data.name), Choices()
    else:
        raise GLocalXError("No table is chosen. Open a sample or bring a file on the Start page.")
    return understood(raw, choices, data)


def understood(raw: RawTable, choices: Choices, data: DataSettings) -> Table:
    """A table that was read, its columns as the person wants them."""
    for column, kind in data.kinds.items():
        choices = choices.with_kind(column, kind)
    for column, role in data.roles.items():
        choices = choices.with_role(column, role)
    for column, label in data.labels.items():
        choices = choices.with_label(column, label)
    choices = choices.with_sensitive(data.sensitive)
    return Table.of(raw, choices=replace(choices, bands=data.bands, gaps=data.gaps))


def read_once(path: Path, name: str) -> RawTable:
    """A file as a raw table, parsed once in this process as long as nobody writes it again."""
    written = written_when(path)
    if written is None:
        raise GLocalXError(
            f"The table “{name}” is no longer there. Bring it again, or check its name."
        )
    return _read(path.absolute(), name, written)


@lru_cache(maxsize=2)
def _read(path: Path, name: str, written: object) -> RawTable:
    return read_table(path, name)


def split_table(table: Table, data: DataSettings) -> SplitTable:
    """The records in their three parts; a table with too many records is sampled first."""
    table = sample_rows(table, data.most_rows, data.seed)
    parts = split(table, data.train, data.explain, data.seed)
    made = SplitTable.of(table, parts, positive_outcome(table, data))
    return _drawn(made, data.seed) if data.drawn else made


def _drawn(split: SplitTable, seed: int) -> SplitTable:
    """As many records to explain, like these and nobody's."""
    count = len(split.explain)
    explain = FeatureDistribution(split.explain, split.table.schema()).sample(count, seed)
    said = (
        f"The {counted(count, 'explained record')} {'is' if count == 1 else 'are'} drawn from the "
        "distribution of the features: nobody’s."
    )
    finding = Finding("drawn", "info", None, said)
    table = split.table.only(np.arange(split.table.size), finding)
    return replace(split, table=table, explain=explain, drawn=True)


def positive_outcome(table: Table, data: DataSettings) -> str:
    """The outcome that people ask about: chosen, known from the sample, or the rarest."""
    values, counts = np.unique(table.target.astype(str), return_counts=True)
    named = data.positive
    if named is None and data.sample is not None:
        named = sample_info(data.sample).positive
    if named is not None and named in values:
        return named
    return str(values[np.argmin(counts)])
