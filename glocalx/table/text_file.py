"""Delimited text: CSV, TSV and their relatives.

Arrow reads the cells, all as text. Python's csv module, slower by an order of magnitude, looks
only at the first rows, and at all of them where something is wrong and a person must be told in
which row.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice

import numpy as np
import numpy.typing as npt
import pyarrow as pa  # type: ignore[import-untyped]
from pyarrow import csv as arrow_csv

from glocalx.errors import GLocalXError
from glocalx.table.encoding import to_utf8
from glocalx.table.findings import Finding
from glocalx.table.limits import check_header, no_rows
from glocalx.table.raw import RawTable
from glocalx.words.phrases import counted, shown

DELIMITERS = {"\t": "tab", ";": "semicolon", "|": "pipe", ",": "comma"}
_HEAD_BYTES = 1 << 18
_HEAD_ROWS = 200
_BLOCK_BYTES = 1 << 24  # a record must fit into a block
_DECIMAL_COMMA = re.compile(r"\s*[+-]?\d+,\d+\s*")
_DECIMAL_POINT = re.compile(r"\s*[+-]?(\d+\.(\d{1,2}|\d{4,})|0?\.\d+)\s*")
_NUMBER = re.compile(r"\s*[+-]?\d+([.,]\d+)?\s*")


@dataclass(frozen=True, slots=True)
class _Text:
    """UTF-8 text of a table from its header on, and how many blank lines came before."""

    data: bytes
    delimiter: str
    skipped: int
    name: str

    def rows(self) -> Iterator[list[str]]:
        """All rows, blank ones (as empty lists) included."""
        lines = io.TextIOWrapper(io.BytesIO(self.data), encoding="utf-8", newline="")
        return csv.reader(lines, delimiter=self.delimiter)


def read_text(data: bytes, name: str) -> RawTable:
    """Read delimited text in any usual encoding and with any usual delimiter."""
    decoded, findings = to_utf8(data, name)
    content, delimiter = _declared_delimiter(decoded)
    body = content.lstrip(b"\r\n")
    skipped = content[: len(content) - len(body)].count(b"\n")
    delimiter = delimiter or _delimiter(body, name)
    text = _Text(body, delimiter, skipped, name)
    header = [cell.strip() for cell in next(text.rows(), [])]
    check_header(header, name)
    cells = _cells(text, header)
    head = _head_rows(body, delimiter)[1:]
    return RawTable(
        name,
        cells,
        delimiter,
        decimal_comma=_has_decimal_comma(head, delimiter),
        sheet_rows=_sheet_rows(text),
        findings=findings + _header_findings(header),
    )


def _declared_delimiter(data: bytes) -> tuple[bytes, str | None]:
    """Excel's own first line `sep=;`, which is no row of the table."""
    declared = re.match(rb"\s*\"?sep=([,;|\t])\"?\r?\n", data, re.IGNORECASE)
    if declared is None:
        return data, None
    return data[declared.end() :], declared[1].decode()


def _head_rows(data: bytes, delimiter: str) -> list[list[str]]:
    head = data[:_HEAD_BYTES].decode("utf-8", errors="ignore")
    reader = csv.reader(io.StringIO(head, newline=""), delimiter=delimiter)
    rows: list[list[str]] = []
    with suppress(csv.Error):  # a cell without end; the rows before it tell enough
        for row in islice(reader, _HEAD_ROWS):
            rows += [row] if row else []
    cut_off = len(data) > _HEAD_BYTES and 1 < len(rows) < _HEAD_ROWS
    return rows[:-1] if cut_off else rows


def _delimiter(data: bytes, name: str) -> str:
    """The delimiter that splits the most rows into as many cells as the header has."""
    best: tuple[tuple[bool, int, float], str] | None = None
    for delimiter in DELIMITERS:
        rows = _head_rows(data, delimiter)
        width = len(rows[0]) if rows else 0
        if width < 2:
            continue
        share = sum(len(row) == width for row in rows) / len(rows)
        score = (share >= 0.9, width, share)
        if best is None or score > best[0]:
            best = score, delimiter
    if best is None:
        first = data[:200].decode("utf-8", errors="ignore").split("\n")[0].strip()
        check_header([first], name)
    assert best is not None  # a header of one column was refused above
    return best[1]


def _cells(text: _Text, header: Sequence[str]) -> pa.Table:
    places = [str(place) for place in range(len(header))]
    try:
        table = arrow_csv.read_csv(
            pa.BufferReader(text.data),
            arrow_csv.ReadOptions(
                column_names=places, skip_rows_after_names=1, block_size=_BLOCK_BYTES
            ),
            arrow_csv.ParseOptions(delimiter=text.delimiter, newlines_in_values=True),
            arrow_csv.ConvertOptions(
                column_types=dict.fromkeys(places, pa.string()), strings_can_be_null=False
            ),
        )
    except pa.ArrowInvalid:
        raise _complaint(text, len(header)) from None
    return table.rename_columns(list(header))


def _complaint(text: _Text, width: int) -> GLocalXError:
    """What is wrong with a text that Arrow refused, and in which row."""
    last = 0
    try:
        rows = text.rows()
        for last, row in enumerate(rows, start=1 + text.skipped):
            if row and len(row) != width:
                return _ragged(row, last, width, text, at_end=next(rows, None) is None)
    except csv.Error:
        return GLocalXError(
            f"Row {last + 1:,} of {shown(text.name)} holds a cell of more than "
            f"{csv.field_size_limit():,} characters. Check for a quotation mark that is opened "
            "and never closed."
        )
    if last <= 1 + text.skipped:
        return no_rows(text.name)
    return GLocalXError(
        f"{shown(text.name)} cannot be read as a table. Save it again as CSV with UTF-8 encoding."
    )


def _ragged(row: list[str], place: int, width: int, text: _Text, *, at_end: bool) -> GLocalXError:
    delimiter = DELIMITERS[text.delimiter]
    if any("\n" in cell for cell in row):
        advice = "Check for a quotation mark that is opened and never closed."
    elif len(row) > width:
        advice = f"Check for a stray {delimiter}."
    elif at_end:
        advice = "It is the last row: the file may have been cut off."
    else:
        advice = f"Check for a missing {delimiter} or a line break inside a cell."
    has = "value" if len(row) == 1 else "values"
    return GLocalXError(f"Row {place:,} has {len(row):,} {has}, the header has {width:,}. {advice}")


def _sheet_rows(text: _Text) -> npt.NDArray[np.int64] | None:
    """The row of each record in a spreadsheet, None where there are no blank rows."""
    blank = any(pair in text.data.rstrip() for pair in (b"\n\n", b"\n\r\n", b"\r\r"))
    if not text.skipped and not blank:
        return None
    numbered = enumerate(text.rows(), start=1 + text.skipped)
    return np.array([place for place, row in numbered if row][1:], dtype=np.int64)


def _has_decimal_comma(rows: list[list[str]], delimiter: str) -> bool:
    if delimiter == ",":
        return False
    cells = [cell for row in rows for cell in row]
    if any(map(_DECIMAL_POINT.fullmatch, cells)):
        return False
    return any(map(_DECIMAL_COMMA.fullmatch, cells))


def _header_findings(header: Sequence[str]) -> tuple[Finding, ...]:
    numbers = [name for name in header if _NUMBER.fullmatch(name)]
    if len(numbers) * 2 < len(header):
        return ()
    sentence = (
        f"{counted(len(numbers), 'column is', 'columns are')} named by a number, such as "
        f"{shown(numbers[0])}. If the file has no header, add one as the first row."
    )
    return (Finding("header", "warning", None, sentence),)
