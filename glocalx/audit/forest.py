"""The lines of a forest plot: each group beside those that it is compared with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from glocalx.audit.audit import Audit
from glocalx.audit.comparison import NOT_COMPARED, GroupComparison
from glocalx.audit.intervals import Estimate
from glocalx.audit.settings import Answerer
from glocalx.audit.subgroups import SubgroupTable


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

    `titles`: how people call the columns.
    """
    named = titles or {}
    rows = []
    for group in table.subgroups:
        answers = group.answers[answerer]
        title = " × ".join(named.get(column, column) for column in group.columns), group.title
        rows.append(_row(title, answers.known, answers.selected, answers.comparison, table.enough))
    return tuple(rows)


def fidelity_rows(audit: Audit) -> tuple[ForestRow, ...]:
    """The groups of each column, with agreement of rules and black box in place of the outcome."""
    rows = []
    for group in audit.subgroups.subgroups:
        if len(group.columns) == 1:
            known = sum(share.size for share in group.found.values())
            title = audit.title(group.columns), group.title
            enough = audit.settings.enough
            rows.append(_row(title, known, group.fidelity, group.agreement, enough))
    return tuple(rows)


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
