"""The sample tables that come with the project, with what is known about their columns."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from glocalx.errors import GLocalXError
from glocalx.table.findings import Finding
from glocalx.table.raw import RawTable
from glocalx.table.reading import parse_table
from glocalx.table.roles import Choices, Role
from glocalx.table.table import Table
from glocalx.words.phrases import listing, shown
from glocalx.words.spoken import Spoken

SAMPLE_FOLDER = Path(__file__).resolve().parents[2] / "sample_data"


@dataclass(frozen=True, slots=True)
class Sample:
    """What people should know about a sample table before they open it.

    Parameters
    ----------
    name, title, description
        For the command line; for a heading; one sentence.
    target, positive
        The column to be explained, and the outcome that people ask about.
    favourable
        The outcome that is good for those who get it.
    synthetic
        True where nobody in it is real.
    source
        Where it comes from.
    """

    name: str
    title: str
    description: str
    rows: int
    target: str
    positive: str
    favourable: str
    synthetic: bool
    source: str


def sample_names(folder: Path = SAMPLE_FOLDER) -> tuple[str, ...]:
    """The names of the samples."""
    return tuple(_facts(folder))


def sample_info(name: str, folder: Path = SAMPLE_FOLDER) -> Sample:
    """What is known about one sample."""
    facts = _facts_of(name, folder)
    return Sample(**{key: facts[key] for key in Sample.__dataclass_fields__})


def sample_file(name: str, folder: Path = SAMPLE_FOLDER) -> Path:
    """The file of a sample."""
    path: Path = folder / _facts_of(name, folder)["file"]
    if not path.is_file():
        raise GLocalXError(
            f"The file {shown(path.name)} of the sample {shown(name)} is missing from "
            f"{shown(folder.name)}. Run make_samples.py there."
        )
    return path


def load_sample(name: str, folder: Path = SAMPLE_FOLDER) -> Table:
    """Open a sample with its labels, units, sensitive columns, suggested roles and target.

    Columns that were known only after the decision stay features; a finding warns of them.
    """
    raw, choices = read_sample(name, folder)
    return Table.of(raw, choices=choices)


def read_sample(name: str, folder: Path = SAMPLE_FOLDER) -> tuple[RawTable, Choices]:
    """A sample as it is in its file, and what is known about its columns."""
    path = sample_file(name, folder)
    return parse_table(path.read_bytes(), path.name), _choices(_facts_of(name, folder))


def _choices(facts: Mapping[str, Any]) -> Choices:
    columns: Mapping[str, Mapping[str, Any]] = facts["columns"]
    roles: dict[str, Role] = {
        name: "sensitive" if about["sensitive"] else "feature" for name, about in columns.items()
    }
    roles |= dict.fromkeys(facts["suggested_ignored"], "ignored")
    roles[facts["target"]] = "target"
    return Choices(
        roles=roles,
        labels={name: about["label"] for name, about in columns.items() if about["label"]},
        units={name: about["unit"] for name, about in columns.items() if about["unit"]},
        spoken={
            name: Spoken.from_dict({**about.get("spoken", {}), "values": about.get("value_labels")})
            for name, about in columns.items()
        },
        known_after=frozenset(
            name for name, about in columns.items() if about["known_after_decision"]
        ),
        notes=_notes(facts),
    )


def _notes(facts: Mapping[str, Any]) -> tuple[Finding, ...]:
    ignored = facts["suggested_ignored"]
    notes = []
    if facts["synthetic"]:
        sentence = "This table is synthetic: nobody in it is real."
        notes.append(Finding("synthetic", "info", None, sentence))
    if ignored:
        sentence = f"{listing(ignored)} {'is' if len(ignored) == 1 else 'are'} left out by default."
        notes.append(Finding("suggested", "info", None, sentence))
    return tuple(notes)


def _facts_of(name: str, folder: Path) -> dict[str, Any]:
    facts = _facts(folder)
    if name not in facts:
        raise GLocalXError(f"There is no sample {shown(name)}. There are: {listing(facts)}.")
    return facts[name]


def _facts(folder: Path) -> dict[str, dict[str, Any]]:
    try:
        listed = json.loads((folder / "samples.json").read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise GLocalXError(
            f"The folder {shown(folder.name)} with the samples is not beside the glocalx package. "
            "Get the whole project, or bring a table of your own."
        ) from None
    return {sample["name"]: sample for sample in listed}
