"""Parts of sentences: names in quotation marks, lists, numbers with their nouns, shares."""

from __future__ import annotations

import math
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


def percent(share: float, decimals: int = 0) -> str:
    """A share in per cent; a dash where it is undefined.

    Examples
    --------
    >>> percent(0.9312, 1), percent(0.9312), percent(float("nan"))
    ('93.1 %', '93 %', '–')

    What is not nothing, or not quite all, does not read as if it were.

    >>> percent(0.002), percent(0.005), percent(0.998), percent(0.9995), percent(0.0001, 1)
    ('0.2 %', '0.5 %', '99.8 %', 'over 99.9 %', 'under 0.1 %')
    """
    if math.isnan(share):
        return "–"
    finest = max(decimals, 1)
    for digits in (decimals, finest):
        text = f"{100 * share:.{digits}f}"
        if share in (0, 1) or float(text) not in (0, 100):
            return f"{text} %"
    least = 10**-finest
    return f"under {least:g} %" if share < 0.5 else f"over {100 - least:.{finest}f} %"


def signed(value: float, decimals: int = 0) -> str:
    """A number with its sign, a true minus; none for what rounds to 0.

    Examples
    --------
    >>> signed(-17.6), signed(3.21, 1), signed(-0.2)
    ('−18', '+3.2', '0')
    """
    text = f"{abs(value):,.{decimals}f}"
    if not text.strip("0."):
        return text
    return f"{'−' if value < 0 else '+'}{text}"


def never_used(unseen_by_black_box: bool) -> str:
    """What held-out records were not used for, after “from which”.

    What a model from elsewhere was trained on is not known here.
    """
    if unseen_by_black_box:
        return "neither the black box nor the rules were made"
    return "no rule was made (whether the black box was is not known here)"
