"""Columns of plain types: all that leaves the child process, and all that the server takes.

Numbers, truth values, texts, texts that are each kept once, and days and moments that a calendar
has. Whatever else an Arrow file can hold becomes what a person would write for it.
"""

from __future__ import annotations

from typing import Any

import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.compute as pc  # type: ignore[import-untyped]

from glocalx.errors import GLocalXError
from glocalx.table.cells import as_text, is_text
from glocalx.words.phrases import shown

_FIRST_DAY, _LAST_DAY = -719_162, 2_932_896  # of the years 1 to 9999, counted from 1970-01-01
_A_DAY = {"s": 86_400, "ms": 86_400_000, "us": 86_400_000_000}  # nanoseconds cannot leave them
_UNREADABLE = (pa.ArrowException, ValueError, OverflowError, TypeError)


def plain_table(table: pa.Table) -> pa.Table:
    """The table with every column of a type that needs no care; itself where all are so already.

    Values in lists, structures and the like become what a person would write for them, dates that
    no calendar has are missing.
    """
    for place, name in enumerate(table.column_names):
        column = table.column(place)
        if not _is_plain(column):
            try:
                column = _plain(column)
            except _UNREADABLE:
                raise GLocalXError(
                    f"The column {shown(name)} holds values that are neither numbers nor texts "
                    "nor dates. Leave it out, or save it as text."
                ) from None
            table = table.set_column(place, pa.field(name, column.type), column)
    return table


def _is_plain(column: pa.ChunkedArray) -> bool:
    kind, types = column.type, pa.types
    if types.is_dictionary(kind):
        return is_text(kind.value_type) and _each_kept_once(column)
    if types.is_date32(kind) or (types.is_timestamp(kind) and kind.tz is None):
        return _on_calendar(column) is None
    numbers = types.is_integer(kind) or types.is_floating(kind) or types.is_boolean(kind)
    return numbers or is_text(kind) or types.is_null(kind)


def _each_kept_once(column: pa.ChunkedArray) -> bool:
    """Whether no dictionary holds a text twice or a missing one; each is looked at once."""
    held = {_places(each.dictionary): each.dictionary for each in column.chunks}
    return all(not d.null_count and len(d.unique()) == len(d) for d in held.values())


def _places(array: pa.Array) -> tuple[Any, ...]:
    """Where it lies in memory."""
    return array.offset, len(array), *(b and b.address for b in array.buffers())


def _plain(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """One layer after the other is taken off, until what is left is plain."""
    if _is_plain(column):
        return column
    kind, types = column.type, pa.types
    if isinstance(kind, pa.BaseExtensionType):
        return _plain(column.cast(kind.storage_type))
    if types.is_run_end_encoded(kind):
        unfolded = [pc.run_end_decode(each) for each in column.chunks]
        return _plain(pa.chunked_array(unfolded, kind.value_type))
    if types.is_dictionary(kind) and types.is_primitive(kind.value_type):
        return _plain(column.cast(kind.value_type))
    if types.is_dictionary(kind):
        return pa.chunked_array([_kept_once(each) for each in column.chunks])
    if types.is_date64(kind):
        return _plain(column.cast(pa.timestamp("ms")))
    if types.is_date32(kind) or types.is_timestamp(kind):
        real = _on_calendar(column)
        return _local(column) if real is None else _plain(pc.if_else(real, column, None))
    return pa.chunked_array(
        [as_text(each).cast(pa.string()) for each in column.chunks], pa.string()
    )


def _kept_once(array: pa.DictionaryArray) -> pa.DictionaryArray:
    texts = as_text(array.dictionary).cast(pa.string()).dictionary_encode()
    return pa.DictionaryArray.from_arrays(texts.indices.take(array.indices), texts.dictionary)


def _on_calendar(column: pa.ChunkedArray) -> pa.ChunkedArray | None:
    """Which days or moments a calendar has; None where it has all of them."""
    a_day = 1 if pa.types.is_date32(column.type) else _A_DAY.get(column.type.unit)
    if a_day is None:
        return None
    numbers = column.cast(pa.int32() if a_day == 1 else pa.int64())
    first, last = _FIRST_DAY * a_day, (_LAST_DAY + 1) * a_day - 1
    found = pc.min_max(numbers)
    if (
        found["min"].as_py() is None
        or first <= found["min"].as_py() <= found["max"].as_py() <= last
    ):
        return None
    return pc.and_(pc.greater_equal(numbers, first), pc.less_equal(numbers, last))


def _local(moments: pa.ChunkedArray) -> pa.ChunkedArray:
    """Moments as the clocks of their zone show them; as they are where nobody knows the zone."""
    try:
        return _plain(pc.local_timestamp(moments))
    except pa.ArrowException:
        return _plain(moments.cast(pa.timestamp(moments.type.unit)))
