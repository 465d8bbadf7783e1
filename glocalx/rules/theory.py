"""A theory: a set of distinct rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from glocalx.rules.rule import Rule
from glocalx.rules.scoring import mean_length


@dataclass(frozen=True, slots=True)
class Theory:
    """Distinct rules in canonical order; build it with :meth:`of`.

    Examples
    --------
    >>> Theory.of([Rule((), "deny"), Rule((), "deny")]).size
    1
    """

    rules: tuple[Rule, ...]

    @classmethod
    def of(cls, rules: Iterable[Rule]) -> Theory:
        """The theory of these rules; repeated ones count once and their order does not matter."""
        return cls(tuple(sorted(set(rules), key=lambda rule: rule.sort_key)))

    @property
    def size(self) -> int:
        """Number of rules."""
        return len(self.rules)

    @property
    def length(self) -> float:
        """Mean number of premises."""
        return mean_length(self.rules)

    def __iter__(self) -> Iterator[Rule]:
        return iter(self.rules)

    def __len__(self) -> int:
        return len(self.rules)

    def __or__(self, other: Theory) -> Theory:
        return Theory.of((*self.rules, *other.rules))


def named_features(rules: Iterable[Rule]) -> frozenset[str]:
    """The features that at least one of these rules names.

    Examples
    --------
    >>> from glocalx.rules.rule import Interval
    >>> young = Rule((("age", Interval(high=30)),), "deny")
    >>> sorted(named_features([young, Rule((), "accept")]))
    ['age']
    """
    return frozenset(name for rule in rules for name in rule.features)
