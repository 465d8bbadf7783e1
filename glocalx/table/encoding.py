"""Bytes of a text file to UTF-8, whatever encoding they came in."""

from __future__ import annotations

import codecs

from glocalx.errors import GLocalXError
from glocalx.table.findings import Finding
from glocalx.words.phrases import shown

BINARY = (
    "is not a table: it holds binary data. Bring a CSV, TSV, Excel (.xlsx), Parquet or Feather "
    "file."
)
_MARKS = (  # UTF-32 first: its little-endian mark begins with that of UTF-16
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_CONTROLS = bytes(set(range(32)) - set(b"\t\n\v\f\r\x1a\x1b"))


def to_utf8(data: bytes, name: str) -> tuple[bytes, tuple[Finding, ...]]:
    """The text as UTF-8 without byte-order mark, and what to know about its encoding.

    A byte-order mark decides; else text with a zero in every other byte is UTF-16; else what is
    valid UTF-8 is UTF-8; all other text is Windows-1252 (which holds Latin-1), and that is said.

    Examples
    --------
    >>> to_utf8("größe;1".encode("cp1252"), "a.csv")[0].decode()
    'größe;1'
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _decoded(data[len(mark) :], encoding, name), ()
    wide = _utf16_without_mark(data)
    if wide:
        return _decoded(data, wide, name), ()
    head = data[:65_536]
    controls = len(head) - len(head.translate(None, delete=_CONTROLS))
    if b"\0" in data or controls > len(head) / 100:
        raise GLocalXError(f"{shown(name)} {BINARY}")
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        return _eight_bit(data, error.start, name)
    return data, ()


def _decoded(data: bytes, encoding: str, name: str) -> bytes:
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        raise GLocalXError(
            f"{shown(name)} begins like {encoding.upper()} text, but is damaged or cut off. "
            "Save the table again as UTF-8."
        ) from None
    if "\0" in text:
        raise GLocalXError(f"{shown(name)} {BINARY}")
    return data if encoding == "utf-8" else text.encode("utf-8")


def _utf16_without_mark(data: bytes) -> str | None:
    head = data[:4_096]
    half = len(head) // 2
    if half < 2 or len(data) % 2:
        return None
    zeros = head[0::2].count(0), head[1::2].count(0)
    if zeros[0] == 0 and zeros[1] > 0.7 * half:
        return "utf-16-le"
    return "utf-16-be" if zeros[1] == 0 and zeros[0] > 0.7 * half else None


def _eight_bit(data: bytes, place: int, name: str) -> tuple[bytes, tuple[Finding, ...]]:
    """Text that is not UTF-8 at `place`: Windows-1252, unless nearly all of it is UTF-8."""
    tolerant = data.decode("utf-8", errors="replace")
    broken = tolerant.count("\ufffd")
    accented = len(tolerant) - len(tolerant.encode("ascii", errors="ignore")) - broken
    if accented > 10 * broken:
        row = data.count(b"\n", 0, place) + 1
        raise GLocalXError(
            f"{shown(name)} is UTF-8 text with a broken character in row {row:,}; the file may be "
            "damaged or cut off. Save the table again as UTF-8."
        )
    try:
        text, called = data.decode("cp1252"), "Windows-1252"
    except UnicodeDecodeError:
        text, called = data.decode("latin-1"), "Latin-1"
    around = text[max(0, place - 8) : place + 8]
    sentence = (
        f"The file is not UTF-8; it was read as {called}. Check letters as in {shown(around)}."
    )
    return text.encode("utf-8"), (Finding("encoding", "info", None, sentence),)
