"""A difference given legitimate factors: the same comparison among records that are alike in them.

Records are sorted into strata by the factors. Within each, both groups are compared; the
differences are weighted by how many records of both the stratum holds (direct standardisation).
Where the difference turns round once like is compared with like, that is Simpson's reversal.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

from glocalx.audit.audit import Audit
from glocalx.audit.axis import check_number_of_groups
from glocalx.audit.comparison import JudgedGroup, Share, corrected_groups
from glocalx.audit.grouping import NamedGroup, compared_groups, same_records
from glocalx.audit.intervals import LEVEL, UNDEFINED, Estimate
from glocalx.audit.settings import Answerer
from glocalx.audit.source import Source
from glocalx.audit.subgroups import answers_of
from glocalx.audit.tally import Bools, Tally

Pair = tuple[Share, Share]


@dataclass(frozen=True, slots=True, kw_only=True)
class Standardised(JudgedGroup):
    """One group beside others, before and after like is compared with like.

    Tested is, after Cochran, Mantel and Haenszel, that the groups differ within strata.

    Parameters
    ----------
    crude
        The difference among all records.
    given
        The same within strata, weighted by their records; undefined where no stratum holds both.
    strata, compared
        How many strata hold both groups, and how many records these hold.
    total
        Records of both groups.
    """

    against: str
    crude: Estimate
    given: Estimate
    strata: int
    compared: int
    total: int

    @property
    def is_reversed(self) -> bool:
        """Simpson's reversal: one sign among all, the other given the factors.

        Only where both are more than chance: near 0, signs change for nothing.
        """
        turned = self.crude.value * self.given.value < 0
        return turned and not self.crude.holds(0) and self.verdict == "different"

    @property
    def said(self) -> str:
        """The verdict, and whether the difference turned round."""
        return f"{self.verdict}; reversed" if self.is_reversed else self.verdict


@dataclass(frozen=True, slots=True)
class StratifiedTable:
    """Every group given the factors, as one answerer treats it."""

    factors: tuple[str, ...]
    answerer: Answerer
    rows: tuple[Standardised, ...]


def stratified_table(
    source: Source, audit: Audit, factors: Sequence[str], answerer: Answerer
) -> StratifiedTable:
    """Compare the groups of an audit once more, within strata; one more pass over the records.

    `factors`: the columns that may rightly make a difference; numbers are banded as everywhere.
    """
    settings = audit.settings
    added = [source.axis(name, settings.bands.get(name)) for name in factors]
    known = [axis for axis in audit.axes if axis.name not in factors]
    check_number_of_groups(added)
    tally = source.tally(audit.theory.rules, [*known, *added])
    by = [columns for columns in settings.column_sets if not set(columns) & set(factors)]
    pairs = [
        (group, other)
        for group, other in compared_groups(tally, by, settings.against)
        if other is not None and group.size and other.size
    ]
    strata = list(_strata(tally, len(added)))
    given = answers_of(tally, audit.theory.default)[answerer]
    hits, answered = given == tally.outcomes.index(settings.outcome), given >= 0
    rows = []
    for group, other in pairs:
        mine, theirs = answered & group.cells, answered & other.cells
        shares = [
            (Share.of(tally, hits, mine & cells), Share.of(tally, hits, theirs & cells))
            for cells in [tally.everyone, *strata]
        ]
        rows.append(standardised(group, other.title, shares[0], shares[1:], settings.enough))
    made = corrected_groups(rows, [same_records(*pair) for pair in pairs])
    return StratifiedTable(tuple(factors), answerer, made)


def _strata(tally: Tally, columns: int) -> Iterator[Bools]:
    codes = tally.groups[:, tally.groups.shape[1] - columns :]
    for stratum in np.unique(codes, axis=0):
        yield np.asarray((codes == stratum).all(axis=1))


def standardised(
    group: NamedGroup, against: str, crude: Pair, strata: Sequence[Pair], enough: int
) -> Standardised:
    """The difference of two groups among all, and within strata.

    The interval is normal, with variances from shares moved towards one half (one hit and one miss
    are added), so that a stratum without hits does not count as certain.
    """
    both = [(mine, theirs) for mine, theirs in strata if mine.size and theirs.size]
    sizes = [mine.size + theirs.size for mine, theirs in both]
    compared, total = sum(sizes), crude[0].size + crude[1].size
    given = UNDEFINED
    if compared:
        weights = [size / compared for size in sizes]
        differences = [m.hits / m.size - t.hits / t.size for m, t in both]
        value = math.fsum(w * d for w, d in zip(weights, differences, strict=True))
        spread = math.sqrt(
            math.fsum(
                w**2 * (_variance(mine) + _variance(theirs))
                for w, (mine, theirs) in zip(weights, both, strict=True)
            )
        )
        half = float(stats.norm.ppf((1 + LEVEL) / 2)) * spread
        given = Estimate(value, max(-1.0, value - half), min(1.0, value + half))
    sure = min(sum(pair[side].size for pair in both) for side in (0, 1)) >= enough
    p_value = common_difference_p_value(both) if sure else math.nan
    return Standardised(
        *group.named,
        against=against,
        crude=crude[0].minus(crude[1]),
        given=given,
        strata=len(both),
        compared=compared,
        total=total,
        p_value=p_value,
    )


def _variance(share: Share) -> float:
    moved = (share.hits + 1) / (share.size + 2)
    return moved * (1 - moved) / share.size


def common_difference_p_value(strata: Sequence[Pair]) -> float:
    """The test of Cochran, Mantel and Haenszel, without correction for continuity.

    NaN where no stratum can tell.
    """
    away = spread = 0.0
    for mine, theirs in strata:
        size, hits = mine.size + theirs.size, mine.hits + theirs.hits
        if size < 2:
            continue
        away += mine.hits - mine.size * hits / size
        spread += mine.size * theirs.size * hits * (size - hits) / (size**2 * (size - 1))
    return float(stats.chi2.sf(away**2 / spread, 1)) if spread > 0 else math.nan
