"""Parquet and Feather files."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped]
from pyarrow import parquet

from glocalx.errors import GLocalXError
from glocalx.table.cells import is_text
from glocalx.table.limits import check_header, check_shape, check_size
from glocalx.table.raw import RawTable
from glocalx.words.phrases import shown

_BATCH_ROWS = 1 << 16
_FEATHER_MAGIC = 8  # bytes before the first message
_BROKEN = (pa.ArrowException, OSError, ValueError, KeyError, IndexError, struct.error)


def read_arrow(data: bytes, name: str) -> RawTable:
    """Read a Parquet or Feather (Arrow IPC) file, after its declared sizes have been looked at."""
    is_parquet = data.startswith(b"PAR1")
    called, read = ("Parquet", _parquet) if is_parquet else ("Feather", _feather)
    try:
        return RawTable(name, read(data, name).unify_dictionaries(), called.lower())
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
    check_size(max(declared, facts.num_rows * _row_bytes(schema)), name, len(data))
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


def _row_bytes(schema: pa.Schema) -> int:
    return sum(4 if is_text(field.type) else 8 for field in schema)


def _feather(data: bytes, name: str) -> pa.Table:
    check_size(_feather_size(data), name, len(data))
    reader = pa.ipc.open_file(pa.BufferReader(data))
    check_header([field.name.strip() for field in reader.schema], name)
    batches = (reader.get_batch(place) for place in range(reader.num_record_batches))
    return pa.Table.from_batches(_counted(batches, name, len(data)), schema=reader.schema)


def check_stream(data: pa.Buffer, name: str) -> None:
    """Refuse Arrow data whose buffers say that they unpack to more than allowed."""
    check_size(_unpacked_size(data), name)


def _feather_size(data: bytes) -> int:
    """Bytes that the buffers of an Arrow file say they hold once unpacked."""
    return _unpacked_size(pa.py_buffer(data)[_FEATHER_MAGIC:])


def _unpacked_size(data: pa.Buffer) -> int:
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
    message = _pointed(metadata, 0)
    batch = _field(metadata, message, 2)
    (kind,) = struct.unpack_from("<B", metadata, _field(metadata, message, 1) or message)
    if kind not in (2, 3) or batch is None:  # 2: dictionary, 3: records
        return []
    batch = _pointed(metadata, batch)
    if kind == 2:
        inner = _field(metadata, batch, 1)
        if inner is None:
            return []
        batch = _pointed(metadata, inner)
    buffers, compression = _field(metadata, batch, 2), _field(metadata, batch, 3)
    if buffers is None or compression is None:
        return []
    start = _pointed(metadata, buffers)
    (count,) = struct.unpack_from("<I", metadata, start)
    return [struct.unpack_from("<qq", metadata, start + 4 + 16 * place) for place in range(count)]


def _pointed(metadata: memoryview, place: int) -> int:
    (distance,) = struct.unpack_from("<I", metadata, place)
    return place + int(distance)


def _field(metadata: memoryview, table: int, number: int) -> int | None:
    """Where a field of a flatbuffer table is; None where it is left out."""
    (distance,) = struct.unpack_from("<i", metadata, table)
    vtable = table - distance
    (size,) = struct.unpack_from("<H", metadata, vtable)
    entry = 4 + 2 * number
    if entry >= size:
        return None
    (offset,) = struct.unpack_from("<H", metadata, vtable + entry)
    return table + offset if offset else None
