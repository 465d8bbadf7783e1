"""The cells of one column as text, missing ones told apart.

A column with few different cells is kept as those cells and one code per record, so that
whatever is asked of the texts is asked once per different text and not once per record.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.compute as pc  # type: ignore[import-untyped]

MISSING = (
    *("", "?", ".", "na", "n/a", "n.a.", "nan", "nat", "null", "<na>", "(null)", r"\n"),
    *("#n/a", "#null!", "#div/0!", "#value!", "#ref!", "#name?", "#num!"),
)
"""Cells that mean "not known", in lower case; spaces around them do not count.

`none`, `unknown` and `-` are answers in many tables and are not among them.
"""

BoolArray = npt.NDArray[np.bool_]
_PROBED = 2_000
_PIECE = 1 << 16


@dataclass(frozen=True, eq=False)
class Cells:
    """Texts without spaces around them, and for each record the place of its text.

    Parameters
    ----------
    texts
        An Arrow array; different from each other only where `distinct` is true.
    codes
        For each record the place of its text, −1 where it is missing.
    padded
        How many cells had spaces around them.
    """

    texts: pa.Array
    codes: npt.NDArray[np.int32]
    distinct: bool
    padded: int = 0

    @cached_property
    def known(self) -> int:
        """Number of cells that are not missing."""
        return int(self.counts.sum())

    @cached_property
    def counts(self) -> npt.NDArray[np.int64]:
        """How many records have each text.

        Piece by piece, which takes an eighth of the time and lets others have their turn.
        """
        found = np.zeros(len(self.texts) + 1, dtype=np.int64)
        piece = max(_PIECE, len(found))
        for begin in range(0, len(self.codes), piece):
            found += np.bincount(self.codes[begin : begin + piece] + 1, minlength=len(found))
        return found[1:]

    def probe(self) -> pa.Array:
        """Texts from all over the column: what fits none of them is not worth trying on all."""
        step = max(1, len(self.texts) // _PROBED)
        return self.texts.take(pa.array(np.arange(0, len(self.texts), step)))

    def matching(self, pattern: str) -> BoolArray:
        """Which texts match a regular expression."""
        return as_bool(pc.match_substring_regex(self.texts, pattern))

    def first_record(self, among: BoolArray) -> int:
        """The first record that has one of the texts where `among` is true."""
        return int(np.argmax(np.append(among, False)[self.codes]))

    def with_distinct_texts(self) -> Cells:
        """The same cells with each text kept once."""
        if self.distinct:
            return self
        encoded = self.texts.dictionary_encode()
        places = np.append(_indices(encoded), -1).astype(np.int32)
        return Cells(encoded.dictionary, places[self.codes], True, self.padded)


def cells_of(column: pa.ChunkedArray) -> Cells:
    """The cells of an Arrow column of any type as text."""
    array = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if isinstance(array, pa.ChunkedArray):  # more than 2 GB of text, or no chunks at all
        array = pa.concat_arrays(array.chunks) if array.num_chunks else pa.array([], pa.string())
    if _is_varied(array):
        texts = as_text(array)
        return _cleaned(texts, np.arange(len(texts), dtype=np.int32), distinct=False)
    encoded = _encoded(array)
    return _cleaned(as_text(encoded.dictionary), _indices(encoded), distinct=True)


def _encoded(array: pa.Array) -> pa.DictionaryArray:
    if pa.types.is_dictionary(array.type):
        return array
    try:
        return array.dictionary_encode()
    except pa.ArrowNotImplementedError:  # lists and structures
        return as_text(array).dictionary_encode()


def _cleaned(texts: pa.Array, codes: npt.NDArray[np.int32], *, distinct: bool) -> Cells:
    """Spaces around texts removed, equal ones joined, missing ones coded −1."""
    trimmed = pc.utf8_trim_whitespace(texts)
    padded = as_bool(pc.not_equal(trimmed, texts))
    padded_cells = int(np.append(padded, False)[codes].sum()) if padded.any() else 0
    missing = as_bool(pc.is_in(pc.utf8_lower(trimmed), pa.array(MISSING))) | as_bool(
        pc.is_null(trimmed)
    )
    kept = np.flatnonzero(~missing)
    places = np.full(len(texts) + 1, -1, dtype=np.int32)
    places[kept] = np.arange(kept.size, dtype=np.int32)
    cells = Cells(trimmed.take(pa.array(kept)), places[codes], False, padded_cells)
    if not distinct:
        return cells
    if padded_cells:
        return cells.with_distinct_texts()
    return Cells(cells.texts, cells.codes, True)


def as_text(array: pa.Array) -> pa.Array:
    """The values as a person would write them; whole numbers without decimals."""
    kind = array.type
    if pa.types.is_string(kind):
        return array
    if pa.types.is_boolean(kind):
        return pc.if_else(array, "True", "False")
    if pa.types.is_floating(kind) or pa.types.is_decimal(kind) or pa.types.is_timestamp(kind):
        return pa.array([_shortest_text(value) for value in array.to_pylist()], pa.string())
    try:
        return pc.cast(array, pa.string())
    except (pa.ArrowException, NotImplementedError):  # lists, structures, bytes
        return pa.array([None if value is None else str(value) for value in array.to_pylist()])


def _shortest_text(value: object) -> str | None:
    """A number without a decimal that is 0, a moment without a time that is midnight."""
    return None if value is None else str(value).removesuffix(".0").removesuffix(" 00:00:00")


def as_bool(array: pa.Array) -> BoolArray:
    """An Arrow array of truth values as numpy's, null as false."""
    return np.asarray(pc.fill_null(array, False), dtype=np.bool_)


def _indices(encoded: pa.DictionaryArray) -> npt.NDArray[np.int32]:
    indices = pc.fill_null(pc.cast(encoded.indices, pa.int32()), -1)
    return np.asarray(indices, dtype=np.int32)


def _is_varied(array: pa.Array) -> bool:
    """True where looking for equal texts first would cost more than it saves."""
    probe = array.slice(0, _PROBED)
    if len(array) < _PROBED or not is_text(array.type):
        return False
    return bool(len(probe.unique()) > _PROBED / 2)


def is_text(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))
