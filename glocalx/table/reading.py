"""From a file to a raw table, whatever kind of file it is."""

from __future__ import annotations

import re
from pathlib import Path

from glocalx.errors import GLocalXError
from glocalx.file_bytes import read_bytes
from glocalx.table.arrow_file import read_arrow
from glocalx.table.encoding import BINARY
from glocalx.table.limits import check_size
from glocalx.table.raw import RawTable
from glocalx.table.text_file import read_text
from glocalx.table.workbook import read_workbook
from glocalx.words.phrases import shown

_REFUSED = (
    (rb"\xd0\xcf\x11\xe0", "is an old or locked Office file. Save it as .xlsx without a password."),
    (rb"\x1f\x8b", "is compressed with gzip. Unpack it and bring the table inside."),
    (rb"BZh", "is compressed with bzip2. Unpack it and bring the table inside."),
    (rb"FEA1", "is a Feather file of version 1. Write it again with version 2, or as Parquet."),
    (rb"%PDF", "is a PDF. Bring the table itself, as CSV or Excel."),
    (rb"(?i)\s*<(!doctype )?html", "is a web page, not a table. Download the table itself."),
    (rb"(?i)\s*<\?xml", "is an XML file, not a table. Save it as CSV or Excel."),
    (
        rb"\x80[\2-\5]",
        "is a Python pickle, which is a program and not a table; it was not opened. Save the table "
        "as CSV or Parquet.",
    ),
    (rb"\s*[{\[]\s*[\"{}\[\]]", "is a JSON file. Save the table as CSV or Parquet."),
    (rb"\x7fELF|\x89PNG|\xff\xd8\xff|GIF8", BINARY),
)
"""How files begin that are no tables, and what to say of each."""


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
    if data.startswith((b"PAR1", b"ARROW1")):
        return read_arrow(data, name)
    for start, sentence in _REFUSED:
        if re.match(start, data[:32]):
            raise GLocalXError(f"{shown(name)} {sentence}")
    return read_text(data, name)
