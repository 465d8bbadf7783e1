"""From a file to a raw table, whatever kind of file it is."""

from __future__ import annotations

import re

from glocalx.errors import GLocalXError
from glocalx.table.arrow_file import read_arrow
from glocalx.table.encoding import BINARY
from glocalx.table.limits import check_shape, check_size
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


def parse_table(data: bytes, name: str = "table", sheet: str | None = None) -> RawTable:
    """Parse a CSV, TSV, Excel (.xlsx), Parquet or Feather file here and now.

    For files of our own, and for the child process that reads all others: see
    :func:`glocalx.table.confined_table.read_table`.
    """
    check_size(len(data), name)
    if not data.strip():
        raise GLocalXError(f"{shown(name)} is empty. Bring a file with a header and records.")
    raw = _parsed(data, name, sheet)
    check_shape(raw.size, len(raw.columns), name)
    return raw


def _parsed(data: bytes, name: str, sheet: str | None) -> RawTable:
    if data.startswith(b"PK\x03\x04"):
        return read_workbook(data, name, sheet)
    if data.startswith((b"PAR1", b"ARROW1")):
        return read_arrow(data, name)
    for start, sentence in _REFUSED:
        if re.match(start, data[:32]):
            raise GLocalXError(f"{shown(name)} {sentence}")
    return read_text(data, name)
