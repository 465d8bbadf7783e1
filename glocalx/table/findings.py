"""What was found in a table, in sentences that can be shown as they are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

Severity: TypeAlias = Literal["info", "warning"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a person should know about a table.

    Parameters
    ----------
    topic
        What it is about, one word for programs: `missing`, `constant`, `duplicate column`, ...
    severity
        `warning` where the result may be wrong or a column was set aside, else `info`.
    column
        The column it concerns; None for the table as a whole.
    sentence
        What was found and what was done about it.
    count
        How many cells, rows, categories or columns it concerns.
    """

    topic: str
    severity: Severity
    column: str | None
    sentence: str
    count: int = 1


def shown(value: object, most: int = 40) -> str:
    """A name or cell of the file in quotation marks, on one line and not too long.

    Examples
    --------
    >>> shown("two\\nlines")
    '“two lines”'
    """
    text = " ".join(str(value).split())
    return f"“{text[:most]}…”" if len(text) > most else f"“{text}”"


def listing(values: Iterable[object], most: int = 8) -> str:
    """Names in quotation marks, the first few of them.

    Examples
    --------
    >>> listing(["a", "b"]), listing("abcd", most=2)
    ('“a” and “b”', '“a”, “b” and 2 more')
    """
    names: Sequence[object] = list(values)
    texts = [shown(name) for name in names[:most]]
    if len(names) > most:
        return f"{', '.join(texts)} and {len(names) - most:,} more"
    return " and ".join(filter(None, [", ".join(texts[:-1]), *texts[-1:]]))


def counted(number: int, one: str, many: str | None = None) -> str:
    """A number with its noun.

    Examples
    --------
    >>> counted(1, "row"), counted(2_000, "row"), counted(2, "category", "categories")
    ('1 row', '2,000 rows', '2 categories')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"
