"""A theory as Python that needs nothing but Python."""

from __future__ import annotations

import keyword
import math
from collections.abc import Iterator

from glocalx.errors import GLocalXError
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.rule import Categories, Interval, Premise, Rule
from glocalx.rules.schema import Feature
from glocalx.rules.theory import named_features
from glocalx.words.escape import on_one_line
from glocalx.words.phrases import shown

_OPENING = '''\
"""Rules written by GLocalX. They describe a black box; they are not advice for a person."""

import datetime

INFINITY = float("inf")
MISSING = {
    "", "?", ".", "na", "n/a", "n.a.", "nan", "nat", "null", "<na>", "(null)", "\\\\n", "#n/a",
    "#null!", "#div/0!", "#value!", "#ref!", "#name?", "#num!",
}  # texts that say "not known", in lower case


def _given(record, column):
    """What a record holds, None where nothing does: None, NaN, NaT, NA, a text that says so."""
    try:
        value = record[column]
    except KeyError:
        raise KeyError(f"The record has no column {column!r}. Give it, under this name.") from None
    try:
        gone = value is None or bool(value != value)
    except TypeError:  # pandas does not say whether NA is NA
        gone = True
    if isinstance(value, str) and value.strip().lower() in MISSING:
        gone = True
    return None if gone else value


def _number(record, column):
    """A number, typed or as text; None where it is missing."""
    value = _given(record, column)
    if value is None:
        return None
    try:
        if isinstance(value, str) and "_" in value:  # Python reads 1_000
            raise ValueError
        return float(value)
    except (TypeError, ValueError):
        raise ValueError(
            f"{column!r} should hold a number, but holds {value!r}. Write it as 1234.5."
        ) from None


def _day(record, column):
    """A date as days since 1970-01-01: a date, a text such as 2024-05-31, or these days."""
    value = _given(record, column)
    if value is None:
        return None
    try:
        if type(value).__name__ == "datetime64":  # of numpy
            value = str(value)
        if isinstance(value, str):
            value = datetime.datetime.fromisoformat(value.strip())
        if isinstance(value, datetime.datetime):
            value = value.date()
        if isinstance(value, datetime.date):
            return float((value - datetime.date(1970, 1, 1)).days)
        return float(value)
    except (TypeError, ValueError):
        raise ValueError(
            f"{column!r} should hold a date, but holds {value!r}. Write it as 2024-05-31."
        ) from None


def _category(record, column, known):
    """A text; what a number says is the category of that number, if it is written that way."""
    value = record[column] if column in record else None
    if isinstance(value, str) and value in known:
        return value
    value = _given(record, column)
    if value is None or isinstance(value, str):
        return None if value is None else value.strip()
    text = str(value)
    if text not in known and text.endswith(".0") and text[:-2] in known:
        text = text[:-2]  # a column of whole numbers with gaps
    if text not in known:
        for category in known:
            if _same_number(category, value):
                raise ValueError(
                    f"{column!r} holds the number {value!r}; the rules know the text {category!r}. "
                    "Read this column as text."
                )
    return text


def _same_number(category, value):
    try:
        return float(category) == float(value)
    except (TypeError, ValueError):
        return False


def _within(value, low, high):
    """True from low up to, but not including, high. A missing value is in no interval."""
    return value is not None and (low <= value < high or value == high == INFINITY)


'''


_FILLED = '''\
def _filled(value, fill):
    """The value, or what stands in for a missing one."""
    return fill if value is None else value


'''


def theory_to_python(theory: RankedTheory, function: str = "predict") -> str:
    """Source text of a function that takes a record as a mapping and gives its outcome.

    A record may be a row of `csv.DictReader`, of pandas, or a dictionary: numbers and dates are
    read from texts. What is missing (None, NaN, NaT, NA, a text such as `n/a`) satisfies only
    premises that include missing, unless something stands in for it. What cannot be read is a
    `ValueError`, a column that is not there a `KeyError`, each with a sentence. Dates may be given
    as dates, as texts such as 2024-05-31 or as days since 1970-01-01.

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
    lines += _read(theory)
    for place, ranked in enumerate(theory.ranked, start=1):
        rule, mark = ranked.rule, f", {ranked.mark.said}" if ranked.mark else ""
        lines += [
            f"    if {_condition(rule)}:  # rule {place}{mark}",
            f"        return {rule.outcome!r}",
        ]
    lines.append(f"    return {theory.default!r}")
    opening = _OPENING + _FILLED if theory.schema.fills else _OPENING
    return opening + "\n".join(lines) + "\n"


def _read(theory: RankedTheory) -> Iterator[str]:
    """Every column that a rule names, as rules compare it."""
    yield "    value = {"
    for name in sorted(named_features(theory.rules)):
        yield f"        {name!r}: {_reading(theory.schema[name])},"
    yield "    }"


def _reading(feature: Feature) -> str:
    if feature.is_categorical:
        known = ", ".join(repr(each) for each in feature.categories)
        value = f"_category(record, {feature.name!r}, ({known},))"
    else:
        reader = "_day" if feature.kind == "date" else "_number"
        value = f"{reader}(record, {feature.name!r})"
    fill = feature.fill
    if fill is None:
        return value
    return f"_filled({value}, {repr(fill) if isinstance(fill, str) else _number(float(fill))})"


def _condition(rule: Rule) -> str:
    tests = (_test(f"value[{name!r}]", premise) for name, premise in rule.premises)
    return " and ".join(tests) or "True"


def _test(value: str, premise: Premise) -> str:
    missing = f"{value} is None"
    if premise.is_only_missing:
        return missing
    match premise:
        case Categories(values):
            listed = ", ".join(repr(each) for each in sorted(values))
            known = f"{value} in {{{listed}}}"
        case Interval(low, high):
            known = f"_within({value}, {_number(low)}, {_number(high)})"
    return f"({known} or {missing})" if premise.missing else known


def _number(number: float) -> str:
    if math.isinf(number):
        return "INFINITY" if number > 0 else "-INFINITY"
    return repr(int(number)) if number.is_integer() and abs(number) < 2**53 else repr(number)
