"""A local rule: what it says of one record, how well it holds elsewhere, what would change it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from glocalx.rules.rule import Rule
from glocalx.rules.what_if import ValueChange


@dataclass(frozen=True, slots=True)
class Counterfactual:
    """A rule with another outcome that the record misses by few premises.

    Parameters
    ----------
    rule
        The premises and the outcome that the record would get.
    changes
        What would have to be different about the record, feature by feature.
    confirmed
        Whether the black box, asked about the record with exactly these changes, gave the
        rule's outcome. A counterfactual that is not confirmed is only what the tree believes.
    """

    rule: Rule
    changes: tuple[ValueChange, ...]
    confirmed: bool = False


@dataclass(frozen=True, slots=True)
class LocalRule:
    """The rule of one record.

    Parameters
    ----------
    rule
        Covers the record and gives the black-box label of the record.
    record
        The row of the explained table, from 0.
    covered, agreed, judged
        Of `judged` real records that were not used to make the rule, how many it covers and for
        how many of these the black box gives the rule's outcome.
    counterfactuals
        Rules with other outcomes that the record nearly satisfies, the nearest first.
    """

    rule: Rule
    record: int
    covered: int
    agreed: int
    judged: int
    counterfactuals: tuple[Counterfactual, ...] = ()

    @property
    def hints(self) -> list[dict[str, Any]]:
        """New values by feature, for each counterfactual: what its tree believes would do."""
        return [
            {each.feature: each.after for each in other.changes} for other in self.counterfactuals
        ]

    @property
    def precision(self) -> float:
        """Share of the covered records with the rule's outcome; NaN where none is covered."""
        return self.agreed / self.covered if self.covered else math.nan

    @property
    def coverage(self) -> float:
        """Share of the judged records that the rule covers; NaN where none was judged."""
        return self.covered / self.judged if self.judged else math.nan


@dataclass(frozen=True, slots=True)
class RuleBlock:
    """Local rules that were finished together, and how far the work has come.

    Parameters
    ----------
    rules
        In the order of the records that were asked for.
    done, total
        Records finished up to and with this block, and records asked for.
    """

    rules: tuple[LocalRule, ...]
    done: int
    total: int
