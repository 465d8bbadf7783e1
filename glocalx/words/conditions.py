"""One condition as part of a sentence: "at least 6 prior offences", "age is at most 43".

A feature's own phrases (:class:`glocalx.words.spoken.Spoken`) come first; then its label or name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from glocalx.rules.rule import Categories, Interval
from glocalx.rules.schema import Feature
from glocalx.words.escape import in_sentence, on_one_line
from glocalx.words.features import Bound, Bounds, unit_after
from glocalx.words.notation import KNOWN, MISSING, categories_in_sentence, shorter_side
from glocalx.words.phrases import enumeration
from glocalx.words.spoken import Spoken

_NOTHING = Spoken()


def category_label(feature: Feature, value: str) -> str:
    """What a category means, else the category."""
    return feature.spoken.values.get(value, value) if feature.spoken else value


def name_in_sentence(feature: Feature) -> str:
    spoken = feature.spoken or _NOTHING
    return in_sentence(spoken.called or feature.label or feature.name)


def categories_said(feature: Feature, premise: Categories) -> str:
    """A condition on categories."""
    spoken = feature.spoken or _NOTHING
    positive, values = shorter_side(premise)
    if values == [None]:
        return f"{name_in_sentence(feature)} is {MISSING if positive else KNOWN}"
    listed = categories_in_sentence(values, lambda value: category_label(feature, value))
    either = enumeration(listed, "or")
    said = _single(spoken, positive, values) or spoken.form(
        "is" if positive else "is_not", n=either
    )
    if said is not None:
        return on_one_line(said)
    return f"{name_in_sentence(feature)} is {either if positive else _none_of(listed)}"


def _single(spoken: Spoken, positive: bool, values: Sequence[str | None]) -> str | None:
    """The feature's own phrase for one category, or for all but one."""
    said = spoken.says if positive else spoken.says_not
    return said.get(values[0]) if len(values) == 1 and values[0] is not None else None


def _none_of(barred: Sequence[str]) -> str:
    if len(barred) == 1:
        return f"not {barred[0]}"
    if len(barred) == 2:
        return f"neither {barred[0]} nor {barred[1]}"
    return f"none of {enumeration(barred, 'or')}"


_PLAIN = {
    "at_least": "at least {0}",
    "at_most": "at most {0}",
    "above": "above {0}",
    "below": "below {0}",
    "exactly": "{0}",
    "between": "between {0} and {1}",
}
_DATES = _PLAIN | {"at_least": "on or after {0}", "at_most": "on or before {0}"}
_ABOUT = _PLAIN | {"exactly": "exactly {0}", "between": "{0} to {1}"}
_COUNTED = _ABOUT | {"above": "more than {0}", "below": "fewer than {0}"}


def numbers_said(feature: Feature, interval: Interval, bounds: Bounds) -> str:
    """A condition on numbers, missing ones included where it includes them."""
    name = name_in_sentence(feature)
    if interval.is_only_missing:
        return f"{name} is {MISSING}"
    if bounds == (None, None):
        return f"{name} is {KNOWN}"
    said = _known_numbers_said(feature, interval, bounds)
    if not interval.missing:
        return said
    if said.startswith(f"{name} is "):
        return f"{said} or {MISSING}"
    return f"{said} (or {name} is {MISSING})"


def _known_numbers_said(feature: Feature, interval: Interval, bounds: Bounds) -> str:
    spoken = feature.spoken or _NOTHING
    low, high = _named_ends(feature, interval, bounds)
    numbers = tuple(end.text for end in (low, high) if end)
    unit = unit_after(feature, *dict.fromkeys(numbers))
    said = _form(spoken, feature, low, high)
    if said is None and spoken.noun:
        noun = spoken.noun[numbers[-1] != "1"]
        said = f"{_way(_COUNTED, low, high)} {noun}"
    elif said is None and "about" in spoken.forms:
        said = spoken.form("about", n=f"{_way(_ABOUT, low, high)}{unit}")
    if said is not None:
        return on_one_line(said)
    ways = _DATES if feature.kind == "date" else _PLAIN
    return f"{name_in_sentence(feature)} is {_way(ways, low, high)}{unit}"


def _named_ends(feature: Feature, interval: Interval, bounds: Bounds) -> Bounds:
    """The ends worth naming: that an amount is not below zero goes without saying."""
    low, high = bounds
    is_amount = feature.spoken is not None and feature.spoken.is_amount
    return (None if is_amount and high and interval.low <= 0 else low), high


def _form(spoken: Spoken, feature: Feature, low: Bound | None, high: Bound | None) -> str | None:
    """The feature's own phrase for just this condition."""
    if spoken.is_amount and low is None and high == Bound("0", included=True):
        return spoken.form("none") or f"no {spoken.noun[1] if spoken.noun else ''}"
    if feature.is_whole and high is None and low == Bound("1", included=True):
        return spoken.form("some") or spoken.form("at_least", n="1")
    match _comparisons(low, high):
        case [("between", (a, b))]:
            return spoken.form("between", a=a, b=b)
        case [(name, (n,))]:
            return spoken.form(name, n=n)
    return None


def _way(ways: Mapping[str, str], low: Bound | None, high: Bound | None) -> str:
    return " and ".join(ways[name].format(*texts) for name, texts in _comparisons(low, high))


def _comparisons(low: Bound | None, high: Bound | None) -> list[tuple[str, tuple[str, ...]]]:
    """What is said of the numbers, by the names of the forms."""
    if low and high and low.included and high.included:
        same = low.text == high.text
        return [("exactly", (low.text,)) if same else ("between", (low.text, high.text))]
    said: list[tuple[str, tuple[str, ...]]] = []
    if low:
        said.append(("at_least" if low.included else "above", (low.text,)))
    if high:
        said.append(("at_most" if high.included else "below", (high.text,)))
    return said
