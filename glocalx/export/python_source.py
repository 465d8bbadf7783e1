"""A theory as Python that needs nothing but Python."""

from __future__ import annotations

import keyword
import math

from glocalx.errors import GLocalXError
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.rule import Categories, Interval, Premise, Rule
from glocalx.rules.schema import Feature, Schema
from glocalx.words.escape import on_one_line
from glocalx.words.phrases import shown

_OPENING = '''\
"""Rules written by GLocalX. They describe a black box; they are not advice for a person."""

import datetime

INFINITY = float("inf")


def _missing(value):
    """True for what stands where a value could be and is not: None, NaN."""
    return value is None or value != value


def _within(value, low, high):
    """True from low up to, but not including, high. A missing value is in no interval."""
    if _missing(value):
        return False
    if isinstance(value, datetime.datetime):
        value = value.date()
    if isinstance(value, datetime.date):
        value = (value - datetime.date(1970, 1, 1)).days
    return low <= value < high or value == high == INFINITY


def _among(value, allowed):
    """True where the value is one of the allowed texts. A missing value is none of them."""
    return not _missing(value) and str(value) in allowed


'''


_FILLED = '''\
def _filled(value, fill):
    """The value, or what stands in for a missing one."""
    return fill if _missing(value) else value


'''


def theory_to_python(theory: RankedTheory, function: str = "predict") -> str:
    """Source text of a function that takes a record as a mapping and gives its outcome.

    A value that is None or NaN is missing and satisfies only premises that include missing, unless
    something stands in for it; a column that is not there at all is a `KeyError`. Dates may be
    given as dates or as days since 1970-01-01.

    Parameters
    ----------
    theory
        The rules, in the order in which they decide.
    function
        What the function is called.
    """
    if not function.isidentifier() or keyword.iskeyword(function):
        raise GLocalXError(
            f"{shown(function)} cannot be the name of a Python function. Use letters, digits and _."
        )
    lines = [
        f"def {function}(record):",
        '    """The outcome of a record, given as a mapping from column to value."""',
    ]
    if theory.never_said:
        lines.append(f"    # {theory.never_said}")
    lines += [f"    # {on_one_line(said)}" for said in theory.steering.sentences()]
    for place, ranked in enumerate(theory.ranked, start=1):
        rule, mark = ranked.rule, f", {ranked.mark.said}" if ranked.mark else ""
        lines += [
            f"    if {_condition(rule, theory.schema)}:  # rule {place}{mark}",
            f"        return {rule.outcome!r}",
        ]
    lines.append(f"    return {theory.default!r}")
    opening = _OPENING + _FILLED if theory.schema.fills else _OPENING
    return opening + "\n".join(lines) + "\n"


def _condition(rule: Rule, schema: Schema) -> str:
    tests = (_test(_value(schema[name]), premise) for name, premise in rule.premises)
    return " and ".join(tests) or "True"


def _value(feature: Feature) -> str:
    value, fill = f"record[{feature.name!r}]", feature.fill
    if fill is None:
        return value
    return (
        f"_filled({value}, {fill!r})"
        if isinstance(fill, str)
        else (f"_filled({value}, {_number(float(fill))})")
    )


def _test(value: str, premise: Premise) -> str:
    missing = f"_missing({value})"
    if premise.is_only_missing:
        return missing
    known = _known_test(value, premise)
    return f"({known} or {missing})" if premise.missing else known


def _known_test(value: str, premise: Premise) -> str:
    match premise:
        case Categories(values):
            listed = ", ".join(repr(each) for each in sorted(values))
            return f"_among({value}, {{{listed}}})"
        case Interval(low, high):
            return f"_within({value}, {_number(low)}, {_number(high)})"


def _number(number: float) -> str:
    if math.isinf(number):
        return "INFINITY" if number > 0 else "-INFINITY"
    return repr(int(number)) if number.is_integer() and abs(number) < 2**53 else repr(number)
