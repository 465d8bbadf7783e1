"""One group beside another: how far apart, how sure, and whether that is evidence of anything."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from glocalx.audit.intervals import (
    UNDEFINED,
    Estimate,
    difference_p_value,
    holm,
    share,
    share_difference,
    share_ratio,
)

ENOUGH = 30
"""Below this number of records in either group a difference is no evidence."""

BAND = (0.8, 1.25)
"""Ratios of selection rates that the four-fifths rule lets pass, in either direction."""

SIGNIFICANT = 0.05


@dataclass(frozen=True, slots=True)
class Share:
    """A share as its two counts."""

    hits: int
    size: int

    def rate(self) -> Estimate:
        """The share with Wilson's interval; undefined for nobody."""
        return share(self.hits, self.size)

    def minus(self, other: Share) -> Estimate:
        """The difference of two shares, with Newcombe's interval."""
        return share_difference(self.hits, self.size, other.hits, other.size)


NOBODY = Share(0, 0)


@dataclass(frozen=True, slots=True)
class Rates:
    """Who gets the outcome: of all records, of those for whom it is true, of those for whom not."""

    selected: Share
    true_positive: Share = NOBODY
    false_positive: Share = NOBODY


@dataclass(frozen=True, slots=True)
class GroupComparison:
    """The selection rate of a group beside that of another.

    Parameters
    ----------
    against
        Whom with.
    difference
        Rate minus rate, with Newcombe's interval. 0 means that both have the same rate.
    ratio
        Rate divided by rate, with Katz's interval. 1 means the same rate; undefined where the
        other's rate is 0.
    true_positive, false_positive
        Differences of these rates; undefined without true labels.
    enough
        Whether both groups have at least the stated number of records.
    p_value, adjusted
        Of the difference, alone and after Holm's correction for all comparisons of the same
        answers in the table; NaN where there is not enough evidence.
    """

    against: str
    difference: Estimate
    ratio: Estimate
    true_positive: Estimate
    false_positive: Estimate
    enough: bool
    p_value: float
    adjusted: float

    @property
    def band(self) -> Literal["below", "within", "above"] | None:
        """Where the ratio lies beside the 0.8 to 1.25 band; None where it is undefined."""
        if not self.ratio.is_defined:
            return None
        low, high = BAND
        if self.ratio.value < low:
            return "below"
        return "above" if self.ratio.value > high else "within"

    @property
    def verdict(
        self,
    ) -> Literal["not enough evidence", "different", "no difference shown", "compared with"]:
        """What may be said. A difference is not yet discrimination; none shown is not fairness."""
        if self is NOT_COMPARED:
            return "compared with"
        if not self.enough or math.isnan(self.adjusted):
            return "not enough evidence"
        return "different" if self.adjusted <= SIGNIFICANT else "no difference shown"


NOT_COMPARED = GroupComparison(
    "", UNDEFINED, UNDEFINED, UNDEFINED, UNDEFINED, False, math.nan, math.nan
)
"""In place of a comparison, where others are compared with a group."""


def compare(against: str, mine: Rates, theirs: Rates, enough: int = ENOUGH) -> GroupComparison:
    """Compare the rates of a group with those of its counterpart."""
    one, other = mine.selected, theirs.selected
    counts = (one.hits, one.size, other.hits, other.size)
    sure = min(one.size, other.size) >= enough
    return GroupComparison(
        against,
        one.minus(other),
        share_ratio(*counts),
        mine.true_positive.minus(theirs.true_positive),
        mine.false_positive.minus(theirs.false_positive),
        sure,
        difference_p_value(*counts) if sure else math.nan,
        math.nan,
    )


def corrected(comparisons: Sequence[GroupComparison | None]) -> list[GroupComparison | None]:
    """The same comparisons with p-values adjusted for their number."""
    p_values = [math.nan if each is None else each.p_value for each in comparisons]
    return [
        None if each is None else replace(each, adjusted=adjusted)
        for each, adjusted in zip(comparisons, holm(p_values), strict=True)
    ]
