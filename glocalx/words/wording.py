"""Rules as sentences for people and in short notation for tables, command line and exports."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import partial
from itertools import starmap
from typing import Literal

import pandas as pd

from glocalx.rules.coverage import Records
from glocalx.rules.rule import Categories, Premise, Rule
from glocalx.rules.schema import Schema, outcome_text
from glocalx.rules.steering import (
    BarFeature,
    ChangeRule,
    HandMark,
    PinRule,
    RemoveRule,
    SayDirection,
    Steering,
    SteeringStep,
    WriteRule,
    direction_said,
)
from glocalx.rules.theory import named_features
from glocalx.words.conditions import categories_said, category_label, numbers_said
from glocalx.words.escape import in_rule, on_one_line
from glocalx.words.features import bounds, feature_number, spoken_bounds, unit_after, value_text
from glocalx.words.implied import Implications, NamedPremise
from glocalx.words.notation import MISSING, bounds_alone, categories_alone, in_signs


@dataclass(frozen=True, slots=True)
class Phrase:
    """A piece of a sentence.

    Parameters
    ----------
    text
        Plain text, with the spaces and commas that belong to it.
    role
        A condition, the outcome, or the words between them.
    feature
        The column that a condition speaks of.
    """

    text: str
    role: Literal["words", "condition", "outcome"] = "words"
    feature: str | None = None


@dataclass(frozen=True, slots=True)
class SpokenPremises:
    """The premises of a rule that a sentence names, and those that these imply."""

    said: tuple[NamedPremise, ...]
    unsaid: tuple[NamedPremise, ...] = ()


class Wording:
    """Turns premises and rules into text.

    The notation (:meth:`rule`, :meth:`premises`) keeps to the names of the table and is complete.
    Sentences use the words of :class:`glocalx.words.spoken.Spoken` and leave out what is implied.

    Parameters
    ----------
    schema
        Of the table that the rules belong to.
    records
        Where given, sentences leave out conditions that the others imply among them.
    always
        Features to be named in any case, such as sensitive ones: a condition on one of them goes
        unsaid only beside another of them that implies it.
    evidence
        How many records have to bear an implication out.

    Examples
    --------
    >>> from glocalx.rules.schema import Feature
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

    def __init__(
        self,
        schema: Schema,
        records: Records | None = None,
        *,
        always: Collection[str] = (),
        evidence: int = 30,
    ) -> None:
        self._schema = schema
        self.always = tuple(always)
        self._implications = None if records is None else Implications(records, always, evidence)
        self._places = {name: place for place, name in enumerate(schema.names)}
        self._conditions: dict[NamedPremise, str] = {}

    def rule(self, rule: Rule) -> str:
        """The rule in notation, in the table's own names."""
        return f"{self.premises(rule) or 'always'} → {in_rule(rule.outcome)}"

    def premises(self, rule: Rule, separator: str = " and ") -> str:
        """The conditions alone, in notation."""
        return separator.join(self.premise(*named) for named in rule.premises)

    def premise(self, name: str, premise: Premise) -> str:
        """One condition in notation."""
        feature = self._schema[name]
        return in_signs(feature, in_rule(name), premise, str, feature_number, bounds)

    def sentence(self, rule: Rule, *, outcome: bool = True) -> str:
        """The rule as a sentence, with or without its outcome."""
        return "".join(phrase.text for phrase in self.parts(rule, outcome=outcome))

    def parts(self, rule: Rule, *, outcome: bool = True) -> tuple[Phrase, ...]:
        """The sentence in pieces; their texts, one after the other, are the sentence."""
        said = self.spoken_premises(rule).said
        answer = Phrase(self.outcome(rule.outcome), "outcome")
        if not said:
            start = "In every case"
            return (Phrase(f"{start} "), answer, Phrase(".")) if outcome else (Phrase(f"{start}."),)
        phrases = [Phrase("If ")]
        for place, named in enumerate(said, start=1):
            phrases.append(Phrase(self.condition(*named), "condition", named[0]))
            if place < len(said):
                phrases.append(Phrase(" and " if place == len(said) - 1 else ", "))
        ending = (Phrase(", then "), answer, Phrase(".")) if outcome else (Phrase("."),)
        return (*phrases, *ending)

    def spoken_premises(self, rule: Rule) -> SpokenPremises:
        """The premises that the sentence names, in the table's order; those that need no saying."""
        premises = self._in_order(rule)
        if self._implications is None:
            return SpokenPremises(premises)
        said = self._implications.said(premises, self.condition)
        return SpokenPremises(said, tuple(named for named in premises if named not in said))

    def _in_order(self, rule: Rule) -> tuple[NamedPremise, ...]:
        return tuple(sorted(rule.premises, key=lambda named: self._places[named[0]]))

    def condition(self, name: str, premise: Premise) -> str:
        """One condition as part of a sentence."""
        text = self._conditions.get((name, premise))
        if text is None:
            feature = self._schema[name]
            if isinstance(premise, Categories):
                text = categories_said(feature, premise)
            else:
                text = numbers_said(feature, premise, spoken_bounds(feature, premise))
            self._conditions[name, premise] = text
        return text

    def short_rule(self, rule: Rule) -> str:
        """The whole rule in notation, with the names that people see."""
        return f"{self.short(rule, ', ')} → {self.outcome(rule.outcome)}"

    def short(self, rule: Rule, separator: str = " · ") -> str:
        """All conditions in notation with short names, for a table."""
        return separator.join(starmap(self.short_premise, self._in_order(rule))) or "always"

    def short_premise(self, name: str, premise: Premise) -> str:
        """One condition in notation, with its short name and the labels of its values."""
        feature = self._schema[name]
        ends = spoken_bounds if feature.spoken and feature.spoken.values else bounds
        label = partial(category_label, feature)
        return in_signs(feature, self.short_name(name), premise, label, value_text, ends)

    def asked(self, name: str, premise: Premise) -> str:
        """One condition without the name, beside a record's value: "≥ 6", "25 to 44", "no"."""
        feature = self._schema[name]
        if isinstance(premise, Categories):
            return categories_alone(premise, partial(category_label, feature))
        if premise.is_only_missing:
            return MISSING
        text = bounds_alone(spoken_bounds(feature, premise))
        return f"{text} or {MISSING}" if premise.missing else text

    def value(self, name: str, value: object) -> str:
        """The value of a record as people read it."""
        feature = self._schema[name]
        if pd.isna(value):  # type: ignore[call-overload]
            return MISSING
        label = category_label(feature, outcome_text(value))
        if feature.is_categorical or label != outcome_text(value):
            return on_one_line(label)
        text = feature_number(feature, float(value), None)  # type: ignore[arg-type]
        return f"{text}{unit_after(feature, text)}"

    def fills(self, rules: Iterable[Rule]) -> str:
        """What stands in for missing values where rules ask for one; empty where nothing does."""
        named = named_features(rules)
        told = [
            f"{in_rule(name)}: {self.value(name, fill)}"
            for name, fill in self._schema.fills.items()
            if name in named
        ]
        return f"A missing value counts as ({'; '.join(told)})." if told else ""

    def by_hand(self, mark: HandMark | None) -> str:
        """What of a rule is by hand; empty where nothing is."""
        if mark is None:
            return ""
        return mark.said if mark.was is None else f"{mark.said}, was: {self.short(mark.was)}"

    def direction(self, direction: SayDirection) -> str:
        """What was said of a feature, as a sentence without its end."""
        return direction_said(direction, self.name, self.outcome)

    def step(self, step: SteeringStep) -> str:
        """One change by hand, in a sentence."""
        match step:
            case BarFeature(feature):
                return f"No rule may name {self.name(feature)}."
            case SayDirection():
                return f"{self.direction(step)}."
            case PinRule(rule):
                return f"Pinned: {self.rule(rule)}."
            case RemoveRule(rule):
                return f"Removed: {self.rule(rule)}."
            case WriteRule(rule):
                return f"Written: {self.rule(rule)}."
            case ChangeRule(rule, to):
                return f"Changed: {self.rule(rule)}, now {self.rule(to)}."

    def steered(self, steering: Steering) -> list[str]:
        """What people changed in a theory, in sentences; none where they did not."""
        said = steering.sentences(self.name, self.outcome)
        removed = [f"Removed by hand: {self.rule(rule)}." for rule in steering.removed]
        return [*said, *removed]

    def outcome(self, outcome: str) -> str:
        """An outcome by its label, where it has one."""
        return in_rule(self._schema.outcome_labels.get(outcome, outcome))

    def name(self, name: str) -> str:
        """A feature as people call it."""
        return on_one_line(self._schema[name].label or name) or in_rule(name)

    def short_name(self, name: str) -> str:
        """A feature as it is called where there is little room."""
        feature = self._schema[name]
        short = feature.spoken.short if feature.spoken else None
        return in_rule(short or feature.label or name)
