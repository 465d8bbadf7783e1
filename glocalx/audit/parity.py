"""Who is wronged: precision, hits and false alarms of each group beside those of others.

Three things that auditors of classifiers ask. Precision parity: of those who are called so, as many
are it in each group. Equal hits: of those who are it, as many are called so. Equalized odds: hits
and false alarms are both equal. All need the true outcome.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, get_args

from glocalx.audit.audit import Audit
from glocalx.audit.comparison import (
    GroupComparison,
    GroupVerdict,
    JudgedGroup,
    compared_shares,
    corrected,
    corrected_groups,
    holm_once,
    verdict_of,
)
from glocalx.audit.grouping import GroupCells, compared_groups, same_records
from glocalx.audit.settings import Answerer
from glocalx.audit.subgroups import known_answers
from glocalx.audit.tally import Bools, Ints, Tally

Measure: TypeAlias = Literal["precision", "hits", "false alarms"]
MEASURES: tuple[Measure, ...] = get_args(Measure)
ODDS: tuple[Measure, ...] = ("hits", "false alarms")


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupParity(JudgedGroup):
    """All rates of one group beside those of others.

    Tested is that hits or false alarms differ: twice the smaller of their p-values counts.

    Parameters
    ----------
    against
        Whom with.
    gaps
        By measure.
    within
        Of the test that both are smaller than the tolerance: the larger of their p-values, after
        Holm's correction for all groups; NaN without a tolerance.
    """

    size: int
    against: str
    gaps: Mapping[Measure, GroupComparison]
    within: float

    @property
    def verdict(self) -> GroupVerdict:
        """What may be said of hits and false alarms together, that is, of equalized odds."""
        return verdict_of(self.adjusted, self.within)


@dataclass(frozen=True, slots=True)
class ParityTable:
    """What one answerer does to each group.

    `compared`: how many comparisons of hits and false alarms the correction counts.
    """

    answerer: Answerer
    rows: tuple[GroupParity, ...]
    compared: int


def parity_tables(audit: Audit) -> tuple[ParityTable, ...]:
    """Precision, hits and false alarms by rules and black box; none without the true outcome."""
    tally = audit.tally
    if not tally.has_truth:
        return ()
    given = known_answers(tally, audit.theory.default)
    return tuple(_table(audit, name, codes) for name, codes in given.items() if name != "truth")


def _table(audit: Audit, answerer: Answerer, given: Ints) -> ParityTable:
    settings, tally = audit.settings, audit.tally
    pairs = [
        (group, other)
        for group, other in compared_groups(tally, settings.column_sets, settings.against)
        if other is not None and group.size
    ]
    same = [same_records(*pair) for pair in pairs]
    gaps: dict[Measure, list[GroupComparison | None]] = {}
    parts = _parts(tally, given, tally.outcomes.index(settings.outcome))
    for name, (hits, among) in parts.items():
        alone = compared_shares(tally, pairs, hits, among, settings.enough, settings.tolerance)
        gaps[name], _ = corrected(alone, same)
    rows = [
        _row(group, other, {name: found for name in MEASURES if (found := gaps[name][place])})
        for place, (group, other) in enumerate(pairs)
    ]
    within = holm_once([row.within for row in rows], same)
    close = [replace(row, within=p) for row, p in zip(rows, within, strict=True)]
    made = corrected_groups(close, same)
    known = zip(same, made, strict=True)
    return ParityTable(answerer, made, len({k for k, row in known if row.adjusted == row.adjusted}))


def _row(
    group: GroupCells, other: GroupCells, gaps: Mapping[Measure, GroupComparison]
) -> GroupParity:
    differ = [gaps[name].p_value for name in ODDS]
    close = [gaps[name].equivalence for name in ODDS]
    return GroupParity(
        *group.named,
        size=group.size,
        against=other.title,
        gaps=gaps,
        within=math.nan if any(map(math.isnan, close)) else max(close),
        p_value=math.nan if any(map(math.isnan, differ)) else min(1.0, 2 * min(differ)),
    )


def _parts(tally: Tally, given: Ints, outcome: int) -> dict[Measure, tuple[Bools, Bools]]:
    """Of each rate the cells that are hits, and those among which they count."""
    known = (given >= 0) & (tally.truth >= 0)
    called, true = given == outcome, tally.truth == outcome
    return {
        "precision": (true, known & called),
        "hits": (called, known & true),
        "false alarms": (called, known & ~true),
    }
