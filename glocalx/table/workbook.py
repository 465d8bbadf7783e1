"""Excel workbooks (.xlsx).

Nothing in a workbook is run: formulas give the value that Excel last showed, links and macros
are not looked at.
"""

from __future__ import annotations

import datetime
import io
import warnings
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from typing import Any
from xml.etree.ElementTree import ParseError

import defusedxml  # type: ignore[import-untyped]
import numpy as np
import numpy.typing as npt
import openpyxl
import pyarrow as pa  # type: ignore[import-untyped]

from glocalx.errors import GLocalXError
from glocalx.table.findings import Finding
from glocalx.table.limits import MAX_COLUMNS, check_header, check_shape, check_size
from glocalx.table.raw import RawTable
from glocalx.words.phrases import counted, shown

_MOST_ROWS = 1 << 20  # of a sheet, by the format
_CELL_BYTES = 48  # a Python text and its place in a list, at the least
_BROKEN = (
    *(zipfile.BadZipFile, zlib.error, EOFError, KeyError, ValueError, TypeError, OSError),
    *(AttributeError, IndexError, NotImplementedError, ParseError, defusedxml.DefusedXmlException),
)


def read_workbook(data: bytes, name: str, sheet: str | None = None) -> RawTable:
    """Read one sheet, the first unless another is named."""
    try:
        _check_archive(data, name)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of styles and extensions, which do not matter here
            book = openpyxl.load_workbook(
                io.BytesIO(data), read_only=True, data_only=True, keep_links=False
            )
            return _read_sheet(book, name, sheet, len(data))
    except GLocalXError:
        raise
    except _BROKEN:
        raise GLocalXError(
            f"{shown(name)} cannot be opened as an Excel workbook: it is damaged or cut off. "
            "Save it again as .xlsx or as CSV."
        ) from None


def _check_archive(data: bytes, name: str) -> None:
    """Refuse what is no workbook, and what would unpack to more than the limit.

    Every part is unpacked once, in pieces and no further than its declared size, so a part that
    declares less than it holds fails its checksum here and not in memory later.
    """
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = archive.infolist()
        check_size(sum(part.file_size for part in parts), name, len(data))
        if "xl/workbook.xml" not in {part.filename for part in parts}:
            raise GLocalXError(
                f"{shown(name)} is a zip archive, not an Excel workbook. "
                "Unpack it and bring the table inside."
            )
        for part in parts:
            with archive.open(part) as content:
                while content.read(1 << 20):
                    pass


def _read_sheet(book: openpyxl.Workbook, name: str, sheet: str | None, packed: int) -> RawTable:
    sheets = {worksheet.title: worksheet for worksheet in book.worksheets}
    if not sheets or (sheet is not None and sheet not in sheets):
        raise GLocalXError(
            f"{shown(name)} has no sheet {shown(sheet or '1')}. Choose one that holds a table."
        )
    title = sheet if sheet is not None else next(iter(sheets))
    worksheet: Any = sheets[title]
    worksheet.reset_dimensions()  # what the file declares may be wrong
    header, columns, places = _columns(worksheet.iter_rows(values_only=True), name, packed)
    blank = len(places) and places[-1] != len(places) + 1
    sentence = f"The workbook has {counted(len(sheets), 'sheet')}; {shown(title)} was read."
    several = Finding("sheets", "info", None, sentence)
    return RawTable(
        name,
        pa.Table.from_arrays([pa.array(column, pa.string()) for column in columns], names=header),
        sheet_rows=places if blank else None,
        findings=(several,) if len(sheets) > 1 else (),
    )


def _columns(
    rows: Iterable[tuple[Any, ...]], name: str, packed: int
) -> tuple[list[str], list[list[str]], npt.NDArray[np.int64]]:
    """The header, the cells of each column as text, and the row that each record stands in."""
    filled = _filled_rows(rows, name)
    _, header = next(filled, (0, []))
    header = [cell.strip() for cell in header]
    check_header(header, name)
    columns: list[list[str]] = [[] for _ in header]
    places: list[int] = []
    size = 0
    for place, row in filled:
        if len(row) > len(header):
            raise GLocalXError(
                f"Row {place:,} has {len(row):,} values, the header has {len(header):,}. "
                "Name every column in the first row, or clear the cells beside the table."
            )
        row += [""] * (len(header) - len(row))
        for column, cell in zip(columns, row, strict=True):
            column.append(cell)
        places.append(place)
        size += sum(map(len, row)) + _CELL_BYTES * len(row)
        check_shape(len(places), len(header), name)
        check_size(size, name, packed)
    return header, columns, np.array(places, dtype=np.int64)


def _filled_rows(rows: Iterable[tuple[Any, ...]], name: str) -> Iterator[tuple[int, list[str]]]:
    """The rows that are not blank, without blank cells at their end."""
    for place, row in enumerate(rows, start=1):
        if place > _MOST_ROWS:  # one cell that says it stands in row 10¹⁵ has as many before it
            raise GLocalXError(
                f"{shown(name)} has a cell below row {_MOST_ROWS:,}, where no workbook has any. "
                "Save it again."
            )
        width = len(row)
        while width and row[width - 1] is None:
            width -= 1
        if width > MAX_COLUMNS:
            check_header([""] * width, name)
        if width:
            yield place, [_text(cell) for cell in row[:width]]


def _text(cell: Any) -> str:
    """A cell as a person would type it."""
    match cell:
        case str():
            return cell
        case None:
            return ""
        case bool():
            return "TRUE" if cell else "FALSE"
        case float() if cell.is_integer() and abs(cell) < 1e15:
            return str(int(cell))
        case datetime.datetime() if cell.time() == datetime.time():
            return cell.date().isoformat()
        case datetime.datetime():
            return cell.isoformat(sep=" ")
        case _:
            return str(cell)
