"""Whom the outcome falls on: every group by rules, black box and truth."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from glocalx.audit import Audit
from glocalx.audit.comparison import BAND, GroupComparison
from glocalx.audit.subgroups import Answerer, GroupAnswers, Subgroup
from glocalx.plots.scale import Scale
from glocalx.report.content import ReportContent
from glocalx.report.elements import Child, Markup, element
from glocalx.report.marks import DotRow, dot_figure
from glocalx.report.sections.section import CAVEAT, Section, bullets, paragraph
from glocalx.report.tables import (
    Column,
    Heading,
    Row,
    number_cell,
    points_cell,
    share_cell,
    small,
    table,
)
from glocalx.words.figures import in_points, p_value, paper_percent, points_interval
from glocalx.words.phrases import counted, listing

CALLED = {"theory": "the rules", "black box": "the black box", "truth": "the data"}
MOST_DRAWN = 40


def groups(content: ReportContent) -> Section | None:
    audit = content.audit
    if audit is None:
        return None
    answerers = list(audit.subgroups.compared)
    low, high = BAND
    body = [
        paragraph(
            f"Each group is compared with {_against(audit)}. A difference is one share minus the "
            "other, in points, with Newcombe’s 95 % interval; a ratio is one divided by the other, "
            f"with Katz’s. Ratios between {low:g} and {high:g} are what the four-fifths rule of "
            "American labour law lets pass; it is a rule of thumb and no proof of anything."
        ),
        paragraph(element("b", CAVEAT)),
        _forest(content, audit),
        [_comparisons(content, audit, answerer) for answerer in answerers],
        _errors(content, audit),
        _left_out(audit),
        element("h3", "Notes on these records") if audit.notes else None,
        bullets(audit.notes),
    ]
    return Section("groups", f"Who is called {content.asked}", body)


def _against(audit: Audit) -> str:
    against = audit.settings.against
    if isinstance(against, str):
        return {"everyone else": "everyone else"}.get(against, "the largest group")
    named = " and ".join(f"“{group}” of “{column}”" for column, group in against.items())
    rest = any(column not in against for column in audit.settings.by)
    return f"the group {named}" + (", groups of other columns with everyone else" if rest else "")


def _forest(content: ReportContent, audit: Audit) -> Markup | None:
    compared = [group for group in _present(audit) if _comparison(group, "theory")]
    single = [group for group in compared if len(group.columns) == 1]
    chosen = _furthest(single or compared)
    if not chosen:
        return None
    rows, ends = _rows(audit, chosen), [0.0]
    for row in rows:
        if not isinstance(row, str):
            ends += [row.value, row.low, row.high] if row.sure else [row.value]
    scale, ticks = Scale.over(ends)
    figure = dot_figure(rows, scale, {tick: in_points(tick, 0) for tick in ticks}, zero=0.0)
    legend = [
        _shades(audit.subgroups.compared["theory"]),
        f"○ fewer than {audit.settings.enough:,} records on one side: not enough evidence; what "
        "is off the scale is cut",
    ]
    if "black box" in audit.subgroups.compared:
        legend.append("◇ the black box")
    title = f"How much more or less often a group is called {content.asked}, in points"
    items = element("ul", [element("li", each) for each in legend], class_="legend")
    drawn_from = single or compared
    left_out = _not_drawn(len(drawn_from) - len(chosen), len(compared) - len(drawn_from))
    return element("figure", element("figcaption", title), items, figure, left_out)


def _furthest(groups: Sequence[Subgroup]) -> list[Subgroup]:
    """As many groups as can be drawn: those with enough records and the largest differences."""

    def rank(group: Subgroup) -> tuple[bool, float]:
        comparison = _comparison(group, "theory")
        assert comparison is not None  # only such groups are drawn
        size = abs(comparison.difference.value)
        return not comparison.enough, -size if size == size else 1.0

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


def _not_drawn(groups: int, combinations: int) -> Markup | None:
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
    if not said:
        return None
    said.append("All are in subgroups.csv, and in the tables below as far as these go.")
    return paragraph(" ".join(said), class_="quiet-text")


def _rows(audit: Audit, chosen: Sequence[Subgroup]) -> list[DotRow | str]:
    rows: list[DotRow | str] = []
    columns: tuple[str, ...] = ()
    for group in chosen:
        if group.columns != columns:
            columns = group.columns
            rows.append(column_title(audit, columns))
        rows.append(_row(group))
    return rows


def _row(group: Subgroup) -> DotRow:
    answers = group.answers["theory"]
    comparison = answers.comparison
    assert comparison is not None  # only such groups are drawn
    difference = comparison.difference
    box = _comparison(group, "black box")
    end = f"{paper_percent(answers.selected.value)} of {answers.known:,}"
    says = (
        f"{group.title}: {end}, {in_points(difference.value)} points against {comparison.against}"
    )
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


def column_title(audit: Audit, columns: Sequence[str]) -> str:
    """How people call the columns that make groups."""
    titles = {axis.name: axis.title for axis in audit.axes}
    return " × ".join(titles[column] for column in columns)


def _present(audit: Audit) -> list[Subgroup]:
    return [group for group in audit.subgroups.subgroups if group.size]


def _comparison(group: Subgroup, answerer: Answerer) -> GroupComparison | None:
    answers = group.answers.get(answerer)
    return answers.comparison if answers else None


def _comparisons(content: ReportContent, audit: Audit, answerer: Answerer) -> Markup:
    columns = [
        Column("Group", "text"),
        Column("Records"),
        Column("Share"),
        Column("Difference, in points"),
        Column("Ratio"),
        Column("Corrected p"),
        Column("What may be said", "text"),
    ]
    rows: list[Row | Heading] = []
    for heading, group in _headed(audit):
        if heading:
            rows.append(heading)
        if answerer in group.answers:
            rows.append([group.title, f"{group.size:,}", *_judged(group.answers[answerer])])
    title = f"Called {content.asked} by {CALLED[answerer]}"
    if answerer == "truth":
        title = f"{content.asked} in the data: the true labels"
    return table(title, columns, rows)


def _judged(answers: GroupAnswers) -> list[Child]:
    comparison = answers.comparison
    share = share_cell(answers.selected)
    if comparison is None:
        return [share, "–", "–", "–", "others are compared with this group"]
    band = comparison.band
    note = f"{band} the band" if band and comparison.enough else None
    return [
        share,
        points_cell(comparison.difference),
        [number_cell(comparison.ratio), small(note)],
        p_value(comparison.adjusted),
        element("b", "different") if comparison.verdict == "different" else comparison.verdict,
    ]


def _headed(audit: Audit) -> Iterator[tuple[Heading | None, Subgroup]]:
    """The groups that occur, with a heading where other columns begin."""
    columns: tuple[str, ...] = ()
    for group in _present(audit):
        yield (
            Heading(column_title(audit, group.columns)) if group.columns != columns else None,
            group,
        )
        columns = group.columns


def _errors(content: ReportContent, audit: Audit) -> Child:
    """Hits, false alarms and agreement in each group."""
    known = [name for name in ("theory", "black box") if name in audit.subgroups.compared]
    if "truth" not in audit.subgroups.compared and "black box" not in known:
        return None
    columns = [Column("Group", "text"), Column("Records")]
    if "truth" in audit.subgroups.compared:
        for rate in ("Hits", "False alarms"):
            columns += [Column([rate, small(CALLED[name])]) for name in known]
    if "black box" in known:
        columns += [Column("Rules and black box agree"), Column("… minus the others, in points")]
    rows: list[Row | Heading] = []
    for heading, group in _headed(audit):
        if heading:
            rows.append(heading)
        rows.append([group.title, f"{group.size:,}", *_rates(audit, group, known)])
    told = paragraph(
        f"Hits (true positive rate): of those who are {content.asked} in truth, the share "
        "that is called so. False alarms (false positive rate): of those who are not, the share "
        "that is. Where the rules agree with the black box less often than elsewhere, they explain "
        "it worse for that group.",
    )
    title = "Mistakes and agreement in each group"
    return [element("h3", title), told, table(f"{title}, in shares", columns, rows)]


def _rates(audit: Audit, group: Subgroup, known: Sequence[str]) -> list[Child]:
    cells: list[Child] = []
    answers = [each for name, each in group.answers.items() if name in known]
    if "truth" in audit.subgroups.compared:
        cells += [share_cell(each.true_positive) for each in answers]
        cells += [share_cell(each.false_positive) for each in answers]
    if "black box" in known:
        cells += [share_cell(group.fidelity), points_cell(group.fidelity_difference)]
    return cells


def _left_out(audit: Audit) -> Child:
    """Groups that the tables do not show."""
    absent = [group.title for group in audit.subgroups.subgroups if not group.size]
    if not absent:
        return None
    told = (
        f"{counted(len(absent), 'group')} that nobody is in: {listing(absent, 6)}. Their lines in "
        "subgroups.csv have no rates."
    )
    return paragraph(told, class_="quiet-text")
