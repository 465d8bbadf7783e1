"""From a file to a raw table, whatever kind of file it is."""

from __future__ import annotations

from pathlib import Path

from glocalx.errors import GLocalXError
from glocalx.file_bytes import read_bytes
from glocalx.table.arrow_file import read_feather, read_parquet
from glocalx.table.encoding import not_a_table
from glocalx.table.limits import check_size
from glocalx.table.raw import RawTable
from glocalx.table.text_file import read_text
from glocalx.table.workbook import read_workbook
from glocalx.words.phrases import shown

_REFUSED = (
    (b"\xd0\xcf\x11\xe0", "is an old or locked Office file. Save it as .xlsx without a password."),
    (b"\x1f\x8b", "is compressed with gzip. Unpack it and bring the table inside."),
    (b"BZh", "is compressed with bzip2. Unpack it and bring the table inside."),
    (b"FEA1", "is a Feather file of version 1. Write it again with version 2, or as Parquet."),
    (b"%PDF", "is a PDF. Bring the table itself, as CSV or Excel."),
    (b"<!doctype html", "is a web page, not a table. Download the table itself."),
    (b"<html", "is a web page, not a table. Download the table itself."),
    (b"<?xml", "is an XML file, not a table. Save it as CSV or Excel."),
)


def read_table(source: Path | bytes, name: str | None = None, sheet: str | None = None) -> RawTable:
    """Read a CSV, TSV, Excel (.xlsx), Parquet or Feather file.

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
    check_size(len(data), name)
    if not data.strip():
        raise GLocalXError(f"{shown(name)} is empty. Bring a file with a header and records.")
    if data.startswith(b"PK\x03\x04"):
        return read_workbook(data, name, sheet)
    if data.startswith(b"PAR1"):
        return read_parquet(data, name)
    if data.startswith(b"ARROW1"):
        return read_feather(data, name)
    _refuse_what_is_no_text(data, name)
    return read_text(data, name)


def _refuse_what_is_no_text(data: bytes, name: str) -> None:
    start = data[:32].lstrip().lower()
    for magic, sentence in _REFUSED:
        if data.startswith(magic) or start.startswith(magic):
            raise GLocalXError(f"{shown(name)} {sentence}")
    if data[0] == 0x80 and data[1:2] in (b"\2", b"\3", b"\4", b"\5"):
        raise GLocalXError(
            f"{shown(name)} is a Python pickle, which is a program and not a table; it was not "
            "opened. Save the table as CSV or Parquet."
        )
    if start[:1] in (b"{", b"[") and _is_json_start(start):
        raise GLocalXError(f"{shown(name)} is a JSON file. Save the table as CSV or Parquet.")
    if data.startswith((b"\x7fELF", b"\x89PNG", b"\xff\xd8\xff", b"GIF8")):
        raise not_a_table(name)


def _is_json_start(start: bytes) -> bool:
    return start[1:].lstrip()[:1] in (b'"', b"{", b"[", b"}", b"]")
