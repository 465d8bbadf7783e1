"""The lines of a forest plot: each group beside those that it is compared with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from glocalx.audit.audit import Audit
from glocalx.audit.comparison import (
    NOT_COMPARED,
    GroupComparison,
    Rates,
    Share,
    compare,
    corrected,
)
from glocalx.audit.grouping import compared_groups, same_records
from glocalx.audit.intervals import Estimate
from glocalx.audit.subgroups import Answerer, SubgroupTable
from glocalx.audit.tally import Bools


@dataclass(frozen=True, slots=True)
class ForestRow:
    """One group beside those it is compared with.

    Parameters
    ----------
    section, group
        The column, and the group within it.
    size, share
        Records, and the share of them that gets the outcome.
    difference
        That share minus the other's; undefined for nobody and for the group that the others are
        compared with.
    enough
        Whether there are enough records to say anything.
    differs
        Whether the difference holds after correction for all that were compared.
    """

    section: str
    group: str
    size: int
    share: float
    difference: Estimate
    enough: bool
    differs: bool


def forest_rows(
    table: SubgroupTable, answerer: Answerer = "theory", titles: Mapping[str, str] | None = None
) -> tuple[ForestRow, ...]:
    """The groups of an audit as one answerer treats them.

    Parameters
    ----------
    titles
        How people call the columns.
    """
    named = titles or {}
    rows = []
    for group in table.subgroups:
        answers = group.answers[answerer]
        title = " × ".join(named.get(column, column) for column in group.columns), group.title
        rows.append(_row(title, answers.known, answers.selected, answers.comparison, table.enough))
    return tuple(rows)


def fidelity_rows(audit: Audit) -> tuple[tuple[ForestRow, ...], int]:
    """The groups of each column, with agreement of rules and black box in place of the outcome.

    And the number of comparisons that their correction counts.
    """
    tally, settings = audit.tally, audit.settings
    labelled = tally.black_box >= 0
    agreed = tally.outcomes_of(tally.deciding(), audit.theory.default) == tally.black_box

    def agreement(cells: Bools) -> Rates:
        among = labelled & cells
        return Rates(Share(tally.records(agreed & among), tally.records(among)))

    pairs = compared_groups(tally, [(column,) for column in settings.by], settings.against)
    mine = [agreement(group.cells) for group, _ in pairs]
    alone = [
        compare(other.title, rates, agreement(other.cells), settings.enough) if other else None
        for (_, other), rates in zip(pairs, mine, strict=True)
    ]
    comparisons, compared = corrected(alone, [same_records(*pair) for pair in pairs])
    rows = []
    for (group, _), rates, found in zip(pairs, mine, comparisons, strict=True):
        title, share = (audit.title(group.columns), group.title), rates.selected
        rows.append(_row(title, share.size, share.rate(), found, settings.enough))
    return tuple(rows), compared


def _row(
    title: tuple[str, str],
    size: int,
    share: Estimate,
    comparison: GroupComparison | None,
    enough: int,
) -> ForestRow:
    found = comparison or NOT_COMPARED
    sure = comparison.enough if comparison else size >= enough
    differs = found.verdict == "different"
    return ForestRow(*title, size, share.value, found.difference, sure, differs)
