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


def enumeration(parts: Sequence[str], last: str = "and") -> str:
    """Parts with commas, and a word before the last.

    Examples
    --------
    >>> enumeration(["a", "b", "c"]), enumeration(["a", "b"], "or"), enumeration(["a"])
    ('a, b and c', 'a or b', 'a')
    """
    return f" {last} ".join(filter(None, [", ".join(parts[:-1]), *parts[-1:]]))


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
    return enumeration(texts)


def counted(number: int, one: str, many: str | None = None) -> str:
    """A number with its noun.

    Examples
    --------
    >>> counted(1, "row"), counted(2_000, "row"), counted(2, "category", "categories")
    ('1 row', '2,000 rows', '2 categories')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"


NOTHING_HELD_OUT = (
    "Nothing is held out: agreement is counted on the records themselves, from which the rules "
    "were made."
)


def judged_on(records: int, unseen_by_black_box: bool) -> str:
    """On which records a black box is judged, within a sentence.

    Examples
    --------
    >>> judged_on(1, True), judged_on(1_200, False)
    ('1 held-out record', 'these 1,200 records, which it may have seen')
    """
    if unseen_by_black_box:
        return counted(records, "held-out record")
    return f"these {counted(records, 'record')}, which it may have seen"


def never_used(unseen_by_black_box: bool, held_out: bool = True) -> str:
    """What held-out records were not used for, after “from which”.

    What a model from elsewhere was trained on is not known here. Where nothing is held out, rules
    are judged on the records that they were made from, and that is what is said.
    """
    if not held_out:
        return "the rules were made, too: nothing is held out"
    if unseen_by_black_box:
        return "neither the black box nor the rules were made"
    return "no rule was made (the black box may have seen them)"
