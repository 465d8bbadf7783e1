"""The lines of a forest plot: each group beside those that it is compared with."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from glocalx.audit.audit import Audit
from glocalx.audit.comparison import SIGNIFICANT, Share
from glocalx.audit.grouping import compared_groups
from glocalx.audit.intervals import UNDEFINED, Estimate, difference_p_value, holm
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
        answers = group.answers.get(answerer)
        if answers is None:
            continue
        comparison = answers.comparison
        rows.append(
            ForestRow(
                " × ".join(named.get(column, column) for column in group.columns),
                group.title,
                answers.known,
                answers.selected.value,
                comparison.difference if comparison else UNDEFINED,
                comparison.enough if comparison else answers.known >= table.enough,
                comparison is not None and comparison.verdict == "different",
            )
        )
    return tuple(rows)


def fidelity_rows(audit: Audit) -> tuple[ForestRow, ...]:
    """The groups of each column, with agreement of rules and black box in place of the outcome."""
    tally, settings = audit.tally, audit.settings
    labelled = tally.black_box >= 0
    agreed = tally.outcomes_of(tally.deciding(), audit.theory.default) == tally.black_box

    def agreement(cells: Bools) -> Share:
        among = labelled & cells
        return Share(tally.records(agreed & among), tally.records(among))

    alone = [(column,) for column in settings.by]
    pairs = [
        (group, agreement(group.cells), agreement(other.cells) if other else None)
        for group, other in compared_groups(tally, alone, settings.against)
    ]
    sure = [min(mine.size, (other or mine).size) >= settings.enough for _, mine, other in pairs]
    p_values = [
        difference_p_value(mine.hits, mine.size, other.hits, other.size)
        if other is not None and enough
        else math.nan
        for (_, mine, other), enough in zip(pairs, sure, strict=True)
    ]
    return tuple(
        ForestRow(
            audit.title(group.columns),
            group.title,
            mine.size,
            mine.rate().value,
            mine.minus(other) if other is not None else UNDEFINED,
            enough,
            p_value <= SIGNIFICANT,
        )
        for (group, mine, other), enough, p_value in zip(pairs, sure, holm(p_values), strict=True)
    )
