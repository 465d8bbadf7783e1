"""What a table may be at most. Each limit is named in the sentence that refuses a table."""

from __future__ import annotations

from collections.abc import Sequence

from glocalx.errors import GLocalXError
from glocalx.words.phrases import shown

MAX_COLUMNS = 2_000
MAX_ROWS = 10_000_000
MAX_CELLS = 200_000_000
MEMORY_LIMIT = 2 * 1024**3
"""Bytes that a file may hold once it is unpacked."""
SMALL, RATIO = 256 * 1024**2, 20
"""A small file may unpack to so many bytes, a large one to so many times more."""
MAX_CLASSES = 50
"""Different values that an outcome may have."""
MAX_DECIMAL_CLASSES = 20
"""The same for a column of numbers with decimals, which is more likely a measurement."""
SMALLEST_CLASS = 3
"""Records that an outcome needs so that each part of a split can have one."""


def check_size(size: int, name: str, packed: int = MEMORY_LIMIT) -> None:
    """Refuse what would take more memory than allowed.

    `packed`: how many bytes the file has: a small one that becomes very large was made to do so.
    """
    most = min(MEMORY_LIMIT, SMALL + RATIO * packed)
    if size > most:
        raise GLocalXError(
            f"{shown(name)} would take {size / 1024**3:,.1f} GB once unpacked; the limit is "
            f"{most / 1024**3:,.{0 if most == MEMORY_LIMIT else 1}f} GB. Bring fewer rows or "
            "columns."
        )


def check_shape(rows: int, columns: int, name: str) -> None:
    """Refuse more rows, or more cells, than can be dealt with; empty ones count, too."""
    if rows > MAX_ROWS:
        raise GLocalXError(
            f"{shown(name)} has {rows:,} rows; the limit is {MAX_ROWS:,}. Bring fewer rows."
        )
    if rows * columns > MAX_CELLS:
        raise GLocalXError(
            f"{shown(name)} has {rows * columns:,} cells; the limit is {MAX_CELLS:,}. Bring fewer "
            "rows or columns."
        )


def check_header(names: Sequence[str], file: str) -> None:
    """Refuse a header that is too short or too long, or whose columns cannot be told apart."""
    if len(names) > MAX_COLUMNS:
        raise GLocalXError(
            f"{shown(file)} has {len(names):,} columns; the limit is {MAX_COLUMNS:,}. "
            "Keep the columns that matter."
        )
    if len(names) < 2:
        raise GLocalXError(
            f"{shown(file)} has one column only, {shown(names[0] if names else '')}. A table "
            "needs at least two, separated by commas, semicolons, tabs or pipes."
        )
    empty = [place for place, name in enumerate(names, start=1) if not name]
    if empty:
        more = f" (and {f'{len(empty) - 1:,} more'})" if len(empty) > 1 else ""
        raise GLocalXError(
            f"Column {empty[0]} of {shown(file)} has no name in the header{more}. "
            "Name every column in the first row."
        )
    first: dict[str, int] = {}
    for place, name in enumerate(names, start=1):
        if name in first:
            raise GLocalXError(
                f"Two columns of {shown(file)} are called {shown(name)}: columns {first[name]} "
                f"and {place}. Rename one of them."
            )
        first[name] = place


def no_rows(file: str) -> GLocalXError:
    return GLocalXError(f"{shown(file)} has a header and no rows. Bring a table with records.")
