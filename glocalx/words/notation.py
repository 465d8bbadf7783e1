"""Conditions in signs: `25 ≤ age < 45`, `job ∉ {clerk, chief}`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from glocalx.rules.rule import Categories, Interval
from glocalx.rules.schema import Feature
from glocalx.words.escape import in_rule, in_sentence
from glocalx.words.phrases import enumeration
from glocalx.words.thresholds import Bounds

_BREAKS_A_LIST = ("→", " and ", ",", "{", "}")


def is_one_number(feature: Feature, interval: Interval) -> bool:
    """True where the interval holds a single whole number."""
    return feature.is_whole and interval.high - interval.low == 1


def compared(name: str, bounds: Bounds) -> str:
    """A name between, above or below its bounds."""
    low, high = bounds
    if low and high:
        signs = "≤" if low.included else "<", "≤" if high.included else "<"
        return f"{low.text} {signs[0]} {name} {signs[1]} {high.text}"
    if low:
        return f"{name} {'≥' if low.included else '>'} {low.text}"
    assert high is not None  # a premise that allows everything does not exist
    return f"{name} {'≤' if high.included else '<'} {high.text}"


def membership(name: str, premise: Categories, label: Callable[[str], str]) -> str:
    """A name and the categories it may or may not have, whichever is shorter to say."""
    positive, values = shorter_side(premise)
    if len(values) == 1:
        return f"{name} {'=' if positive else '≠'} {in_rule(label(values[0]))}"
    listed = ", ".join(in_rule(label(value), _BREAKS_A_LIST) for value in values)
    return f"{name} {'∈' if positive else '∉'} {{{listed}}}"


def bounds_alone(bounds: Bounds) -> str:
    """What is asked of a number, without the name: "≥ 6", "25 to 44"."""
    low, high = bounds
    if low and high and low.included and high.included:
        return low.text if low.text == high.text else f"{low.text} to {high.text}"
    signs = ("≥" if low and low.included else ">"), ("≤" if high and high.included else "<")
    named = zip(signs, bounds, strict=True)
    return " and ".join(f"{sign} {bound.text}" for sign, bound in named if bound)


def categories_alone(premise: Categories, label: Callable[[str], str]) -> str:
    """What is asked of a category, without the name: "clerk or chief", "not clerk"."""
    positive, values = shorter_side(premise)
    listed = enumeration([in_sentence(label(value)) for value in values], "or")
    return listed if positive else f"not {listed}"


def shorter_side(premise: Categories) -> tuple[bool, Sequence[str]]:
    """True and the allowed categories, or False and the barred ones, in order: the fewer."""
    barred = len(premise.domain) - len(premise.values)
    if len(premise.values) == 1 or (barred != 1 and len(premise.values) <= barred):
        return True, sorted(premise.values)
    return False, sorted(premise.domain - premise.values)
