"""What a condition is worth: theories made shorter, step by step.

Each step leaves out one condition of one rule, or a whole rule: that which costs the least
agreement with the black box for each condition that need not be read any more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from math import inf
from typing import NamedTuple

from glocalx.errors import GLocalXError
from glocalx.merging.whole import Whole
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.coverage import Bits
from glocalx.rules.rule import Rule
from glocalx.rules.scoring import Reference
from glocalx.rules.theory import Theory
from glocalx.selection.budget import records_to_earn
from glocalx.selection.candidates import without_one

NO_RULES: frozenset[Rule] = frozenset()


@dataclass(frozen=True, slots=True)
class Reading:
    """A theory, how much there is to read, and what it is worth.

    Parameters
    ----------
    theory
        Its rules.
    agreed
        Reference records on which it agrees with the black box.
    """

    theory: Theory
    agreed: int

    @classmethod
    def of(cls, rules: Iterable[Rule], reference: Reference) -> Reading:
        theory = Theory.of(rules)
        return cls(theory, reference.agreement(theory))

    @property
    def conditions(self) -> int:
        """Of all rules together."""
        return sum(map(len, self.theory))

    def cost_of(self, shorter: Reading) -> float:
        """Records lost for each condition that a shorter theory saves; all, where it saves none."""
        saved = self.conditions - shorter.conditions
        return (self.agreed - shorter.agreed) / (saved or 1)


def iter_shorter(rules: Iterable[Rule], reference: Reference) -> Iterator[Reading]:
    """The theory of these rules, then ever shorter ones, down to no rule at all.

    Where two steps cost the same, the one that saves more is made, then that of the rule that
    comes first in canonical order. The last rule that helps goes condition by condition: a
    shorter one still explains something.

    Examples
    --------
    >>> import pandas as pd
    >>> from glocalx.rules.coverage import Records
    >>> from glocalx.rules.schema import Schema
    >>> people = pd.DataFrame({"age": [20, 30, 40, 50, 60], "savings": [1, 2, 1, 2, 2]})
    >>> labels = ["deny", "deny", "accept", "accept", "accept"]
    >>> schema = Schema.of(people, labels)
    >>> young = schema.rule({"age": (0, 35), "savings": (0, 3)}, "deny")
    >>> reference = Reference(Records(schema, people), labels)
    >>> [(each.conditions, each.agreed) for each in iter_shorter([young], reference)]
    [(2, 5), (1, 5), (0, 3)]
    """
    now = Reading.of(rules, reference)
    whole = Whole((frozenset((rule,)) for rule in now.theory), reference)
    known = cache(_what_is_left)
    lost: dict[_Step, int] = {}  # records; what a step costs as long as nothing near it changes
    yield now
    while now.theory.size:
        there = frozenset(now.theory)
        steps = [step for rule in now.theory for step in known(rule)]
        for step in steps:
            if step not in lost:
                _, agreed = whole.size_with(frozenset((step.rule,)), NO_RULES, step.left - there)
                lost[step] = now.agreed - agreed
        made = min(steps, key=lambda step: _cost(step, there, lost[step]))
        whole.replace(frozenset((made.rule,)), NO_RULES, made.left - there)
        now = Reading(Theory.of((there | made.left) - {made.rule}), whole.size[1])
        changed = _reach(made, reference)
        lost = {step: n for step, n in lost.items() if not _reach(step, reference) & changed}
        yield now


class _Step(NamedTuple):
    """A rule, and what is left of it: nothing, or the rule without one of its conditions."""

    rule: Rule
    left: frozenset[Rule]


def _what_is_left(rule: Rule) -> list[_Step]:
    wider = without_one(rule) if len(rule) > 1 else []
    return [_Step(rule, NO_RULES), *(_Step(rule, frozenset((each,))) for each in wider)]


def _reach(step: _Step, reference: Reference) -> Bits:
    """The records whose answer a step may change."""
    widest = next(iter(step.left), step.rule)
    return reference.score(widest).coverage


def _cost(step: _Step, there: frozenset[Rule], lost: int) -> tuple[float, int]:
    """Records lost for each condition that need not be read any more; less what is saved."""
    left = step.left - there  # what is there already is not read twice
    saved = len(step.rule) - sum(map(len, left))
    at_once = there == {step.rule} and not left and saved > 1
    return (inf if at_once and lost > 0 else lost / (saved or 1)), -saved


def shortened(
    rules: Iterable[Rule],
    reference: Reference,
    *,
    price: float = 0.0,
    conditions: int | None = None,
) -> Theory:
    """The rules without what is not worth reading.

    Parameters
    ----------
    price
        What a condition has to earn; see :func:`~glocalx.selection.budget.records_to_earn`. 0:
        only what earns nothing goes.
    conditions
        At most so many in all are left, whatever they earn; None: any number.
    """
    due = records_to_earn(price, reference)
    if conditions is not None and conditions < 1:
        raise GLocalXError("The number of conditions to read must be at least 1.")
    path = iter_shorter(rules, reference)
    kept = next(path)
    for shorter in path:
        too_long = conditions is not None and kept.conditions > conditions
        cost = kept.cost_of(shorter)
        dear = cost > 0 and (cost >= due or not shorter.theory.size)
        if dear and not too_long:
            break  # the last rule that helps stays: no rule at all is no explanation
        kept = shorter
    return kept.theory


@dataclass(frozen=True, slots=True)
class ReadingPoint:
    """How faithful a theory is that takes so much to read.

    Parameters
    ----------
    conditions, rules
        How many it has.
    fidelity
        Share of the judging records on which it agrees with the black box.
    """

    conditions: int
    rules: int
    fidelity: float


def reading_curve(
    rules: Iterable[Rule], reference: Reference, judge: Reference
) -> tuple[ReadingPoint, ...]:
    """Fidelity over the number of conditions, from none up to those of all these rules.

    Parameters
    ----------
    rules
        The longest theory of the curve, such as a budget of 20 rules.
    reference
        What the shorter ones are made on.
    judge
        What they are judged on: held-out records.
    """
    points = {}
    for reading in iter_shorter(rules, reference):  # of theories equally long the last has less
        theory = RankedTheory.of(reading.theory, reference)
        points[reading.conditions] = ReadingPoint(
            reading.conditions, theory.size, theory.fidelity(judge)
        )
    return tuple(points[conditions] for conditions in sorted(points))
