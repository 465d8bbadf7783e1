"""The conditions of rules as SQL.

A NULL is a missing value. A comparison with NULL is not true, so nothing has to be said about it
but where a premise includes missing: there `IS NULL` stands beside the other values. Names and
texts are quoted as the SQL standard says; what databases make of it is in
:mod:`glocalx.rules.dialects`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from glocalx.errors import GLocalXError
from glocalx.rules.rule import Categories, Interval, Premise, Rule
from glocalx.rules.schema import Feature, Schema
from glocalx.words.escape import on_one_line

_EXACT = 2**53  # whole numbers below it are their own float


def quoted_name(name: str) -> str:
    """A column or table name that means itself, whatever it contains.

    Examples
    --------
    >>> quoted_name('the "real" age')
    '"the ""real"" age"'
    """
    if not name or "\0" in name:
        raise GLocalXError(
            "A column has an empty name, or one with a null character, which SQL cannot say. "
            "Rename the column."
        )
    return '"' + name.replace('"', '""') + '"'


def quoted_text(text: str) -> str:
    """A text that means itself, whatever it contains.

    Examples
    --------
    >>> quoted_text("it's; --")
    "'it''s; --'"
    """
    if "\0" in text:
        raise GLocalXError(
            "A category contains a null character, which SQL cannot say. Correct the table."
        )
    return "'" + text.replace("'", "''") + "'"


_UNQUOTED = str.maketrans({'"': "”", "'": "’", "\0": None})


def sql_comment(text: str) -> str:
    """A comment that ends where it should, whatever it contains.

    Straight quotes become typographic ones: what looks for names and texts before it looks for
    comments, as DuckDB does where there is a space that is not ASCII, finds none begun here.

    Examples
    --------
    >>> sql_comment("No rule may name “a */ DROP”.")
    '/* No rule may name “a * / DROP”. */'
    """
    inside = on_one_line(text).translate(_UNQUOTED).replace("*/", "* /").replace("/*", "/ *")
    return f"/* {inside} */"


def number_literal(number: float) -> str:
    """A number as SQL reads it, exactly.

    Examples
    --------
    >>> number_literal(25.0), number_literal(0.1), number_literal(1e22)
    ('25', '0.1', '1e+22')
    """
    whole = float(number).is_integer() and abs(number) < _EXACT
    return str(int(number)) if whole else repr(float(number))


@dataclass(frozen=True, slots=True)
class Notation:
    """How a column and a threshold on it are written.

    Parameters
    ----------
    column
        The expression that gives the feature's value.
    number
        A threshold on that expression.
    category
        All ways in which a category may stand there.
    """

    column: Callable[[Feature], str]
    number: Callable[[Feature, float], str]
    category: Callable[[Feature, str], tuple[str, ...]] = lambda _, text: (quoted_text(text),)


def rule_condition(rule: Rule, schema: Schema, notation: Notation) -> str:
    """All premises of a rule as one condition; `1 = 1` where it has none.

    Examples
    --------
    >>> schema = Schema(
    ...     (Feature("age", "integer"), Feature("job", "categorical", ("clerk", "chief"))),
    ...     ("accept", "deny"),
    ... )
    >>> plain = Notation(lambda each: quoted_name(each.name), lambda _, end: number_literal(end))
    >>> rule_condition(schema.rule({"age": (25, 45), "job": ["clerk"]}, "deny"), schema, plain)
    '"age" >= 25 AND "age" < 45 AND "job" IN (\\'clerk\\')'
    """
    conditions = (
        premise_condition(schema[name], premise, notation) for name, premise in rule.premises
    )
    return " AND ".join(conditions) or "1 = 1"


def premise_condition(feature: Feature, premise: Premise, notation: Notation) -> str:
    """One premise, safe to stand beside others with AND.

    Examples
    --------
    >>> age = Feature("age", "integer", gaps=True)
    >>> plain = Notation(lambda each: quoted_name(each.name), lambda _, end: number_literal(end))
    >>> premise_condition(age, age.interval(25, 45, missing=True), plain)
    '("age" >= 25 AND "age" < 45 OR "age" IS NULL)'
    """
    column = notation.column(feature)
    if premise.is_only_missing:
        return f"{column} IS NULL"
    match premise:
        case Categories(values):
            ways = [way for text in sorted(values) for way in notation.category(feature, text)]
            known = f"{column} IN ({', '.join(ways)})"
        case Interval(low, high):
            ends = []
            if math.isfinite(low):
                ends.append(f"{column} >= {notation.number(feature, low)}")
            if math.isfinite(high):
                ends.append(f"{column} < {notation.number(feature, high)}")
            known = " AND ".join(ends) or f"{column} IS NOT NULL"
    return f"({known} OR {column} IS NULL)" if premise.missing else known
