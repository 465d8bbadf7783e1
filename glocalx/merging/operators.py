"""Join and cut: what merging does to rules. Pure geometry, no data.

The two move in opposite directions. *Join* widens rules with the same outcome into one. *Cut*
takes from a rule what a more reliable rule with another outcome claims.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from glocalx.rules.rule import Interval, Premise, Rule, canonical_rule


@dataclass(frozen=True, slots=True)
class Change:
    """What happened to one feature: the premises before, in the order of the rules, and after.

    None stands for "no condition on this feature".
    """

    feature: str
    before: tuple[Premise | None, ...]
    after: Premise | None


@dataclass(frozen=True, slots=True)
class Join:
    """Rules of one outcome that became one rule."""

    parts: tuple[Rule, ...]
    result: Rule

    @property
    def sort_key(self) -> tuple[Any, ...]:
        return (self.result.sort_key, tuple(part.sort_key for part in self.parts))

    @property
    def changes(self) -> tuple[Change, ...]:
        """The features on which the result differs from any of its parts."""
        return _changes(self.parts, self.result)


@dataclass(frozen=True, slots=True)
class Cut:
    """A rule that gave way to a dominant one; `after` is None where nothing of it was left."""

    dominant: Rule
    before: Rule
    after: Rule | None

    @property
    def sort_key(self) -> tuple[Any, ...]:
        return (self.before.sort_key, self.dominant.sort_key)

    @property
    def changes(self) -> tuple[Change, ...]:
        """The features on which the rule lost something; none where it stayed or was dropped."""
        return _changes((self.before,), self.after) if self.after else ()


def _changes(before: tuple[Rule, ...], after: Rule) -> tuple[Change, ...]:
    names = sorted({name for rule in before for name in rule.features})
    changes = (
        Change(name, tuple(rule.premise(name) for rule in before), after.premise(name))
        for name in names
    )
    return tuple(change for change in changes if any(p != change.after for p in change.before))


def join(rules: Sequence[Rule]) -> Rule:
    """One rule that covers all that the given rules of one outcome cover.

    A feature that any of the rules lacks is dropped. Numbers: from the lowest low to the highest
    high, whether or not the intervals touch. Categories: the values of all.
    """
    first, *others = rules
    premises = dict(first.premises)
    for other in others:
        theirs = dict(other.premises)
        premises = {
            name: premise.hull(theirs[name])  # type: ignore[arg-type]
            for name, premise in premises.items()
            if name in theirs
        }
    return canonical_rule(premises, first.outcome)


def cut(rule: Rule, dominant: Rule, count: Callable[[Rule], int]) -> Rule | None:
    """What `dominant` leaves of `rule`; None where it lies wholly inside.

    On every feature that both have, the dominant premise is subtracted. Left on one side: that
    is the new premise. Left on both sides of a numeric premise: the side with more of the rule's
    own records stays, on a tie the lower. Nothing left: the feature stays as it was. If nothing
    is left on any shared feature, and the rule has every feature of the dominant one, the rule
    can never win a vote again and is dropped.

    Parameters
    ----------
    rule, dominant
        Rules with different outcomes.
    count
        The number of records that a rule covers. Each feature is judged by the rule as it was
        before the cut, so the order of the features does not matter.
    """
    theirs = dict(dominant.premises)
    left = {
        name: premise.minus(theirs[name])  # type: ignore[arg-type]
        for name, premise in rule.premises
        if name in theirs
    }
    if len(left) == len(theirs) and not any(left.values()):
        return None
    premises = dict(rule.premises)
    for name, sides in left.items():
        if sides:
            premises[name] = sides[0] if len(sides) == 1 else _fuller(rule, name, sides, count)
    return canonical_rule(premises, rule.outcome)


def _fuller(
    rule: Rule, name: str, sides: tuple[Premise, ...], count: Callable[[Rule], int]
) -> Premise:
    def own_records(side: Premise) -> int:
        return count(canonical_rule({**dict(rule.premises), name: side}, rule.outcome))

    lower, upper = sides
    assert isinstance(lower, Interval)  # only numbers can be left on two sides
    return upper if own_records(upper) > own_records(lower) else lower
