"""The three worked examples of the paper, with values that can be moved.

With the values that they start from, join and cut come out as printed. The merge is printed with
two slips; what the definitions give and what is printed both stand here.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from glocalx.merging.operators import Cut, Join, cut, join
from glocalx.rules.rule import Rule
from glocalx.rules.schema import Feature, Schema

JOBS = ("manager", "office clerk", "unemployed")
LOANS = Schema(
    (
        Feature("age", "integer"),
        Feature("job", "categorical", JOBS),
        Feature("amount", "numeric"),
    ),
    ("accept", "deny"),
)
AGES, AMOUNTS = (18, 80), (0, 20_000)


@dataclass(frozen=True, slots=True)
class JoinExample:
    """`e₁ ⊕ e₂`: two rules that deny.

    Parameters
    ----------
    first_age, second_age
        From which age on each of them holds.
    first_job, second_job
        Whether each of them asks for an office clerk.
    """

    first_age: int = 50
    second_age: int = 40
    first_job: bool = True
    second_job: bool = False

    def worked(self) -> Join:
        """The two rules and what they become."""
        parts = (
            _loan("deny", age=self.first_age, job="office clerk" if self.first_job else None),
            _loan("deny", age=self.second_age, job="office clerk" if self.second_job else None),
        )
        return Join(parts, join(parts))


@dataclass(frozen=True, slots=True)
class CutExample:
    """`e₁ ⊖ e₂`: one rule denies, the other accepts.

    Parameters
    ----------
    first_age, second_age
        From which age on each of them holds.
    first_amount, second_amount
        The first holds from this amount on, the second above this amount.
    first_wins
        Whether the first is the more reliable one, as in the paper.
    """

    first_age: int = 25
    second_age: int = 20
    first_amount: float = 10_000
    second_amount: float = 8_000
    first_wins: bool = True

    def worked(self) -> Cut:
        """The rule that stays, the rule that gives way, and what is left of it."""
        amount = (float(self.first_amount), math.inf)
        first = _loan("deny", age=self.first_age, job="unemployed", amount=amount)
        above = (_just_above(self.second_amount), math.inf)
        second = _loan("accept", age=self.second_age, job="manager", amount=above)
        dominant, other = (first, second) if self.first_wins else (second, first)
        return Cut(dominant, other, cut(other, dominant, _nobody))


@dataclass(frozen=True, slots=True)
class MergeExample:
    """`E₁ + E₂` on a batch of the records `x₁` and `x₂`, or only one of them, or none."""

    first_record: bool = True
    second_record: bool = True

    @property
    def left(self) -> tuple[Rule, Rule]:
        """`e₁` and `e₂`."""
        amount = (-math.inf, _just_above(10_000))
        first = _loan("deny", age=25, job="unemployed", amount=amount)
        return first, _loan("deny", age=50, job="office clerk")

    @property
    def right(self) -> tuple[Rule, Rule]:
        """`e′₁` and `e′₂`."""
        first = _loan("accept", age=20, job="manager", amount=(_just_above(8_000), math.inf))
        above = (_just_above(5_000), math.inf)
        return first, _loan("deny", age=40, job="office clerk", amount=above)

    def worked(self) -> tuple[Rule, ...]:
        """The rules of both after the merge, by the definitions.

        `x₁` is covered by `e₁` and `e′₁`, which disagree: the first, the more reliable one, cuts
        the other. `x₂` is covered by `e₂` and `e′₂`, which agree: they are joined.
        """
        (one, two), (other_one, other_two) = self.left, self.right
        rules: list[Rule] = [one]
        if self.first_record:
            left = cut(other_one, one, _nobody)
            rules += [left] if left else []
        else:
            rules.append(other_one)
        rules += [join([two, other_two])] if self.second_record else [two, other_two]
        return tuple(rules)

    def printed(self) -> tuple[Rule, ...]:
        """What the paper prints for both records."""
        one, _ = self.left
        within = (_just_above(8_000), 10_000.0)
        accept = LOANS.rule({"age": (20, 25), "job": ["manager"], "amount": within}, "accept")
        return one, accept, _loan("deny", age=40)


MISPRINTS = (
    "e″₂ is printed with an amount from 8k to 10k. That fits an e₁ with amount ≥ 10k, as in the "
    "example of the cut; with amount ≤ 10k what is left lies above 10k.",
    "e″₃ is printed as age ≥ 40 alone. Both rules ask for an office clerk, so the job stays; only "
    "the amount falls away.",
)
"""Where the printed merge differs from the definitions."""


def _loan(
    outcome: str,
    *,
    age: int,
    job: str | None = None,
    amount: tuple[float, float] | None = None,
) -> Rule:
    asked: dict[str, tuple[float, float] | Iterable[str]] = {"age": (age, math.inf)}
    if job is not None:
        asked["job"] = [job]
    if amount is not None:
        asked["amount"] = amount
    return LOANS.rule(asked, outcome)


def _just_above(number: float) -> float:
    return math.nextafter(number, math.inf)


def _nobody(_rule: Rule) -> int:
    """The examples have no records, and no premise of theirs is cut in two."""
    return 0
