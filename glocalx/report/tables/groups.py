"""Every group in figures, and whom a rule covers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from glocalx.audit import Audit
from glocalx.audit.comparison import BAND, NOT_COMPARED, GroupComparison, Share
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

    def compared(group: Subgroup) -> GroupComparison:
        return group.answers[answerer].comparison or NOT_COMPARED

    def band(group: Subgroup) -> str:
        return (compared(group).band if compared(group).enough else None) or ""

    cells: dict[TableColumn, Callable[[Subgroup], Value]] = {
        TableColumn("Column"): lambda group: audit.title(group.columns),
        TableColumn("Group"): lambda group: group.title,
        TableColumn("Records", "count"): lambda group: group.size,
        TableColumn(
            "Called", "share", outcome[:24], help=f"Share of the group {called}".rstrip()
        ): lambda group: group.answers[answerer].selected,
        TableColumn(
            "Difference",
            "points",
            "Difference, in points",
            f"In points, group minus {audit.settings.whom}, with its 95 % interval.",
        ): lambda group: compared(group).difference,
        TableColumn(
            "Verdict",
            title="What may be said",
            help="After Holm’s correction for all groups. “Compared with”: the others are compared "
            "with this group.",
        ): lambda group: compared(group).verdict,
        TableColumn("p", "p", "Corrected p"): lambda group: compared(group).adjusted,
        TableColumn(
            "Ratio", "number", help=f"The group’s share of {outcome} divided by that of the others."
        ): lambda group: compared(group).ratio,
        TableColumn(
            "Favourable ratio",
            "number",
            help="The same for the favourable outcome, of which the four-fifths rule speaks.",
        ): lambda group: compared(group).favourable,
        TableColumn(
            "Band",
            title="Four-fifths",
            help=f"Within: the ratio for the favourable outcome lies between {low:g} and {high:g}.",
        ): band,
        TableColumn(
            "Found",
            "share",
            "Hits",
            f"Of those for whom {outcome} is true, the share that gets it.",
        ): lambda group: group.answers[answerer].true_positive,
        TableColumn(
            "Wrongly",
            "share",
            "False alarms",
            f"Of those for whom {outcome} is not true, the share that gets it all the same.",
        ): lambda group: group.answers[answerer].false_positive,
        TableColumn(
            "Fidelity", "share", "Rules and black box agree", "Where both give the same answer."
        ): lambda group: group.fidelity,
        TableColumn(
            "Fidelity difference",
            "points",
            "… minus the others, in points",
            "In points. Below 0: explained less well.",
        ): lambda group: group.fidelity_difference,
    }
    groups = audit.subgroups.subgroups
    return DataTable.of("Every group in figures", groups, cells, heading="Column")


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
    return group_table(audit, outcome, answerer).where("Records", bool)


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
    several = {audit.title(columns) for columns in audit.settings.column_sets if len(columns) > 1}
    return table.where(table.heading, lambda title: (title in several) != alone)


def of_large_groups(table: DataTable, audit: Audit) -> DataTable:
    """Without the groups of which too few records say nothing; a table without sizes as it is."""
    if "Records" not in table.places:
        return table
    enough = audit.settings.enough
    return table.where("Records", lambda size: not isinstance(size, int) or size >= enough)
