"""Who is wronged: precision, hits and false alarms of each group beside those of others.

Three things that auditors of classifiers ask. Precision parity: of those who are called so, as many
are it in each group. Equal hits: of those who are it, as many are called so. Equalized odds: hits
and false alarms are both equal. All need the true outcome.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, get_args

from glocalx.audit.audit import Audit
from glocalx.audit.comparison import SIGNIFICANT, Share
from glocalx.audit.grouping import Counterpart, GroupCells, compared_groups, same_records
from glocalx.audit.intervals import Estimate, difference_p_value, holm, share_difference
from glocalx.audit.subgroups import Answerer
from glocalx.audit.tally import Bools, Ints, Tally

Measure: TypeAlias = Literal["precision", "hits", "false alarms"]
MEASURES: tuple[Measure, ...] = get_args(Measure)
Verdict: TypeAlias = Literal[
    "different",
    "no difference shown",
    "not enough evidence",
    "within the tolerance",
    "beyond the tolerance",
    "not settled",
]


@dataclass(frozen=True, slots=True)
class Gap:
    """One rate of a group beside that of others.

    Parameters
    ----------
    mine, theirs
        The two rates, as counts.
    enough
        Whether both are of enough records.
    p_value, adjusted
        Of the difference, alone and after Holm's correction for all groups; NaN without evidence.
    tolerance
        How large a difference was said beforehand to be small; None where nobody said.
    """

    mine: Share
    theirs: Share
    enough: bool
    p_value: float
    adjusted: float = math.nan
    tolerance: float | None = None

    @property
    def difference(self) -> Estimate:
        """Rate minus rate, with Newcombe's interval; 0 means that both are the same."""
        return self.mine.minus(self.theirs)

    @property
    def verdict(self) -> Verdict:
        """What may be said; with a tolerance, whether the difference lies within it."""
        if not self.enough or math.isnan(self.p_value):
            return "not enough evidence"
        if self.tolerance is None:
            return "different" if self.adjusted <= SIGNIFICANT else "no difference shown"
        return equivalence(self.mine, self.theirs, self.tolerance)


def equivalence(mine: Share, theirs: Share, tolerance: float) -> Verdict:
    """Two one-sided tests at 5 % each: the 90 % interval lies inside the tolerance, or outside.

    Examples
    --------
    >>> equivalence(Share(500, 1000), Share(505, 1000), 0.05)
    'within the tolerance'
    >>> equivalence(Share(500, 1000), Share(400, 1000), 0.05)
    'beyond the tolerance'
    >>> equivalence(Share(5, 10), Share(4, 10), 0.05)
    'not settled'
    """
    level = 1 - 2 * SIGNIFICANT
    found = share_difference(mine.hits, mine.size, theirs.hits, theirs.size, level)
    if -tolerance < found.low and found.high < tolerance:
        return "within the tolerance"
    if found.low > tolerance or found.high < -tolerance:
        return "beyond the tolerance"
    return "not settled"


@dataclass(frozen=True, slots=True)
class GroupParity:
    """All rates of one group beside those of others.

    Parameters
    ----------
    against
        Whom with.
    gaps
        By measure.
    p_value, adjusted
        That hits or false alarms differ: twice the smaller of their p-values, then Holm's
        correction for all groups.
    """

    columns: tuple[str, ...]
    groups: tuple[str, ...]
    size: int
    against: str
    gaps: Mapping[Measure, Gap]
    p_value: float
    adjusted: float = math.nan

    @property
    def title(self) -> str:
        return " · ".join(self.groups)

    @property
    def equalized_odds(self) -> Verdict:
        """What may be said of hits and false alarms together."""
        both = [self.gaps[measure] for measure in ("hits", "false alarms")]
        if any(not gap.enough for gap in both) or math.isnan(self.p_value):
            return "not enough evidence"
        if both[0].tolerance is None:
            return "different" if self.adjusted <= SIGNIFICANT else "no difference shown"
        said = {gap.verdict for gap in both}
        if "beyond the tolerance" in said:
            return "beyond the tolerance"
        return "within the tolerance" if said == {"within the tolerance"} else "not settled"


@dataclass(frozen=True, slots=True)
class ParityTable:
    """What one answerer does to each group.

    Parameters
    ----------
    compared
        How many comparisons of hits and false alarms the correction counts.
    """

    answerer: Answerer
    rows: tuple[GroupParity, ...]
    compared: int

    def spread(self, column: str, measure: Measure) -> float:
        """The largest rate among the groups of a column minus the smallest; NaN without any."""
        rates = [
            row.gaps[measure].mine.rate().value for row in self.rows if row.columns == (column,)
        ]
        known = [rate for rate in rates if not math.isnan(rate)]
        return max(known) - min(known) if known else math.nan


def parity_tables(audit: Audit, tolerance: float | None = None) -> tuple[ParityTable, ...]:
    """Precision, hits and false alarms by rules and black box; none without the true outcome.

    Parameters
    ----------
    tolerance
        How large a difference is small, as a share.
    """
    tally = audit.tally
    if not tally.has_truth:
        return ()
    given: dict[Answerer, Ints] = {
        "theory": tally.outcomes_of(tally.deciding(), audit.theory.default)
    }
    if tally.has_black_box:
        given["black box"] = tally.black_box
    return tuple(_table(audit, name, codes, tolerance) for name, codes in given.items())


def _table(audit: Audit, answerer: Answerer, given: Ints, tolerance: float | None) -> ParityTable:
    settings, tally = audit.settings, audit.tally
    rates = _Rates(tally, given, tally.outcomes.index(settings.outcome))
    pairs = [
        (group, other)
        for group, other in compared_groups(tally, settings.column_sets, settings.against)
        if other is not None and group.size
    ]
    same = [same_records(*pair) for pair in pairs]
    rows = [_row(rates, *pair, settings.enough, tolerance) for pair in pairs]
    alone = {
        measure: holm_once([row.gaps[measure].p_value for row in rows], same)
        for measure in MEASURES
    }
    together = holm_once([row.p_value for row in rows], same)
    made = tuple(
        replace(
            row,
            gaps={name: replace(gap, adjusted=alone[name][i]) for name, gap in row.gaps.items()},
            adjusted=together[i],
        )
        for i, row in enumerate(rows)
    )
    known = {key for key, p in zip(same, together, strict=True) if not math.isnan(p)}
    return ParityTable(answerer, made, len(known))


def holm_once(p_values: Sequence[float], same: Sequence[Hashable]) -> list[float]:
    """Holm's correction where a comparison seen from either side counts once; NaN stays.

    Examples
    --------
    >>> holm_once([0.01, 0.01, 0.04, math.nan], ["a", "a", "b", "c"])
    [0.02, 0.02, 0.04, nan]
    """
    known = {key: p for key, p in zip(same, p_values, strict=True) if not math.isnan(p)}
    adjusted = dict(zip(known, holm(list(known.values())), strict=True))
    return [
        math.nan if math.isnan(p) else adjusted[key] for key, p in zip(same, p_values, strict=True)
    ]


def _row(
    rates: _Rates, group: GroupCells, other: Counterpart, enough: int, tolerance: float | None
) -> GroupParity:
    gaps = {}
    for measure in MEASURES:
        mine, theirs = (rates.share(measure, cells) for cells in (group.cells, other.cells))
        sure = min(mine.size, theirs.size) >= enough
        p_value = math.nan
        if sure:
            p_value = difference_p_value(mine.hits, mine.size, theirs.hits, theirs.size)
        gaps[measure] = Gap(mine, theirs, sure, p_value, tolerance=tolerance)
    both = [gaps[measure].p_value for measure in ("hits", "false alarms")]
    p_value = math.nan if any(map(math.isnan, both)) else min(1.0, 2 * min(both))
    return GroupParity(group.columns, group.groups, group.size, other.title, gaps, p_value)


class _Rates:
    """The three rates of any cells."""

    def __init__(self, tally: Tally, given: Ints, outcome: int) -> None:
        known = (given >= 0) & (tally.truth >= 0)
        called, true = given == outcome, tally.truth == outcome
        self._tally = tally
        self._parts: dict[Measure, tuple[Bools, Bools]] = {
            "precision": (true, known & called),
            "hits": (called, known & true),
            "false alarms": (called, known & ~true),
        }

    def share(self, measure: Measure, cells: Bools) -> Share:
        hits, among = self._parts[measure]
        records = self._tally.records
        return Share(records(hits & among & cells), records(among & cells))
