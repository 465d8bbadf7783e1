"""A rule that was made elsewhere, gathered condition by condition."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from glocalx.errors import GLocalXError
from glocalx.rules.branches import both
from glocalx.rules.rule import Premise, Rule
from glocalx.rules.schema import Feature, Schema, outcome_text

_FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_ROUNDED = 0.005  # thresholds and numbers are printed with two decimals


class Conditions:
    """The conditions of one rule, gathered one by one; all of them hold.

    `place`: which rule this is, for sentences: "rule 3".
    """

    def __init__(self, schema: Schema, place: str) -> None:
        self._schema, self._place = schema, place
        self._premises: dict[str, Premise] = {}

    def refuse(self, what: str, remedy: str) -> GLocalXError:
        """The error to raise about this rule."""
        return GLocalXError(f"{self._subject} {what}. {remedy}")

    @contextmanager
    def _told(self) -> Iterator[None]:
        """What the schema refuses is told of this rule instead of “a rule”."""
        try:
            yield
        except GLocalXError as error:
            raise GLocalXError(str(error).replace("A rule", self._subject, 1)) from error

    @property
    def _subject(self) -> str:
        return self._place[:1].upper() + self._place[1:]

    def feature(self, name: str) -> Feature:
        """The feature of this name."""
        with self._told():
            return self._schema[name]

    def compare(self, name: str, sign: str, number: Any) -> None:
        """`name sign number`, with one of `<`, `<=`, `>`, `>=`."""
        feature = self.feature(name)
        if feature.is_categorical:
            raise self.refuse(
                f"compares “{name}” with {number}, but the column is categorical",
                "Give the rule with the categories as they are in the table.",
            )
        bound = self._number(name, number)
        if math.isinf(bound) and (sign[:1] == "<") == (bound > 0):
            return  # says nothing
        match sign:
            case "<=":
                self._narrow(feature, feature.at_most(bound))
            case ">":
                self._narrow(feature, feature.above(bound))
            case "<":
                self._narrow(feature, feature.interval(-math.inf, bound))
            case ">=":
                self._narrow(feature, feature.interval(bound, math.inf))
            case _:
                raise self.refuse(f"has the unknown sign “{sign}”", "Use <=, <, >, >=, = or !=.")

    def between(self, low: Any, low_sign: str, name: str, high_sign: str, high: Any) -> None:
        """`low low_sign name high_sign high`, as in `3 < x <= 7`."""
        self.compare(name, _FLIPPED[low_sign], low)
        self.compare(name, high_sign, high)

    def equal(self, name: str, value: Any, *, negated: bool = False) -> None:
        """`name = value`, or `name != value`."""
        feature = self.feature(name)
        if feature.is_categorical:
            chosen = {self.category(feature, value)}
            allowed = feature.domain - chosen if negated else chosen
            if not allowed:
                raise self.refuse(f"allows “{name}” no value", "Leave the rule out.")
            self._narrow(feature, feature.allowed(allowed))
        elif negated:
            raise self.refuse(
                f"says that “{name}” is not {value}, which no interval can say",
                "Give the rule with < or >.",
            )
        else:
            number = self._number(name, value)
            width = 0.0 if feature.is_whole else _ROUNDED
            self.compare(name, ">=", number - width)
            self.compare(name, "<=", number + width)

    def category(self, feature: Feature, value: Any) -> str:
        """The category that a text stands for; LORE cuts a category at its first “=”."""
        text = outcome_text(value)
        meant = [each for each in feature.categories if each == text or each.startswith(f"{text}=")]
        if len(meant) > 1:
            raise self.refuse(
                f"asks for “{text}” in “{feature.name}”, which may be “{meant[0]}” or “{meant[1]}”",
                "Rename one of these categories and make the rules again.",
            )
        with self._told():
            return next(iter(feature.allowed(meant or [text]).values))

    def _number(self, name: str, given: Any) -> float:
        try:
            number = float(given)
        except (TypeError, ValueError):
            number = math.nan
        if math.isnan(number) or isinstance(given, bool):
            raise self.refuse(
                f"holds “{given}” against “{name}”, which is no number", "Correct the threshold."
            )
        return number

    def _narrow(self, feature: Feature, premise: Premise) -> None:
        """Both what was said so far of the feature and this."""
        try:
            self._premises[feature.name] = both(self._premises.get(feature.name), premise)
        except GLocalXError:
            raise self.refuse(
                f"asks of “{feature.name}” what no value can satisfy", "Correct it or leave it out."
            ) from None

    def rule(self, outcome: Any) -> Rule:
        """The rule of what was gathered."""
        with self._told():
            return self._schema.rule(self._premises, outcome_text(outcome))
