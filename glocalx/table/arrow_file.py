"""Parquet and Feather files."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from typing import Any

import flatbuffers.number_types as kinds  # type: ignore[import-untyped]
import pyarrow as pa  # type: ignore[import-untyped]
from flatbuffers.encode import Get  # type: ignore[import-untyped]
from flatbuffers.table import Table  # type: ignore[import-untyped]
from pyarrow import parquet

from glocalx.errors import GLocalXError
from glocalx.table.cells import is_text
from glocalx.table.limits import check_header, check_shape, check_size
from glocalx.table.raw import RawTable
from glocalx.words.phrases import shown

_BATCH_ROWS = 1 << 16
_FEATHER_MAGIC = 8  # bytes before the first message
_BROKEN = (pa.ArrowException, OSError, ValueError, KeyError, IndexError, TypeError, struct.error)
_KIND, _BATCH, _DATA, _BUFFERS, _COMPRESSION = 6, 8, 6, 8, 10  # fields, by their places in a vtable
_DICTIONARY, _RECORDS = 2, 3  # kinds of a message


def read_arrow(data: bytes, name: str) -> RawTable:
    """Read a Parquet or Feather (Arrow IPC) file, after its declared sizes have been looked at."""
    is_parquet = data.startswith(b"PAR1")
    called, read = ("Parquet", _parquet) if is_parquet else ("Feather", _feather)
    try:
        return RawTable(name, read(data, name).unify_dictionaries())
    except GLocalXError:
        raise
    except _BROKEN:
        raise GLocalXError(
            f"{shown(name)} cannot be opened as a {called} file: it is damaged or cut off. "
            "Write it again."
        ) from None


def _parquet(data: bytes, name: str) -> pa.Table:
    plain = parquet.ParquetFile(pa.BufferReader(data))
    facts, schema = plain.metadata, plain.schema_arrow
    check_header([field.name.strip() for field in schema], name)
    declared = sum(facts.row_group(place).total_byte_size for place in range(facts.num_row_groups))
    check_shape(facts.num_rows, len(schema), name)
    row_bytes = sum(4 if is_text(field.type) else 8 for field in schema)
    check_size(max(declared, facts.num_rows * row_bytes), name, len(data))
    # Repeated texts stay in a dictionary: written once, a long text may fill a million cells.
    texts = [field.name for field in schema if is_text(field.type)]
    file = parquet.ParquetFile(pa.BufferReader(data), read_dictionary=texts)
    batches = _counted(file.iter_batches(batch_size=_BATCH_ROWS), name, len(data))
    return pa.Table.from_batches(batches, schema=file.schema_arrow)


def _counted(batches: Iterable[Any], name: str, packed: int) -> Iterator[Any]:
    """The batches, as long as they stay within the limits whatever the file declared.

    Each is checked whole before anything looks at it: an offset behind the end of its buffer
    would end the process.
    """
    size = rows = 0
    for batch in batches:
        rows += batch.num_rows
        check_shape(rows, batch.num_columns, name)
        batch.validate(full=True)
        size += batch.nbytes
        check_size(size, name, packed)
        yield batch


def _feather(data: bytes, name: str) -> pa.Table:
    check_size(unpacked_size(pa.py_buffer(data)[_FEATHER_MAGIC:]), name, len(data))
    reader = pa.ipc.open_file(pa.BufferReader(data))
    check_header([field.name.strip() for field in reader.schema], name)
    batches = (reader.get_batch(place) for place in range(reader.num_record_batches))
    return pa.Table.from_batches(_counted(batches, name, len(data)), schema=reader.schema)


def unpacked_size(data: pa.Buffer) -> int:
    """Bytes that the buffers of Arrow messages say they hold once unpacked.

    A compressed buffer begins with its unpacked length; −1 means that it is not compressed. Where
    the buffers are is told by a flatbuffer in front of each batch.
    """
    size = 0
    messages = pa.ipc.MessageReader.open_stream(data)
    for message in messages:
        body = memoryview(message.body)
        size += sum(
            _unpacked(body, offset, length)
            for offset, length in _compressed_buffers(memoryview(message.metadata))
        )
    return max(size, int(data.size))


def _unpacked(body: memoryview, offset: int, length: int) -> int:
    if length < 8:
        return length
    (declared,) = struct.unpack_from("<q", body, offset)
    return length if declared < 0 else int(declared)


def _compressed_buffers(metadata: memoryview) -> list[tuple[int, int]]:
    """Offset and length of every buffer of a message whose buffers are compressed."""
    message = Table(metadata, Get(kinds.UOffsetTFlags.packer_type, metadata, 0))
    kind = message.GetSlot(_KIND, 0, kinds.Uint8Flags)
    batch = _inner(message, _BATCH) if kind in (_DICTIONARY, _RECORDS) else None
    if batch is not None and kind == _DICTIONARY:
        batch = _inner(batch, _DATA)
    if batch is None or not batch.Offset(_COMPRESSION):
        return []
    buffers = batch.Offset(_BUFFERS)
    if not buffers:
        return []
    start = batch.Vector(buffers)
    places = range(start, start + 16 * batch.VectorLen(buffers), 16)
    return [struct.unpack_from("<qq", metadata, place) for place in places]


def _inner(table: Any, field: int) -> Any:
    """A table within a table; None where it is left out."""
    place = table.Offset(field)
    return Table(table.Bytes, table.Indirect(table.Pos + place)) if place else None
