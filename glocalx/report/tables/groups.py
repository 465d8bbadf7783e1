"""Every group in figures, and whom a rule covers."""

from __future__ import annotations

import math

from glocalx.audit import Audit
from glocalx.audit.comparison import BAND, Share
from glocalx.audit.grouping import find_groups
from glocalx.audit.intervals import UNDEFINED
from glocalx.audit.subgroups import Answerer, Subgroup
from glocalx.report.data_table import DataTable, TableColumn, Value


def group_table(audit: Audit, outcome: str, answerer: Answerer) -> DataTable:
    """Every group as one answerer treats it; `outcome` as people say it."""
    low, high = BAND
    called = "in the data" if answerer == "truth" else ""
    columns = (
        TableColumn("Column"),
        TableColumn("Group"),
        TableColumn("Records", "count"),
        TableColumn("Called", "share", outcome[:24], help=f"Share of the group {called}".rstrip()),
        TableColumn(
            "Difference",
            "points",
            "Difference, in points",
            f"In points, group minus {audit.settings.whom}, with its 95 % interval.",
        ),
        TableColumn(
            "Verdict",
            title="What may be said",
            help="After Holm’s correction for all groups. “Compared with”: the others are compared "
            "with this group.",
        ),
        TableColumn("p", "p", "Corrected p"),
        TableColumn("Ratio", "number", help="The group’s share divided by that of the others."),
        TableColumn(
            "Band",
            title="Four-fifths",
            help=f"Within: the ratio lies between {low:g} and {high:g}.",
        ),
        TableColumn(
            "Found",
            "share",
            "Hits",
            f"Of those for whom {outcome} is true, the share that gets it.",
        ),
        TableColumn(
            "Wrongly",
            "share",
            "False alarms",
            f"Of those for whom {outcome} is not true, the share that gets it all the same.",
        ),
        TableColumn(
            "Fidelity", "share", "Rules and black box agree", "Where both give the same answer."
        ),
        TableColumn(
            "Fidelity difference",
            "points",
            "… minus the others, in points",
            "In points. Below 0: explained less well.",
        ),
    )
    rows = tuple(_group_row(audit, group, answerer) for group in audit.subgroups.subgroups)
    return DataTable("Every group in figures", columns, rows, heading="Column")


def _group_row(audit: Audit, group: Subgroup, answerer: Answerer) -> tuple[Value, ...]:
    answers = group.answers.get(answerer)
    comparison = answers.comparison if answers else None
    return (
        audit.title(group.columns),
        group.title,
        group.size,
        answers.selected if answers else UNDEFINED,
        comparison.difference if comparison else UNDEFINED,
        comparison.verdict if comparison else "compared with",
        comparison.adjusted if comparison else math.nan,
        comparison.ratio if comparison else UNDEFINED,
        (comparison.band if comparison and comparison.enough else None) or "",
        answers.true_positive if answers else UNDEFINED,
        answers.false_positive if answers else UNDEFINED,
        group.fidelity,
        group.fidelity_difference,
    )


def covered_table(audit: Audit, place: int) -> DataTable:
    """Share of each group among the records that a rule covers, and among all others."""
    tally = audit.tally
    covered = tally.covers[:, place]
    inside, outside = tally.records(covered), tally.records(~covered)
    columns = (
        TableColumn("Column"),
        TableColumn("Group"),
        TableColumn("Covered", "share"),
        TableColumn("Everyone else", "share"),
        TableColumn(
            "Difference",
            "points",
            help="Covered minus everyone else, in points, with its 95 % interval.",
        ),
    )
    rows = []
    for column in audit.settings.by:
        for group in find_groups(tally, [column]):
            mine = Share(tally.records(covered & group.cells), inside)
            others = Share(tally.records(~covered & group.cells), outside)
            name = audit.titles[column]
            rows.append((name, group.title, mine.rate(), others.rate(), mine.minus(others)))
    caption = "Share of each group among the covered records and among all others"
    return DataTable(caption, columns, tuple(rows), heading="Column")
