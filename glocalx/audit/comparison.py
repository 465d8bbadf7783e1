"""One group beside another: how far apart, how sure, and whether that is evidence of anything."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, TypeVar

from glocalx.audit.grouping import GroupCells, NamedGroup
from glocalx.audit.intervals import (
    UNDEFINED,
    Estimate,
    difference_p_value,
    equivalence_p_value,
    holm,
    share,
    share_difference,
    share_ratio,
)
from glocalx.audit.tally import Bools, Tally

ENOUGH = 30
"""Below this number of records in either group a difference is no evidence."""

BAND = (0.8, 1.25)
"""Ratios of selection rates that the four-fifths rule lets pass, in either direction."""

SIGNIFICANT = 0.05

GroupVerdict: TypeAlias = Literal[
    "different",
    "within the tolerance",
    "no difference shown",
    "not enough records",
    "compared with",
]


def verdict_of(adjusted: float, within: float = math.nan) -> GroupVerdict:
    """What may be said after two tests, both corrected; NaN where one could not be made.

    `adjusted`: that there is a difference; `within`: that it is smaller than a tolerance.
    """
    if math.isnan(adjusted):
        return "not enough records"
    if adjusted <= SIGNIFICANT:
        return "different"
    return "within the tolerance" if within <= SIGNIFICANT else "no difference shown"


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedGroup(NamedGroup):
    """A subgroup of which something was tested.

    `p_value`, `adjusted`: of the test, alone and after Holm's correction for all groups; NaN
    without evidence.
    """

    p_value: float
    adjusted: float = math.nan

    @property
    def verdict(self) -> GroupVerdict:
        """What may be said."""
        return verdict_of(self.adjusted)


Tested = TypeVar("Tested", bound=JudgedGroup)


def corrected_groups(
    rows: Sequence[Tested], same: Sequence[Hashable] | None = None
) -> tuple[Tested, ...]:
    """The same rows with p-values adjusted for their number; `same` as in :func:`holm_once`."""
    adjusted = holm_once([row.p_value for row in rows], same)
    return tuple(replace(row, adjusted=p) for row, p in zip(rows, adjusted, strict=True))


def holm_once(p_values: Sequence[float], same: Sequence[Hashable] | None = None) -> list[float]:
    """Holm's correction where a comparison seen from either side counts once; NaN stays.

    `same`: for each comparison what it is of: two that are of the same records are one.

    Examples
    --------
    >>> holm_once([0.01, 0.01, 0.04, math.nan], ["a", "a", "b", "c"])
    [0.02, 0.02, 0.04, nan]
    """
    keys = range(len(p_values)) if same is None else same
    known = {key: p for key, p in zip(keys, p_values, strict=True) if not math.isnan(p)}
    adjusted = dict(zip(known, holm(list(known.values())), strict=True))
    return [adjusted.get(key, math.nan) for key in keys]


@dataclass(frozen=True, slots=True)
class Share:
    """A share as its two counts."""

    hits: int
    size: int

    @classmethod
    def of(cls, tally: Tally, hits: Bools, among: Bools) -> Share:
        """How many records of some cells are in others, too."""
        return cls(tally.records(hits & among), tally.records(among))

    def rate(self) -> Estimate:
        """The share with Wilson's interval; undefined for nobody."""
        return share(self.hits, self.size)

    def minus(self, other: Share) -> Estimate:
        """The difference of two shares, with Newcombe's interval."""
        return share_difference(self.hits, self.size, other.hits, other.size)

    def divided_by(self, other: Share) -> Estimate:
        """The ratio of two shares, with Katz's interval."""
        return share_ratio(self.hits, self.size, other.hits, other.size)


NOBODY = Share(0, 0)


@dataclass(frozen=True, slots=True)
class Rates:
    """Who gets the outcome: of all records, of those for whom it is true, of those for whom not.

    `favourable`: who gets the outcome that is good for them; nobody where that is not said.
    """

    selected: Share
    true_positive: Share = NOBODY
    false_positive: Share = NOBODY
    favourable: Share = NOBODY


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
    favourable
        The same for the favourable outcome, of which the four-fifths rule speaks; undefined where
        nobody said which that is.
    true_positive, false_positive
        Differences of these rates; undefined without true labels.
    enough
        Whether both groups have at least the stated number of records.
    p_value, adjusted
        Of the difference, alone and after Holm's correction for all comparisons of the same
        answers in the table; NaN where there are not enough records.
    own, other
        The selection rates as counts.
    equivalence, equivalence_adjusted
        Of the test that the difference is smaller than a tolerance (TOST), alone and corrected in
        the same way; NaN without a tolerance.
    """

    against: str
    difference: Estimate
    ratio: Estimate
    favourable: Estimate
    true_positive: Estimate
    false_positive: Estimate
    enough: bool
    p_value: float
    adjusted: float
    own: Share = NOBODY
    other: Share = NOBODY
    equivalence: float = math.nan
    equivalence_adjusted: float = math.nan

    @property
    def is_within_tolerance(self) -> bool:
        """Whether the difference is shown to be smaller than the tolerance that was set."""
        return self.equivalence_adjusted <= SIGNIFICANT

    @property
    def band(self) -> Literal["below", "within", "above"] | None:
        """Where the favourable ratio lies beside the 0.8 to 1.25 band; None: it is undefined."""
        if not self.favourable.is_defined:
            return None
        low, high = BAND
        if self.favourable.value < low:
            return "below"
        return "above" if self.favourable.value > high else "within"

    @property
    def verdict(self) -> GroupVerdict:
        """What may be said. A difference is not yet discrimination; none shown is not fairness."""
        if self is NOT_COMPARED:
            return "compared with"
        return verdict_of(self.adjusted, self.equivalence_adjusted)


NOT_COMPARED = GroupComparison(
    "", *(UNDEFINED,) * 5, enough=False, p_value=math.nan, adjusted=math.nan
)
"""In place of a comparison, where others are compared with a group."""


def compare(
    against: str,
    mine: Rates,
    theirs: Rates,
    enough: int = ENOUGH,
    tolerance: float | None = None,
) -> GroupComparison:
    """Compare the rates of a group with those of its counterpart."""
    one, other = mine.selected, theirs.selected
    counts = (one.hits, one.size, other.hits, other.size)
    sure = min(one.size, other.size) >= enough
    return GroupComparison(
        against,
        one.minus(other),
        one.divided_by(other),
        mine.favourable.divided_by(theirs.favourable),
        mine.true_positive.minus(theirs.true_positive),
        mine.false_positive.minus(theirs.false_positive),
        sure,
        difference_p_value(*counts) if sure else math.nan,
        math.nan,
        one,
        other,
        math.nan if tolerance is None or not sure else equivalence_p_value(*counts, tolerance),
    )


def compared(
    pairs: Sequence[tuple[GroupCells, GroupCells | None]],
    rates: Callable[[Bools], Rates],
    enough: int,
    tolerance: float | None = None,
) -> list[GroupComparison | None]:
    """The rates of each group beside those of its counterpart; None where it has none."""
    return [
        None
        if other is None
        else compare(other.title, rates(group.cells), rates(other.cells), enough, tolerance)
        for group, other in pairs
    ]


def compared_shares(
    tally: Tally,
    pairs: Sequence[tuple[GroupCells, GroupCells | None]],
    hits: Bools,
    among: Bools,
    enough: int,
    tolerance: float | None = None,
) -> list[GroupComparison | None]:
    """The same of one rate: how many records of some cells are in others, too."""
    return compared(
        pairs, lambda cells: Rates(Share.of(tally, hits, among & cells)), enough, tolerance
    )


def corrected(
    comparisons: Sequence[GroupComparison | None], same: Sequence[Hashable]
) -> tuple[list[GroupComparison | None], int]:
    """The same comparisons with p-values adjusted for their number, and that number.

    `same` as in :func:`holm_once`.
    """
    found = [(math.nan,) * 2 if e is None else (e.p_value, e.equivalence) for e in comparisons]
    differ, alike = (holm_once([pair[test] for pair in found], same) for test in (0, 1))
    made = [
        None if each is None else replace(each, adjusted=p, equivalence_adjusted=close)
        for each, p, close in zip(comparisons, differ, alike, strict=True)
    ]
    return made, len({key for key, p in zip(same, differ, strict=True) if not math.isnan(p)})
