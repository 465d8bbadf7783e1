"""Every group in figures, and whom a rule covers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from glocalx.audit import Audit
from glocalx.audit.comparison import BAND, NOT_COMPARED, Share
from glocalx.audit.grouping import find_groups
from glocalx.audit.settings import Answerer
from glocalx.audit.subgroups import Subgroup
from glocalx.report.data_table import DataTable, TableColumn, Value

CALLED: dict[Answerer, str] = {
    "theory": "the rules",
    "black box": "the black box",
    "truth": "the data",
}
HEADS: dict[Answerer, str] = {"theory": "Rules", "black box": "Black box", "truth": "Data"}


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
        TableColumn(
            "Ratio", "number", help=f"The group’s share of {outcome} divided by that of the others."
        ),
        TableColumn(
            "Favourable ratio",
            "number",
            help="The same for the favourable outcome, of which the four-fifths rule speaks.",
        ),
        TableColumn(
            "Band",
            title="Four-fifths",
            help=f"Within: the ratio for the favourable outcome lies between {low:g} and {high:g}.",
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
    answers = group.answers[answerer]
    comparison = answers.comparison or NOT_COMPARED
    return (
        audit.title(group.columns),
        group.title,
        group.size,
        answers.selected,
        comparison.difference,
        comparison.verdict,
        comparison.adjusted,
        comparison.ratio,
        comparison.favourable,
        (comparison.band if comparison.enough else None) or "",
        answers.true_positive,
        answers.false_positive,
        group.fidelity,
        group.fidelity_difference,
    )


def compared_table(audit: Audit, outcome: str, answerer: Answerer) -> DataTable:
    """The groups that somebody is in, as one answerer treats them beside others."""
    title = f"Called {outcome} by {CALLED[answerer]}"
    if answerer == "truth":
        title = f"{outcome} in the data: the true labels"
    known = audit.settings.favourable is not None
    ratios = ("Favourable ratio", "Band") if known else ("Ratio",)
    shown = ("Column", "Group", "Records", "Called", "Difference", *ratios, "p", "Verdict")
    return _present(audit, outcome, answerer).only(*shown, caption=title)


def side_by_side_table(audit: Audit, outcome: str) -> DataTable:
    """Each group's difference by rules, black box and data, and what rules find of the outcome."""
    compared = audit.subgroups.compared
    known: list[Answerer] = [name for name in CALLED if name in compared]
    whole = {name: _present(audit, outcome, name) for name in known}
    parts = [whole["theory"].only("Column", "Group", "Records")]
    for name in known:
        part = whole[name].only("Difference")
        title = HEADS[name]
        parts.append(replace(part, columns=(replace(part.columns[0], name=title, title=title),)))
    table = _beside(f"Called {outcome}: group minus others, in points", parts)
    if "black box" not in known:
        return table
    asked = audit.settings.outcome
    head = TableColumn(
        "Rules find",
        help=f"Of the group’s records that the black box calls {outcome}, those that the rules "
        "call so, too.",
    )
    groups = [group for group in audit.subgroups.subgroups if group.size]
    found = [f"{each.found[asked].hits:,} of {each.found[asked].size:,}" for each in groups]
    rows = tuple((*row, text) for row, text in zip(table.rows, found, strict=True))
    return replace(table, columns=(*table.columns, head), rows=rows)


def errors_table(audit: Audit, outcome: str) -> DataTable:
    """Hits, false alarms and agreement in each group that somebody is in."""
    compared = audit.subgroups.compared
    known: list[Answerer] = [name for name in CALLED if name in compared and name != "truth"]
    rates = ["Found", "Wrongly"] if "truth" in compared else []
    agreement = ["Fidelity", "Fidelity difference"] if "black box" in known else []
    whole = {name: _present(audit, outcome, name) for name in known}
    parts = [whole["theory"].only("Column", "Group", "Records")]
    parts += [_by(whole[name].only(rate), name) for rate in rates for name in known]
    title = "Mistakes and agreement in each group, in shares"
    return _beside(title, [*parts, whole["theory"].only(*agreement)])


def _present(audit: Audit, outcome: str, answerer: Answerer) -> DataTable:
    """Without the groups that nobody is in."""
    table = group_table(audit, outcome, answerer)
    place = [column.name for column in table.columns].index("Records")
    return replace(table, rows=tuple(row for row in table.rows if row[place]))


def _by(table: DataTable, answerer: Answerer) -> DataTable:
    """A table that says under each head whose answers these are."""
    heads = tuple(replace(column, below=CALLED[answerer]) for column in table.columns)
    return replace(table, columns=heads)


def _beside(caption: str, tables: Sequence[DataTable]) -> DataTable:
    """Tables of the same rows as one."""
    rows = zip(*(table.rows for table in tables), strict=True)
    return replace(
        tables[0],
        caption=caption,
        columns=tuple(column for table in tables for column in table.columns),
        rows=tuple(tuple(cell for part in row for cell in part) for row in rows),
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


def of_single_columns(table: DataTable, audit: Audit) -> DataTable:
    """The rows of groups of one column, those with enough records."""
    return of_large_groups(_of_columns(table, audit, alone=True), audit)


def of_combinations(table: DataTable, audit: Audit) -> DataTable:
    """The rows of groups of several columns."""
    kept = _of_columns(table, audit, alone=False)
    return replace(kept, caption=f"{table.caption}: columns together")


def _of_columns(table: DataTable, audit: Audit, *, alone: bool) -> DataTable:
    assert table.heading is not None
    place = [column.name for column in table.columns].index(table.heading)
    several = {audit.title(columns) for columns in audit.settings.column_sets if len(columns) > 1}
    kept = (row for row in table.rows if (row[place] in several) != alone)
    return replace(table, rows=tuple(kept))


def of_large_groups(table: DataTable, audit: Audit) -> DataTable:
    """Without the groups of which too few records say nothing; a table without sizes as it is."""
    names = [column.name for column in table.columns]
    if "Records" not in names:
        return table
    place = names.index("Records")
    kept = (row for row in table.rows if _size(row[place]) >= audit.settings.enough)
    return replace(table, rows=tuple(kept))


def _size(value: Value) -> float:
    return value if isinstance(value, int | float) else math.inf
