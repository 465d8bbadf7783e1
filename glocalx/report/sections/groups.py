"""Whom the outcome falls on: every group by rules, black box and truth."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from glocalx.audit import Audit
from glocalx.audit.comparison import BAND, GroupComparison
from glocalx.audit.subgroups import Answerer, Subgroup
from glocalx.report.blocks import (
    Block,
    Bullets,
    DotFigure,
    Paragraph,
    ReportSection,
    Strong,
    Subheading,
)
from glocalx.report.data_table import DataTable, TableColumn
from glocalx.report.marks import DotRow
from glocalx.report.report import ReportContent
from glocalx.report.sections.limits import CAVEAT
from glocalx.report.tables.groups import group_table
from glocalx.words.figures import in_points, paper_percent, points_interval
from glocalx.words.phrases import counted, listing

CALLED: dict[Answerer, str] = {
    "theory": "the rules",
    "black box": "the black box",
    "truth": "the data",
}
MOST_DRAWN = 40


def groups(content: ReportContent) -> ReportSection | None:
    if content.audit is None:
        return None
    title = f"Who is called {content.asked}"
    return ReportSection.of("groups", title, _blocks(content, content.audit))


def _blocks(content: ReportContent, audit: Audit) -> Iterator[Block | None]:
    low, high = BAND
    yield Paragraph(
        f"Each group is compared with {_against(audit)}. A difference is one share minus the "
        "other, in points, with Newcombe’s 95 % interval; a ratio is one divided by the other, "
        f"with Katz’s. Ratios between {low:g} and {high:g} are what the four-fifths rule of "
        "American labour law lets pass; it is a rule of thumb and no proof of anything."
    )
    yield Paragraph((Strong(CAVEAT),))
    yield _forest(content, audit)
    for answerer in audit.subgroups.compared:
        yield _comparisons(content, audit, answerer)
    yield from _errors(content, audit)
    absent = [group.title for group in audit.subgroups.subgroups if not group.size]
    if absent:
        yield Paragraph(
            f"{counted(len(absent), 'group')} that nobody is in: {listing(absent, 6)}. Their lines "
            "in subgroups.csv have no rates.",
            "quiet",
        )
    if audit.notes:
        yield Subheading("Notes on these records")
        yield Bullets(audit.notes)


def _against(audit: Audit) -> str:
    against = audit.settings.against
    if isinstance(against, str):
        return audit.settings.whom
    named = " and ".join(f"“{group}” of “{column}”" for column, group in against.items())
    rest = any(column not in against for column in audit.settings.by)
    return f"the group {named}" + (", groups of other columns with everyone else" if rest else "")


def _forest(content: ReportContent, audit: Audit) -> DotFigure | None:
    present = [group for group in audit.subgroups.subgroups if group.size]
    compared = [group for group in present if _comparison(group, "theory")]
    single = [group for group in compared if len(group.columns) == 1]
    drawn_from = single or compared
    chosen = _furthest(drawn_from)
    if not chosen:
        return None
    rows, ends = _rows(audit, chosen), [0.0]
    for row in rows:
        if not isinstance(row, str):
            ends += [row.value, row.low, row.high] if row.sure else [row.value]
    legend = [
        _shades(audit.subgroups.compared["theory"]),
        f"○ fewer than {audit.settings.enough:,} records on one side: not enough evidence; what "
        "is off the scale is cut",
    ]
    if "black box" in audit.subgroups.compared:
        legend.append("◇ the black box")
    return DotFigure(
        f"How much more or less often a group is called {content.asked}, in points",
        tuple(rows),
        tuple(ends),
        "points",
        zero=0.0,
        legend=tuple(legend),
        note=_not_drawn(len(drawn_from) - len(chosen), len(compared) - len(drawn_from)),
    )


def _furthest(groups: Sequence[Subgroup]) -> list[Subgroup]:
    """As many groups as can be drawn: those with enough records and the largest differences."""

    def rank(group: Subgroup) -> tuple[bool, float]:
        comparison = _comparison(group, "theory")
        assert comparison is not None  # only such groups are drawn
        size = abs(comparison.difference.value)
        return not comparison.enough, 1.0 if math.isnan(size) else -size

    kept = {id(group) for group in sorted(groups, key=rank)[:MOST_DRAWN]}
    return [group for group in groups if id(group) in kept]


def _shades(compared: int) -> str:
    dot = "● the rules, with 95 % interval"
    if compared < 2:
        return f"{dot}; grey: it may be chance"
    return (
        f"{dot}; dark: it differs, also when corrected for {compared:,} comparisons at once; "
        "grey: it may be chance"
    )


def _not_drawn(groups: int, combinations: int) -> str:
    """A word on the groups that the figure does not show, and where they are."""
    said = []
    if groups:
        said.append(
            f"{counted(groups, 'more group')} {'is' if groups == 1 else 'are'} not drawn: those "
            f"with few records, or with smaller differences than the {MOST_DRAWN} here."
        )
    if combinations:
        are = "is" if combinations == 1 else "are"
        said.append(f"{counted(combinations, 'combination')} of columns {are} not drawn.")
    if said:
        said.append("All are in subgroups.csv, and in the tables below as far as these go.")
    return " ".join(said)


def _rows(audit: Audit, chosen: Sequence[Subgroup]) -> list[DotRow | str]:
    rows: list[DotRow | str] = []
    columns: tuple[str, ...] = ()
    for group in chosen:
        if group.columns != columns:
            columns = group.columns
            rows.append(audit.title(columns))
        rows.append(_row(group))
    return rows


def _row(group: Subgroup) -> DotRow:
    answers = group.answers["theory"]
    comparison = answers.comparison
    assert comparison is not None  # only such groups are drawn
    difference = comparison.difference
    box = _comparison(group, "black box")
    end = f"{paper_percent(answers.selected.value)} of {answers.known:,}"
    says = f"{group.title}: {end}, {in_points(difference.value)} points against"
    says += f" {comparison.against}"
    says += f", interval {points_interval(difference)}." if comparison.enough else "; too few."
    return DotRow(
        group.title,
        difference.value,
        difference.low,
        difference.high,
        says,
        end,
        sure=comparison.enough,
        strong=comparison.verdict == "different" and not difference.holds(0),
        beside=box.difference.value if box else math.nan,
    )


def _comparison(group: Subgroup, answerer: Answerer) -> GroupComparison | None:
    answers = group.answers.get(answerer)
    return answers.comparison if answers else None


def _present(table: DataTable) -> DataTable:
    """Without the groups that nobody is in."""
    place = [column.name for column in table.columns].index("Records")
    return replace(table, rows=tuple(row for row in table.rows if row[place]))


def _comparisons(content: ReportContent, audit: Audit, answerer: Answerer) -> DataTable:
    title = f"Called {content.asked} by {CALLED[answerer]}"
    if answerer == "truth":
        title = f"{content.asked} in the data: the true labels"
    shown = ("Column", "Group", "Records", "Called", "Difference", "Ratio", "Band", "p", "Verdict")
    return _present(group_table(audit, content.asked, answerer)).only(*shown, caption=title)


def _errors(content: ReportContent, audit: Audit) -> Iterator[Block]:
    """Hits, false alarms and agreement in each group."""
    compared = audit.subgroups.compared
    known: list[Answerer] = [name for name in CALLED if name in compared and name != "truth"]
    if "truth" not in compared and "black box" not in known:
        return
    title = "Mistakes and agreement in each group"
    yield Subheading(title)
    yield Paragraph(
        f"Hits (true positive rate): of those who are {content.asked} in truth, the share "
        "that is called so. False alarms (false positive rate): of those who are not, the share "
        "that is. Where the rules agree with the black box less often than elsewhere, they explain "
        "it worse for that group."
    )
    names = ["Column", "Group", "Records"]
    rates = ["Found", "Wrongly"] if "truth" in compared else []
    agreement = ["Fidelity", "Fidelity difference"] if "black box" in known else []
    whole = {name: _present(group_table(audit, content.asked, name)) for name in known}
    parts = [whole["theory"].only(*names)]
    parts += [_by(whole[name].only(rate), name) for rate in rates for name in known]
    yield _beside(f"{title}, in shares", [*parts, whole["theory"].only(*agreement)])


def _by(table: DataTable, answerer: Answerer) -> DataTable:
    """A table that says under each head whose answers these are."""
    heads: tuple[TableColumn, ...] = tuple(
        replace(column, below=CALLED[answerer]) for column in table.columns
    )
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
