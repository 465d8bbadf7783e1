"""What a column can be, and how its cells give that away."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow.compute as pc  # type: ignore[import-untyped]

from glocalx.table.cells import Cells
from glocalx.table.dates import DateForm
from glocalx.table.findings import Finding
from glocalx.table.numbers import FloatArray, NumberForm

ColumnKind: TypeAlias = Literal[
    "numeric", "integer", "date", "categorical", "boolean", "text", "identifier"
]
COLUMN_KINDS: tuple[ColumnKind, ...] = get_args(ColumnKind)

NUMBER_SHARE = 0.95
"""Share of the cells that must be numbers (dates) for a column of numbers (dates)."""
NEAR_UNIQUE = 0.5
"""More different texts than this share of the records, and more than 20: no categories."""
_FEW = 20
_LONG_TEXT = 60
_LARGEST_WHOLE = 2.0**53
_ID_WORDS = frozenset(
    {"id", "uid", "uuid", "guid", "key", "index", "nr", "no", "number", "code", "row", "record"}
)
_YES_AND_NO = {
    frozenset(pair)
    for pair in (
        *(("yes", "no"), ("true", "false"), ("y", "n"), ("t", "f"), ("on", "off")),
        *(("ja", "nein"), ("oui", "non"), ("si", "no"), ("sí", "no"), ("sì", "no")),
        *(("sim", "não"), ("tak", "nie"), ("ja", "nee"), ("ja", "nej")),
    )
}


@dataclass(frozen=True, slots=True, eq=False)
class ReadColumn:
    """A column as it was understood, nothing replaced yet.

    Parameters
    ----------
    values
        Numbers and dates: floats, NaN where missing. Texts: the place of each cell in
        `categories`, −1 where missing.
    categories
        All different texts, sorted; none for numbers and dates and for what is set aside, where
        `values` only tells equal texts from different ones.
    form
        How numbers or dates are written in the file.
    """

    kind: ColumnKind
    values: npt.NDArray[np.float64] | npt.NDArray[np.int32]
    categories: tuple[str, ...] = ()
    form: NumberForm | DateForm | None = None
    findings: tuple[Finding, ...] = field(default=(), repr=False)

    @property
    def is_number(self) -> bool:
        """True where the values are floats: numbers, dates, running numbers."""
        return self.values.dtype.kind == "f"

    @property
    def is_usable(self) -> bool:
        """False for what no rule can speak of."""
        return self.kind not in ("text", "identifier")

    def known(self) -> npt.NDArray[np.bool_]:
        """Which records have a value."""
        return ~np.isnan(self.values) if self.is_number else self.values >= 0

    def take(self, rows: npt.NDArray[np.int64] | None) -> ReadColumn:
        """The column for these records alone; None means all."""
        return self if rows is None else replace(self, values=self.values[rows])


def are_whole(known: FloatArray) -> bool:
    return bool(np.all(np.floor(known) == known) and np.all(np.abs(known) <= _LARGEST_WHOLE))


def is_running_number(known: FloatArray, name: str) -> bool:
    """True for a different number in every record that is consecutive or called an identifier."""
    if known.size <= _FEW or pd.unique(known).size < known.size:
        return False
    consecutive = known.max() - known.min() == known.size - 1
    words = re.findall(r"[a-z]+", re.sub(r"([a-z])([A-Z])", r"\1 \2", name).lower())
    return bool(consecutive or _ID_WORDS & set(words))


def text_kind(cells: Cells, counts: npt.NDArray[np.int64]) -> ColumnKind:
    known = int(counts.sum())
    if not known:
        return "categorical"
    lengths = pc.utf8_length(cells.texts).to_numpy(zero_copy_only=False)
    if float(lengths @ counts) / known > _LONG_TEXT:
        return "text"
    distinct = int(np.count_nonzero(counts))
    if distinct > _FEW and distinct > NEAR_UNIQUE * known:
        words = pc.count_substring_regex(cells.texts, r"\s+").to_numpy(zero_copy_only=False) + 1
        return "text" if float(words @ counts) / known >= 3 else "identifier"
    if distinct == 2:
        texts = frozenset(text.casefold() for text in cells.texts.to_pylist())
        return "boolean" if texts in _YES_AND_NO else "categorical"
    return "categorical"
