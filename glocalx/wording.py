"""The text of rules that people read, all of it.

Two forms: a short notation, `25 ≤ age < 45 and job = clerk → deny`, and a sentence, "If age is
between 25 and 44 and job is clerk, then deny." Thresholds on whole numbers read as whole numbers.
On real numbers they are rounded to the fewest digits that cover the same records, if the records
are at hand.
"""

from __future__ import annotations

import datetime
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from glocalx.coverage import Records
from glocalx.rule import Categories, Interval, Premise, Rule
from glocalx.schema import Feature, Schema


@dataclass(frozen=True, slots=True)
class Bound:
    """One end of an interval as people see it: the number, and whether it belongs to it."""

    text: str
    included: bool


class Wording:
    """Turns premises and rules into text.

    Parameters
    ----------
    schema
        Of the table that the rules belong to.
    records
        Where given, thresholds are rounded as far as these records allow.

    Examples
    --------
    >>> schema = Schema(
    ...     (Feature("age", "integer"), Feature("job", "categorical", ("clerk", "chief", "none"))),
    ...     ("accept", "deny"),
    ... )
    >>> rule = schema.rule({"age": (24.5, 45), "job": ["clerk", "chief"]}, "deny")
    >>> Wording(schema).rule(rule)
    '25 ≤ age < 45 and job ≠ none → deny'
    >>> Wording(schema).sentence(rule)
    'If age is between 25 and 44 and job is not none, then deny.'
    """

    def __init__(self, schema: Schema, records: Records | None = None) -> None:
        self._schema = schema
        self._records = records
        self._values: dict[str, np.ndarray] = {}

    def rule(self, rule: Rule) -> str:
        """The rule in short notation."""
        return f"{self.premises(rule) or 'always'} → {one_line(rule.outcome)}"

    def premises(self, rule: Rule, separator: str = " and ") -> str:
        """The conditions alone, in short notation."""
        return separator.join(self.premise(*named) for named in rule.premises)

    def premise(self, name: str, premise: Premise) -> str:
        """One condition in short notation."""
        feature, name = self._schema[name], one_line(name)
        if isinstance(premise, Categories):
            return f"{name} {_membership(premise, ('=', '≠', '∈', '∉'))}"
        if _is_one_number(feature, premise):
            return f"{name} = {_whole(feature, premise.low)}"
        low, high = self.bounds(feature, premise)
        if low and high:
            signs = "≤" if low.included else "<", "≤" if high.included else "<"
            return f"{low.text} {signs[0]} {name} {signs[1]} {high.text}"
        if low:
            return f"{name} {'≥' if low.included else '>'} {low.text}"
        assert high is not None  # a premise that allows everything does not exist
        return f"{name} {'≤' if high.included else '<'} {high.text}"

    def sentence(self, rule: Rule) -> str:
        """The rule as a sentence."""
        conditions = [self.condition(*named) for named in rule.premises]
        if not conditions:
            return f"In every case {one_line(rule.outcome)}."
        return f"If {_enumeration(conditions)}, then {one_line(rule.outcome)}."

    def condition(self, name: str, premise: Premise) -> str:
        """One condition as part of a sentence."""
        feature = self._schema[name]
        called = one_line(feature.label or name)
        unit = f" {feature.unit}" if feature.unit else ""
        if isinstance(premise, Categories):
            signs = ("is", "is not", "is one of", "is none of")
            return f"{called} {_membership(premise, signs, braces=False)}"
        if _is_one_number(feature, premise):
            return f"{called} is {_whole(feature, premise.low)}{unit}"
        low, high = self.bounds(feature, premise)
        if low and high and feature.is_whole:
            return f"{called} is between {low.text} and {_whole(feature, premise.high - 1)}{unit}"
        parts = []
        if low:
            parts.append(f"{'at least' if low.included else 'above'} {low.text}")
        if high:
            parts.append(f"{'at most' if high.included else 'below'} {high.text}")
        return f"{called} is {' and '.join(parts)}{unit}"

    def bounds(self, feature: Feature, interval: Interval) -> tuple[Bound | None, Bound | None]:
        """Both ends of an interval as people see them; None where it is open."""
        two_sided = math.isfinite(interval.low) and math.isfinite(interval.high)
        low = high = None
        if math.isfinite(interval.low):
            low = self._bound(feature, interval.low, lower=True, included_first=True)
        if math.isfinite(interval.high):
            high = self._bound(feature, interval.high, lower=False, included_first=not two_sided)
        return low, high

    def _bound(self, feature: Feature, bound: float, *, lower: bool, included_first: bool) -> Bound:
        if feature.is_whole:
            if lower or not included_first:
                return Bound(_whole(feature, bound), lower)
            return Bound(_whole(feature, bound - 1), True)
        below, above = self._neighbours(feature, bound)
        for digits in range(-15, 18):
            rounded = round(bound, digits)
            splits_before = below < rounded <= above  # `x < rounded` and `x ≥ rounded` are right
            splits_after = below <= rounded < above  # `x ≤ rounded` and `x > rounded` are right
            if splits_before or splits_after:
                included = splits_before if lower else splits_after
                excluded = splits_after if lower else splits_before
                chosen = included if included_first else not excluded
                return Bound(number_text(rounded, max(digits, 0)), chosen)
        return Bound(repr(bound), lower)

    def _neighbours(self, feature: Feature, bound: float) -> tuple[float, float]:
        """The values between which the threshold may move without touching a record."""
        values = self._distinct_values(feature)
        place = int(np.searchsorted(values, bound))
        if 0 < place < len(values):
            return float(values[place - 1]), float(values[place])
        rounded = float(f"{bound:.12g}")  # no record says how far to round
        return (rounded if rounded < bound else math.nextafter(bound, -math.inf)), bound

    def _distinct_values(self, feature: Feature) -> np.ndarray:
        if self._records is None:
            return np.empty(0)
        if feature.name not in self._values:
            values = np.unique(self._records.values(feature.name))
            self._values[feature.name] = values[~np.isnan(values)]
        return self._values[feature.name]


def one_line(name: str) -> str:
    """A name or category of the table within a rule: on one line, and in quotation marks where
    it could be taken for a part of the rule.

    Examples
    --------
    >>> one_line("office clerk"), one_line("two\\nlines"), one_line("x → deny")
    ('office clerk', 'two lines', '“x → deny”')
    """
    text = " ".join("".join(c if c.isprintable() else " " for c in name).split())
    return f"“{text}”" if not text or "→" in text or " and " in text else text


def number_text(number: float, decimals: int) -> str:
    """A number as people write it: commas from 10,000 up, a true minus sign, no idle zeros.

    Examples
    --------
    >>> number_text(12345.50, 2), number_text(-1998.0, 0), number_text(-0.0, 1)
    ('12,345.5', '−1998', '0')
    """
    comma = "," if abs(number) >= 10_000 else ""
    text = f"{abs(number):{comma}.{decimals}f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return f"−{text}" if number < 0 else text


def _whole(feature: Feature, number: float) -> str:
    if feature.kind == "date":
        return (datetime.date(1970, 1, 1) + datetime.timedelta(days=int(number))).isoformat()
    return number_text(number, 0)


def _is_one_number(feature: Feature, interval: Interval) -> bool:
    return feature.is_whole and interval.high - interval.low == 1


def _membership(premise: Categories, signs: Sequence[str], *, braces: bool = True) -> str:
    """Which categories are allowed, or which are not, whichever is shorter to say."""
    is_, is_not, one_of, none_of = signs
    allowed = [one_line(value) for value in sorted(premise.values)]
    barred = [one_line(value) for value in sorted(premise.domain - premise.values)]
    if len(allowed) == 1:
        return f"{is_} {allowed[0]}"
    if len(barred) == 1:
        return f"{is_not} {barred[0]}"
    sign, listed = (one_of, allowed) if len(allowed) <= len(barred) else (none_of, barred)
    if braces:
        return f"{sign} {{{', '.join(listed)}}}"
    return f"{sign} {_enumeration(listed, 'or')}"


def _enumeration(parts: Sequence[str], last: str = "and") -> str:
    if len(parts) == 1:
        return parts[0]
    return f"{', '.join(parts[:-1])} {last} {parts[-1]}"
