"""What people change in a theory by hand: steps, one after the other, as values.

A step never touches a theory; :mod:`glocalx.steering` chooses the rules with the steps in mind. A
theory carries its steps with it, so that everything that is made of it can say what is by hand.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from glocalx.rules.rule import Interval, Rule, canonical_rule
from glocalx.words.phrases import counted, enumeration, shown

HandKind: TypeAlias = Literal["pinned", "changed", "written"]


@dataclass(frozen=True, slots=True)
class BarFeature:
    """No rule may name a feature.

    Parameters
    ----------
    feature
        Conditions on it are dropped; a rule that has no others is gone.
    from_start
        Drop them from the local rules, before these are merged. Otherwise from what the final
        theory is chosen from, so that nothing is merged again.
    """

    feature: str
    from_start: bool = False


@dataclass(frozen=True, slots=True)
class SayDirection:
    """More of a feature never makes an outcome less likely, or never more likely.

    Parameters
    ----------
    feature
        A numeric one.
    rises
        True: more of it never lowers the outcome. False: more of it never raises it.
    outcome
        Which one.

    Examples
    --------
    >>> priors = Interval(low=3)
    >>> more = SayDirection("priors", True, "high")
    >>> more.broken_by(Rule((("priors", priors),), "high"))
    False
    >>> more.broken_by(Rule((("priors", priors),), "low"))
    True
    """

    feature: str
    rises: bool
    outcome: str

    def broken_by(self, rule: Rule) -> bool:
        """Whether more, or less, of the feature could lead out of, or into, a rule against it.

        Where no rule breaks it, the answers of all rules together keep to it, whatever their
        order: on the way up only rules for the outcome (against it) begin to apply, and only
        rules against it (for it) cease to.
        """
        return self.freed(rule) != rule

    def freed(self, rule: Rule) -> Rule:
        """The rule without the end that breaks the direction; itself where none does."""
        premise = rule.premise(self.feature)
        if not isinstance(premise, Interval) or premise.is_only_missing:
            return rule
        upwards = (rule.outcome == self.outcome) == self.rises
        low, high = (premise.low, math.inf) if upwards else (-math.inf, premise.high)
        freed = Interval(low, high, premise.missing, premise.gaps)
        return canonical_rule({**dict(rule.premises), self.feature: freed}, rule.outcome)


@dataclass(frozen=True, slots=True)
class PinRule:
    """A rule that stays, whatever else is chosen."""

    rule: Rule


@dataclass(frozen=True, slots=True)
class RemoveRule:
    """A rule that is taken out; nothing takes its place."""

    rule: Rule


@dataclass(frozen=True, slots=True)
class ChangeRule:
    """A rule that another one, made of it by hand, stands for."""

    rule: Rule
    to: Rule


@dataclass(frozen=True, slots=True)
class WriteRule:
    """A rule that somebody wrote."""

    rule: Rule


SteeringStep: TypeAlias = BarFeature | SayDirection | PinRule | RemoveRule | ChangeRule | WriteRule


@dataclass(frozen=True, slots=True)
class HandMark:
    """What of a rule is by hand.

    Parameters
    ----------
    kind
        `pinned`: only that it stays; `changed`, `written`: what it says.
    was
        A changed rule as it was before.
    """

    kind: HandKind
    was: Rule | None = None

    @property
    def said(self) -> str:
        """In two or three words.

        Examples
        --------
        >>> HandMark("pinned").said, HandMark("written").said
        ('pinned', 'written by hand')
        """
        return self.kind if self.kind == "pinned" else f"{self.kind} by hand"


@dataclass(frozen=True, slots=True)
class Steering:
    """Steps in the order in which they were made; :meth:`and_then` adds one.

    Examples
    --------
    >>> rule = Rule((("age", Interval(high=30)),), "high")
    >>> older = Rule((("age", Interval(high=40)),), "high")
    >>> steering = Steering().and_then(PinRule(rule)).and_then(ChangeRule(rule, older))
    >>> [mark.said for mark in steering.by_hand.values()]
    ['changed by hand']
    >>> steering.and_then(ChangeRule(older, rule)).by_hand[rule].said  # changed back: pinned again
    'pinned'
    """

    steps: tuple[SteeringStep, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.steps)

    def and_then(self, step: SteeringStep) -> Steering:
        """With one more step; what it takes back or goes further with is no step of its own."""
        steps = [each for each in self.steps if each != step and not _taken_back(each, step)]
        if isinstance(step, ChangeRule):
            return Steering(tuple(_with_change(steps, step)))
        return Steering((*steps, step))

    def without(self, step: SteeringStep) -> Steering:
        """Without a step, wherever it stands."""
        return Steering(tuple(each for each in self.steps if each != step))

    @property
    def barred(self) -> tuple[str, ...]:
        """The features that no rule may name."""
        return tuple(step.feature for step in self.steps if isinstance(step, BarFeature))

    @property
    def directions(self) -> tuple[SayDirection, ...]:
        return tuple(step for step in self.steps if isinstance(step, SayDirection))

    @property
    def restrictions(self) -> Steering:
        """The steps that say what any rule may be: bars and directions."""
        kinds = BarFeature | SayDirection
        return Steering(tuple(step for step in self.steps if isinstance(step, kinds)))

    @property
    def changed(self) -> Mapping[Rule, Rule]:
        """What stands for each rule that was changed."""
        return {
            self.stripped(step.rule): self.stripped(step.to)
            for step in self.steps
            if isinstance(step, ChangeRule)
        }

    @property
    def removed(self) -> tuple[Rule, ...]:
        """The rules that were taken out, in the order in which they were."""
        gone = (self.stripped(step.rule) for step in self.steps if isinstance(step, RemoveRule))
        return tuple(dict.fromkeys(gone))

    @property
    def by_hand(self) -> dict[Rule, HandMark]:
        """The rules that are in the theory by hand, each with what of it is."""
        marks: dict[Rule, HandMark] = {}
        for step in self.steps:
            match step:
                case PinRule(rule):
                    marks.setdefault(self.stripped(rule), HandMark("pinned"))
                case WriteRule(rule):
                    marks[self.stripped(rule)] = HandMark("written")
                case ChangeRule(rule, to):
                    marks[self.stripped(to)] = HandMark("changed", self.stripped(rule))
        gone = {*self.changed, *self.removed}
        return {rule: mark for rule, mark in marks.items() if rule not in gone and len(rule)}

    def stripped(self, rule: Rule) -> Rule:
        """A rule without its conditions on barred features."""
        barred = self.barred
        if not any(name in barred for name in rule.features):
            return rule
        return without_features(rule, barred)

    def breaking(self, rules: Iterable[Rule]) -> list[tuple[int, SayDirection]]:
        """Which of these rules, by place from 0, break which direction."""
        return [
            (place, direction)
            for place, rule in enumerate(rules)
            for direction in self.directions
            if direction.broken_by(rule)
        ]

    def sentences(
        self, name: Callable[[str], str] = shown, outcome: Callable[[str], str] = shown
    ) -> list[str]:
        """What is by hand, for whatever is made of the theory.

        `name`, `outcome`: how features and outcomes are called; by default as in the table, in
        quotation marks.

        Examples
        --------
        >>> Steering((BarFeature("race"),)).sentences()
        ['No rule may name “race”.']
        """
        said = [f"No rule may name {enumeration([name(each) for each in self.barred], 'or')}."]
        said = said if self.barred else []
        said += [f"{direction_said(each, name, outcome)}." for each in self.directions]
        kinds = [mark.kind for mark in self.by_hand.values()]
        counts: dict[str, int] = {kind: kinds.count(kind) for kind in ("pinned", "changed")}
        counts |= {"written": kinds.count("written"), "removed": len(self.removed)}
        told = [f"{counted(count, 'rule')} {kind}" for kind, count in counts.items() if count]
        return [*said, f"By hand: {enumeration(told)}."] if told else said


NOTHING_STEERED = Steering()


def direction_said(
    direction: SayDirection,
    name: Callable[[str], str] = shown,
    outcome: Callable[[str], str] = shown,
) -> str:
    """A direction in words.

    Examples
    --------
    >>> direction_said(SayDirection("priors", True, "high"))
    'More “priors” never lowers “high”'
    """
    verb = "lowers" if direction.rises else "raises"
    return f"More {name(direction.feature)} never {verb} {outcome(direction.outcome)}"


def without_features(rule: Rule, features: Iterable[str]) -> Rule:
    """A rule without its conditions on these features."""
    gone = set(features)
    kept = tuple((name, premise) for name, premise in rule.premises if name not in gone)
    return Rule(kept, rule.outcome)


def _taken_back(earlier: SteeringStep, later: SteeringStep) -> bool:
    """Whether a later step makes an earlier one pointless."""
    if isinstance(earlier, RemoveRule):
        return isinstance(later, PinRule | WriteRule) and earlier.rule == later.rule
    if isinstance(earlier, BarFeature):
        return isinstance(later, BarFeature) and earlier.feature == later.feature
    return False


def _with_change(steps: list[SteeringStep], change: ChangeRule) -> list[SteeringStep]:
    """A rule that was changed or written before is still one change, or one rule."""
    made: list[SteeringStep] = []
    origin = change.rule
    for step in steps:
        if isinstance(step, ChangeRule) and step.to == change.rule:
            origin = step.rule
        elif isinstance(step, WriteRule) and step.rule == change.rule:
            return [WriteRule(change.to) if each == step else each for each in steps]
        elif not (isinstance(step, ChangeRule) and step.rule == change.rule):
            made.append(step)
    return made if origin == change.to else [*made, ChangeRule(origin, change.to)]
