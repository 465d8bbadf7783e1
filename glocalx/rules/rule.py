"""Premises and rules.

A *premise* is a subspace of one feature: an :class:`Interval` of a numeric feature or a set of
:class:`Categories` of a categorical one. A missing value is a value like any other: a premise may
include it, and a record without a value satisfies no premise that does not. A *rule* is at most
one premise per feature and an outcome. All are immutable, hashable values with one canonical form:
two rules that say the same are equal. Build rules with
:meth:`glocalx.rules.schema.Schema.rule`, which brings them into that form.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import pandas as pd

from glocalx.errors import GLocalXError


def is_missing(value: object) -> bool:
    """True for None, NaN, NaT and NA: what stands where a value could be and is not."""
    return value is None or value is pd.NA or value != value


@dataclass(frozen=True, slots=True)
class Interval:
    """The numbers from `low` up to, but not including, `high`; either end may be infinite.

    Parameters
    ----------
    low, high
        The ends. Where no number is allowed, only what is missing, they are inf and -inf.
    missing
        Whether a record without a value satisfies it too.
    gaps
        Whether the feature has gaps at all; not part of what the premise says. Only where it has
        none does an interval of all numbers allow everything.

    Examples
    --------
    >>> 24 in Interval(18, 25), 25 in Interval(18, 25)
    (True, False)
    >>> None in Interval(18, 25), None in Interval(18, 25, missing=True)
    (False, True)
    """

    low: float = -math.inf
    high: float = math.inf
    missing: bool = False
    gaps: bool = field(default=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        if self.low < self.high:
            return
        if not self.missing:
            raise GLocalXError(
                f"An interval from {self.low} to {self.high} holds no number. "
                "Give a low end below the high end."
            )
        object.__setattr__(self, "low", math.inf)
        object.__setattr__(self, "high", -math.inf)

    def __contains__(self, value: float | None) -> bool:
        if is_missing(value):
            return self.missing
        assert value is not None
        return bool(self.low <= value and (value < self.high or self.high == math.inf))

    @property
    def is_everything(self) -> bool:
        numbers = self.low == -math.inf and self.high == math.inf
        return numbers and (self.missing or not self.gaps)

    @property
    def is_only_missing(self) -> bool:
        """True where no number is allowed."""
        return not self.low < self.high

    def hull(self, other: Interval) -> Interval:
        """The smallest interval that holds both; missing where either includes it."""
        low, high = min(self.low, other.low), max(self.high, other.high)
        return Interval(low, high, self.missing or other.missing, self.gaps)

    def minus(self, other: Interval) -> tuple[Interval, ...]:
        """What `other` leaves of this interval: nothing, one side, or both, the lower first.

        Missing, where it is left, belongs to every side, or is all that is left.
        """
        missing = self.missing and not other.missing
        sides = [(self.low, min(self.high, other.low)), (max(self.low, other.high), self.high)]
        if other.is_only_missing:
            del sides[1]  # it takes no number away: both sides are the whole
        left = [(low, high) for low, high in sides if low < high]
        if missing and not left:
            left = [(math.inf, -math.inf)]
        return tuple(Interval(low, high, missing, self.gaps) for low, high in left)

    @property
    def sort_key(self) -> tuple[Any, ...]:
        return (self.low, self.high, self.missing)


@dataclass(frozen=True, slots=True)
class Categories:
    """The allowed values of a categorical feature, out of its `domain`.

    The domain is what the values are chosen from, not part of what the premise says, so it does
    not count when premises are compared; nor do `gaps`.

    Parameters
    ----------
    values, domain
        What is allowed, and what there is. No value may be allowed where `missing` is.
    missing, gaps
        As for an :class:`Interval`. A category that is called “missing” is something else.
    """

    values: frozenset[str]
    domain: frozenset[str] = field(compare=False, repr=False)
    missing: bool = False
    gaps: bool = field(default=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        if not self.values and not self.missing:
            raise GLocalXError("A set of categories is empty. Give at least one category.")

    def __contains__(self, value: str | None) -> bool:
        return self.missing if is_missing(value) else value in self.values

    @property
    def is_everything(self) -> bool:
        return self.values >= self.domain and (self.missing or not self.gaps)

    @property
    def is_only_missing(self) -> bool:
        """True where no category is allowed."""
        return not self.values

    def hull(self, other: Categories) -> Categories:
        """The values of either; missing where either includes it."""
        both = self.values | other.values
        return Categories(both, self.domain, self.missing or other.missing, self.gaps)

    def minus(self, other: Categories) -> tuple[Categories, ...]:
        """What `other` leaves of these values: nothing or one set."""
        left, missing = self.values - other.values, self.missing and not other.missing
        return (Categories(left, self.domain, missing, self.gaps),) if left or missing else ()

    @property
    def sort_key(self) -> tuple[Any, ...]:
        return (tuple(sorted(self.values)), self.missing)


Premise: TypeAlias = Interval | Categories


@dataclass(frozen=True, slots=True, eq=False)
class Rule:
    """If every premise holds, then `outcome`.

    Parameters
    ----------
    premises
        Pairs of feature name and premise, ordered by name. A premise that allows everything
        does not exist. No premises at all: the rule covers every record.
    outcome
        The black-box label that the rule gives.
    """

    premises: tuple[tuple[str, Premise], ...]
    outcome: str
    _hash: int = field(init=False, repr=False)
    _sort_key: tuple[Any, ...] | None = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_hash", hash((self.premises, self.outcome)))
        object.__setattr__(self, "_sort_key", None)

    def __hash__(self) -> int:
        return self._hash  # rules are looked up far more often than they are made

    def __reduce__(self) -> tuple[Any, ...]:
        return Rule, (self.premises, self.outcome)  # the hash of a string differs by process

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Rule):
            return NotImplemented
        return (
            self._hash == other._hash
            and self.outcome == other.outcome
            and self.premises == other.premises
        )

    def __len__(self) -> int:
        """Number of premises."""
        return len(self.premises)

    def __bool__(self) -> bool:
        return True  # a rule without premises is still a rule

    @property
    def features(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self.premises)

    def premise(self, feature: str) -> Premise | None:
        """The premise on `feature`, None where the rule does not mention it."""
        return next((premise for name, premise in self.premises if name == feature), None)

    @property
    def sort_key(self) -> tuple[Any, ...]:
        """The canonical order of rules: outcome, length, then premises."""
        if self._sort_key is None:
            premises = tuple((name, premise.sort_key) for name, premise in self.premises)
            object.__setattr__(self, "_sort_key", (self.outcome, len(premises), premises))
        assert self._sort_key is not None
        return self._sort_key


def canonical_rule(premises: dict[str, Premise], outcome: str) -> Rule:
    """The rule of these premises, without those that allow everything, ordered by feature."""
    kept = ((name, premise) for name, premise in premises.items() if not premise.is_everything)
    return Rule(tuple(sorted(kept, key=lambda pair: pair[0])), outcome)
