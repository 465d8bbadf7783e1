"""The columns that hold outcomes: the target, black-box answers, true labels."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pandas as pd

from glocalx.errors import GLocalXError
from glocalx.rules.bands import Bands
from glocalx.table.findings import Finding
from glocalx.table.kinds import ColumnKind, ReadColumn
from glocalx.table.limits import MAX_CLASSES, MAX_DECIMAL_CLASSES, SMALLEST_CLASS
from glocalx.table.raw import RawTable
from glocalx.table.roles import Choices
from glocalx.table.understanding import read_categories, read_column
from glocalx.words.phrases import counted, listing, shown

Texts = npt.NDArray[np.object_]


def read_outcome(raw: RawTable, name: str, choices: Choices) -> ReadColumn:
    """A column of outcomes as texts: its own, or the names of the bands of its numbers."""
    kind = choices.kinds.get(name)
    if not choices.bands:
        return read_categories(raw, name, kind)
    read, bands = read_column(raw, name, kind), Bands(choices.bands)
    if not read.is_number or read.kind == "date":
        raise GLocalXError(
            f"The column {shown(name)} holds no numbers, so it cannot be cut into bands. "
            "Leave the bands out, or choose a column of numbers."
        )
    return replace(
        read, kind="categorical", values=bands.places(read.values), categories=bands.names
    )


def outcome_texts(read: ReadColumn) -> Texts:
    """One text per record, in the file's own words."""
    texts = np.array([*read.categories, ""], dtype=object)[read.values]
    texts.setflags(write=False)
    return texts


def check_outcome(name: str, read: ReadColumn, kind: ColumnKind) -> None:
    """Refuse an outcome that has one value, or so many that it is none."""
    different = np.unique(read.values[read.values >= 0])
    if different.size == 0:
        raise GLocalXError(f"The column {shown(name)} is empty. Choose a column with outcomes.")
    if different.size == 1:
        raise GLocalXError(
            f"The column {shown(name)} has one value only, "
            f"{shown(read.categories[int(different[0])])}, so there is nothing to explain. "
            "Choose a column with at least two."
        )
    limit = MAX_DECIMAL_CLASSES if kind == "numeric" else MAX_CLASSES
    if different.size > limit:
        bands = ", or cut its numbers into bands" if kind in ("numeric", "integer") else ""
        raise GLocalXError(
            f"The column {shown(name)} has {different.size:,} different values, too many for an "
            f"outcome (at most {limit}). Choose a column with a few classes{bands}."
        )


def target_findings(name: str, texts: Texts) -> tuple[Finding, ...]:
    """What to know about a target that can be used."""
    counts = pd.Series(texts).value_counts()
    rare = sorted(counts.index[counts < SMALLEST_CLASS])
    if not rare:
        return ()
    sentence = (
        f"{counted(len(rare), 'outcome')} of {shown(name)} "
        f"{'has' if len(rare) == 1 else 'have'} fewer than {SMALLEST_CLASS} records: "
        f"{listing(rare)}. A split puts them all into training."
    )
    return (Finding("rare outcome", "warning", name, sentence),)


def dropped_rows(name: str, role: str, missing: int, size: int) -> Finding:
    sentence = (
        f"{counted(missing, 'row')} of {size:,} {'has' if missing == 1 else 'have'} no value in "
        f"{shown(name)} (the {role}) and {'was' if missing == 1 else 'were'} left out."
    )
    return Finding("rows left out", "warning", name, sentence)
