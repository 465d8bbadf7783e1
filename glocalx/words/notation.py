"""Conditions in signs: `25 ≤ age < 45`, `job ∉ {clerk, chief}`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from glocalx.rules.rule import Categories, Interval, Premise
from glocalx.rules.schema import Feature
from glocalx.words.escape import in_rule
from glocalx.words.features import Bounds
from glocalx.words.phrases import enumeration

MISSING = "missing"
KNOWN = "known"
_BREAKS_A_LIST = ("→", " and ", ",", "{", "}")


def in_signs(
    feature: Feature,
    name: str,
    premise: Premise,
    label: Callable[[str], str],
    number: Callable[[Feature, float], str],
    ends: Callable[[Feature, Interval], Bounds],
) -> str:
    """One condition, and what it says of missing values; how a category, a number and both ends
    of an interval are said is up to the caller.
    """
    if isinstance(premise, Categories):
        return _membership(name, premise, label)
    if premise.is_only_missing:
        return f"{name} {MISSING}"
    if feature.is_whole and premise.high - premise.low == 1:
        text = f"{name} = {number(feature, premise.low)}"
    else:
        text = _compared(name, ends(feature, premise))
    return f"({text} or {MISSING})" if premise.missing else text


def _compared(name: str, bounds: Bounds) -> str:
    """A name between, above or below its bounds; without any, that there is a value at all."""
    low, high = bounds
    if low and high:
        signs = "≤" if low.included else "<", "≤" if high.included else "<"
        return f"{low.text} {signs[0]} {name} {signs[1]} {high.text}"
    if low:
        return f"{name} {'≥' if low.included else '>'} {low.text}"
    if high:
        return f"{name} {'≤' if high.included else '<'} {high.text}"
    return f"{name} {KNOWN}"


def _membership(name: str, premise: Categories, label: Callable[[str], str]) -> str:
    """A name and the categories it may or may not have, whichever is shorter to say."""
    positive, values = shorter_side(premise)
    if values == [None]:
        return f"{name} {MISSING if positive else KNOWN}"
    if len(values) == 1:
        return f"{name} {'=' if positive else '≠'} {_category(values[0], label)}"
    listed = ", ".join(_category(value, label, _BREAKS_A_LIST) for value in values)
    return f"{name} {'∈' if positive else '∉'} {{{listed}}}"


def _category(
    value: str | None, label: Callable[[str], str], breaks: Sequence[str] = ("→", " and ")
) -> str:
    """A category, or what stands for a missing one; a category of that name is in quotes."""
    if value is None:
        return MISSING
    text = in_rule(label(value), breaks)
    return f"“{text}”" if text == MISSING else text


def bounds_alone(bounds: Bounds) -> str:
    """What is asked of a number, without the name: "≥ 6", "25 to 44"."""
    low, high = bounds
    if low and high and low.included and high.included:
        return low.text if low.text == high.text else f"{low.text} to {high.text}"
    signs = ("≥" if low and low.included else ">"), ("≤" if high and high.included else "<")
    named = zip(signs, bounds, strict=True)
    return " and ".join(f"{sign} {bound.text}" for sign, bound in named if bound) or KNOWN


def categories_alone(premise: Categories, label: Callable[[str], str]) -> str:
    """What is asked of a category, without the name: "clerk or chief", "not clerk"."""
    positive, values = shorter_side(premise)
    if values == [None]:
        return MISSING if positive else KNOWN
    listed = enumeration(categories_in_sentence(values, label), "or")
    return listed if positive else f"not {listed}"


def categories_in_sentence(values: Sequence[str | None], label: Callable[[str], str]) -> list[str]:
    """Categories, and a missing one, as parts of a sentence."""
    return [_category(value, label, ("→", " and ", " or ", ", ")) for value in values]


def shorter_side(premise: Categories) -> tuple[bool, list[str | None]]:
    """True and the allowed categories, or False and the barred ones, in order: the fewer.

    None, at the end, stands for a missing value.
    """
    missing: list[str | None] = [None]
    allowed = [*sorted(premise.values), *(missing if premise.missing else [])]
    barred = [
        *sorted(premise.domain - premise.values),
        *(missing if premise.gaps and not premise.missing else []),
    ]
    if len(allowed) == 1 or (len(barred) != 1 and len(allowed) <= len(barred)):
        return True, allowed
    return False, barred
