"""Tables as CSV that a spreadsheet opens without running anything in it."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Mapping, Sequence

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def defused(text: str) -> str:
    """A text that no spreadsheet takes for a formula: an apostrophe goes before what might be.

    Examples
    --------
    >>> defused("=1+1"), defused("  @SUM(A1)"), defused("a = b")
    ("'=1+1", "'  @SUM(A1)", 'a = b')
    """
    return f"'{text}" if text.startswith(_FORMULA) or text.lstrip().startswith(_FORMULA) else text


def table_to_csv(
    rows: Sequence[Mapping[str, object]],
    columns: Sequence[str] | None = None,
    *,
    header: bool = True,
) -> str:
    """Rows as CSV: numbers as numbers, texts quoted and defused, what is undefined left empty.

    `columns`: which columns, in which order; by default those of the first row. `header`: whether
    their names come first.

    Examples
    --------
    >>> table_to_csv([{"group": "=x", "share": 0.25, "ratio": None}])
    '"group","share","ratio"\\r\\n"\\'=x",0.25,""\\r\\n'
    """
    if columns is None:
        columns = list(rows[0]) if rows else []
    text = io.StringIO()
    writer = csv.writer(text, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\r\n")
    if header:
        writer.writerow([defused(name) for name in columns])
    for row in rows:
        writer.writerow([_cell(row.get(name)) for name in columns])
    return text.getvalue()


def _cell(value: object) -> object:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, int | float) else defused(str(value))
