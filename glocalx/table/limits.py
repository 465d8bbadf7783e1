"""What a table may be at most. Each limit is named in the sentence that refuses a table."""

from __future__ import annotations

from collections.abc import Sequence

from glocalx.errors import GLocalXError
from glocalx.words.phrases import shown

MAX_COLUMNS = 2_000
MEMORY_LIMIT = 2 * 1024**3
"""Bytes that a file may hold once it is unpacked."""
MAX_CLASSES = 50
"""Different values that an outcome may have."""
MAX_DECIMAL_CLASSES = 20
"""The same for a column of numbers with decimals, which is more likely a measurement."""
SMALLEST_CLASS = 3
"""Records that an outcome needs so that each part of a split can have one."""


def check_size(size: int, name: str) -> None:
    """Refuse what would take more memory than allowed."""
    if size > MEMORY_LIMIT:
        raise GLocalXError(
            f"{shown(name)} would take {size / 1024**3:,.1f} GB once unpacked; the limit is "
            f"{MEMORY_LIMIT / 1024**3:,.0f} GB. Bring fewer rows or columns."
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
    _check_repeats(names, file)


def _check_repeats(names: Sequence[str], file: str) -> None:
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
