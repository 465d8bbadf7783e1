"""A stranger's table is read in a child process; what comes back is Arrow data that was checked.

Both sides of the door: :func:`load_table` runs in the child, :func:`read_table` asks for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.compute as pc  # type: ignore[import-untyped]

from glocalx.confined.child import Loaded
from glocalx.confined.handed_file import HandedFile, Limits, read_confined
from glocalx.confined.wire import Message
from glocalx.errors import GLocalXError
from glocalx.file_bytes import read_bytes
from glocalx.table.arrow_file import unpacked_size
from glocalx.table.cells import is_text
from glocalx.table.findings import Finding, Severity
from glocalx.table.limits import check_shape, check_size
from glocalx.table.plain_columns import plain_table
from glocalx.table.raw import RawTable
from glocalx.table.reading import parse_table
from glocalx.words.phrases import counted, listing, shown

TABLE_LOADER = f"{__name__}:load_table"
_SECONDS = 300.0  # a large workbook takes minutes
_MEMORY_MB = 3072
_TURNS = "[\u202a-\u202e\u2066-\u2069]"
_TURNING = re.compile(rb"\xe2(?:\x80[\xaa-\xae]|\x81[\xa6-\xa9])")  # the same in UTF-8


def read_table(source: Path | bytes, name: str | None = None, sheet: str | None = None) -> RawTable:
    """Read a CSV, TSV, Excel (.xlsx), Parquet or Feather file in a confined child process.

    What the file holds decides, not what it is called. Nothing in it is ever run.

    Parameters
    ----------
    source
        The path of the file, or its bytes.
    name
        What to call it in sentences for people; by default the name of the file.
    sheet
        The sheet of a workbook; by default the first.

    Raises
    ------
    GLocalXError
        With what is wrong, where, and what to do.

    Examples
    --------
    >>> raw = read_table("age;job\\n31;clerk\\n".encode("utf-16"), "people.csv")
    >>> raw.columns, raw.size, raw.delimiter
    (('age', 'job'), 1, ';')
    """
    if isinstance(source, Path):
        name = name or source.name
        if source.is_file():
            check_size(source.stat().st_size, name)
        data = read_bytes(source)
    else:
        data, name = source, name or "table"
    limits = Limits(memory_mb=_MEMORY_MB + 6 * (len(data) >> 20), load_seconds=_SECONDS)
    options = {"name": name, "sheet": sheet}
    told = read_confined(HandedFile(name, TABLE_LOADER, data, options, limits, "table"))
    try:
        return _received(told, name)
    except GLocalXError:
        raise
    except (KeyError, TypeError, ValueError, pa.ArrowException):
        raise GLocalXError(
            f"{shown(name)} cannot be read: what came of it is no table. Write it again."
        ) from None


def load_table(content: bytes, options: dict[str, Any]) -> Loaded:
    """In the child: the file as Arrow data of plain types, and what was noticed."""
    raw = parse_plain(content, str(options["name"]), options["sheet"])
    written = pa.BufferOutputStream()
    with pa.ipc.new_stream(written, raw.cells.schema) as stream:
        stream.write_table(raw.cells)
    about = {
        "delimiter": raw.delimiter,
        "decimal_comma": raw.decimal_comma,
        "findings": [asdict(each) for each in raw.findings],
    }
    arrays: dict[str, npt.NDArray[Any]] = {
        "cells": np.frombuffer(written.getvalue(), dtype=np.uint8)
    }
    if raw.sheet_rows is not None:
        arrays["sheet_rows"] = raw.sheet_rows
    return Loaded(about, arrays)


def parse_plain(content: bytes, name: str, sheet: str | None = None) -> RawTable:
    """In the child: the table as the server gets it."""
    raw = parse_table(content, name, sheet)
    plain = plain_table(raw.cells)
    cells, turned = _undirected(pa.Table.from_arrays(plain.columns, names=plain.column_names))
    return replace(raw, cells=cells, findings=(*raw.findings, *_lost_dates(raw, plain), *turned))


def _lost_dates(raw: RawTable, plain: pa.Table) -> Iterator[Finding]:
    """Dates that no calendar has."""
    for name in raw.columns:
        was, now = raw.cells.column(name), plain.column(name)
        lost = now.null_count - was.null_count
        if lost and pa.types.is_temporal(was.type):
            sentence = (
                f"{shown(name)} has {counted(lost, 'date')} outside the years 1 to 9999, which "
                f"{'counts' if lost == 1 else 'count'} as missing."
            )
            yield Finding("dates", "warning", name, sentence)


def _undirected(cells: pa.Table) -> tuple[pa.Table, tuple[Finding, ...]]:
    """Without the invisible characters that have a name read backwards wherever it is shown."""
    names = [re.sub(_TURNS, "", name) for name in cells.column_names]
    turned = [new for new, old in zip(names, cells.column_names, strict=True) if new != old]
    if turned:
        cells = cells.rename_columns(names)
    for place, name in enumerate(names):
        column = cells.column(place)
        if _may_turn(column):
            plain = pc.replace_substring_regex(column.cast(pa.string()), _TURNS, "")
            cells = cells.set_column(place, name, plain)
            turned.append(name)
    if not turned:
        return cells, ()
    sentence = (
        f"Invisible characters that turn the direction of text were removed from "
        f"{listing(dict.fromkeys(turned))}."
    )
    return cells, (Finding("direction", "warning", None, sentence),)


def _may_turn(column: pa.ChunkedArray) -> bool:
    """Whether the bytes of its texts hold such a character; asking each text takes much longer."""
    if not (pa.types.is_dictionary(column.type) or is_text(column.type)):
        return False
    texts = (getattr(each, "dictionary", each) for each in column.chunks)
    held = (each.buffers()[-1] for each in texts)
    return any(buffer is not None and _TURNING.search(buffer) for buffer in held)


def _received(told: Message, name: str) -> RawTable:
    """What a child says, if it is what a table can be."""
    about, arrays = told.header["about"], told.arrays
    sent = arrays["cells"]
    if not isinstance(sent, np.ndarray):
        raise ValueError("no cells")
    buffer = pa.py_buffer(sent)
    check_size(unpacked_size(buffer), name)
    cells = pa.ipc.open_stream(buffer).read_all().replace_schema_metadata()
    check_shape(cells.num_rows, cells.num_columns, name)
    cells.validate(full=True)
    if plain_table(cells) is not cells:
        raise ValueError("a type that is not plain")
    rows = arrays.get("sheet_rows")
    if rows is not None and (not isinstance(rows, np.ndarray) or rows.shape != (cells.num_rows,)):
        raise ValueError("rows of another table")
    return RawTable(
        name,
        cells,
        _text(about["delimiter"]),
        decimal_comma=bool(about["decimal_comma"]),
        sheet_rows=None if rows is None else np.asarray(rows, dtype=np.int64),
        findings=tuple(_finding(each) for each in about["findings"]),
    )


def _finding(said: dict[str, Any]) -> Finding:
    severity: Severity = "warning" if said["severity"] == "warning" else "info"
    return Finding(str(said["topic"]), severity, _text(said["column"]), str(said["sentence"]))


def _text(said: object) -> str | None:
    return None if said is None else str(said)
