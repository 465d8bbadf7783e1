"""Parts of sentences: names in quotation marks, lists, numbers with their nouns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


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
