"""From a run's settings and files to the values that the library works with."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from glocalx.blackbox.base import Labels
from glocalx.errors import GLocalXError
from glocalx.extraction.local_rule import LocalRule
from glocalx.files.document import read_text
from glocalx.files.journals import HierarchyReader, LocalRulesReader
from glocalx.merging.hierarchy import Hierarchy
from glocalx.pipeline.settings import DataSettings
from glocalx.rules.coverage import Records
from glocalx.rules.schema import Schema
from glocalx.rules.scoring import Reference
from glocalx.table import Split, Table, read_table, sample_rows, split
from glocalx.table.samples import load_sample, sample_info
from glocalx.workspace.run import Run


@dataclass(frozen=True, slots=True, eq=False)
class Shared:
    """A table whose records are shared out.

    Parameters
    ----------
    table, parts
        The table, and the places of its records in the three parts.
    positive
        The outcome that people ask about.
    """

    table: Table
    parts: Split
    positive: str
    train: pd.DataFrame = field(repr=False)
    explain: pd.DataFrame = field(repr=False)
    test: pd.DataFrame = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """What the black box said, and what is known about it.

    Parameters
    ----------
    name
        Of the black box.
    schema
        The table's features and every outcome.
    explain, test
        Its labels for the records to explain and the held-out ones.
    facts
        Accuracy, cross-validated accuracy, notes, … as JSON holds them.
    """

    name: str
    schema: Schema
    explain: Labels = field(repr=False)
    test: Labels = field(repr=False)
    facts: dict[str, Any] = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class Explained:
    """Everything that rules of this run are measured on."""

    shared: Shared
    answers: Answers
    reference: Reference
    held_out: Reference

    @property
    def schema(self) -> Schema:
        return self.answers.schema

    @property
    def positive(self) -> str:
        return self.shared.positive


def open_table(data: DataSettings, folder: Path) -> Table:
    """The table of a run, as the person wants its columns to be read; not yet sampled down."""
    if data.sample is not None:
        table = load_sample(data.sample)
    elif data.file is not None:
        path = folder / data.file
        try:
            raw = read_table(path.read_bytes(), data.name)
        except OSError:
            raise GLocalXError(
                f"The table “{data.name}” is no longer in the workspace. Bring it again."
            ) from None
        table = Table.of(raw)
    else:
        raise GLocalXError("No table is chosen. Open a sample or bring a file on the Start page.")
    choices = table.choices
    for column, kind in data.kinds.items():
        choices = choices.with_kind(column, kind)
    for column, role in data.roles.items():
        choices = choices.with_role(column, role)
    for column, label in data.labels.items():
        choices = choices.with_label(column, label)
    return table if choices == table.choices else Table.of(table.raw, choices=choices)


def share_out(table: Table, data: DataSettings) -> Shared:
    """The records in their three parts; a table with too many records is sampled first."""
    table = sample_rows(table, data.most_rows, data.seed)
    parts = split(table, data.train, data.explain, data.seed)
    frames = [
        table.frame.iloc[part].reset_index(drop=True)
        for part in (parts.train, parts.explain, parts.test)
    ]
    return Shared(table, parts, positive_outcome(table, data), *frames)


def positive_outcome(table: Table, data: DataSettings) -> str:
    """The outcome that people ask about: chosen, known from the sample, or the rarest."""
    values, counts = np.unique(table.target.astype(str), return_counts=True)
    named = data.positive
    if named is None and data.sample is not None:
        named = sample_info(data.sample).positive
    if named is not None and named in values:
        return named
    return str(values[np.argmin(counts)])


def chosen_records(size: int, most: int, seed: int) -> list[int]:
    """Which of the records are explained: all, or as many as wanted, drawn at random."""
    if most < 1:
        raise GLocalXError("Explain at least 1 record.")
    if most >= size:
        return list(range(size))
    chosen: list[int] = np.random.default_rng(seed).choice(size, most, replace=False).tolist()
    return sorted(chosen)


def read_answers(run: Run, shared: Shared) -> Answers:
    """What the black box of a run said; its stage must be done."""
    facts = json.loads(read_text(run.file("model")))
    if facts["key"] != run.settings.key("model"):
        raise GLocalXError("This run was changed in another window. Load the page again.")
    outcomes = tuple(facts["outcomes"])
    names = np.array(outcomes, dtype=object)
    schema = shared.table.schema(outcomes)
    explain, test = (names[np.array(facts[part], dtype=int)] for part in ("explain", "test"))
    return Answers(facts["name"], schema, explain, test, facts)


def explained(shared: Shared, answers: Answers) -> Explained:
    """The reference records and the held-out ones with their labels."""
    schema = answers.schema
    return Explained(
        shared,
        answers,
        Reference(Records(schema, shared.explain), answers.explain),
        Reference(Records(schema, shared.test), answers.test),
    )


def codes_of(labels: Labels, outcomes: Sequence[str]) -> npt.NDArray[np.int64]:
    """Labels as places in a list of outcomes."""
    place = {name: code for code, name in enumerate(outcomes)}
    return np.array([place[str(label)] for label in labels], dtype=np.int64)


class OpenedRun:
    """What the stages of a run work on, each part read once, when it is first asked for."""

    def __init__(self, run: Run) -> None:
        self.run = run

    @cached_property
    def shared(self) -> Shared:
        data = self.run.settings.data
        return share_out(open_table(data, self.run.folder), data)

    @cached_property
    def facts(self) -> Explained:
        """The records with their answers; the model stage must be done."""
        return explained(self.shared, read_answers(self.run, self.shared))

    @cached_property
    def local_rules(self) -> list[LocalRule]:
        """All local rules; the rules stage must be done."""
        return LocalRulesReader(self.run.file("rules"), self.facts.schema).refresh()

    @cached_property
    def hierarchy(self) -> Hierarchy:
        """As far as it is made; the rules stage must be done."""
        rules = [each.rule for each in self.local_rules]
        start = Hierarchy.start(rules, self.facts.reference, self.run.settings.merge)
        if not self.run.begun("merge"):
            return start
        reader = HierarchyReader(self.run.file("merge"), self.facts.schema, start.local_rules)
        return reader.refresh() or start
