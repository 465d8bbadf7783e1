"""Which rules a group's outcome comes from, and what would be without them."""

from __future__ import annotations

import math
from collections.abc import Sequence

from glocalx.audit import Audit
from glocalx.audit.group_shares import leaning
from glocalx.audit.responsibility import Ablation, Disparity, Responsibility
from glocalx.plots.colours import SHADES
from glocalx.report.content import ReportContent
from glocalx.report.elements import Child, element
from glocalx.report.sections.groups import column_title
from glocalx.report.sections.section import Section, paragraph
from glocalx.report.tables import Cell, CellLike, Column, Heading, small, tables
from glocalx.words.figures import UNDEFINED, in_points, paper_percent
from glocalx.words.phrases import counted

Groups = dict[tuple[tuple[str, ...], tuple[str, ...]], list[Responsibility]]


def responsibility(content: ReportContent) -> Section | None:
    audit = content.audit
    if audit is None or not audit.responsibilities:
        return None
    body = [
        element("h3", "Which rule falls on whom"),
        _shares(content, audit),
        element("h3", "Without a rule, without a column"),
        _ablations(content, audit),
    ]
    return Section("responsible", "Which rules it comes from", body)


def _shares(content: ReportContent, audit: Audit) -> Child:
    """For each group the share that each rule calls so, shaded beside everyone's share."""
    groups = _by_group(audit)
    if not groups:
        return None
    deciders = [each.rule for each in next(iter(groups.values()))]
    everyone = _everyone(audit, groups)
    first = [Column("Group", "text"), Column("All rules")]
    others = [Column("otherwise" if rule is None else f"Rule {rule + 1}") for rule in deciders]
    rows: list[tuple[list[CellLike], list[CellLike]] | Heading] = [
        (
            ["Everyone", paper_percent(sum(everyone))],
            [paper_percent(share) for share in everyone],
        )
    ]
    columns: tuple[str, ...] = ()
    large = _large(audit)
    shown = [(group, found) for group, found in groups.items() if group in large]
    for (named, titles), found in shown:
        if named != columns:
            rows.append(Heading(column_title(audit, named)))
            columns = named
        cells: list[CellLike] = [
            _shaded(each, overall) for each, overall in zip(found, everyone, strict=True)
        ]
        total = sum(each.of_group.value for each in found)
        rows.append(([" · ".join(titles), paper_percent(total)], cells))
    told = paragraph(
        f"Of each group, the share that a rule calls {content.asked}; rules are listed that give "
        "this answer. Green: more than of everyone; purple: less. In small print: which part of "
        f"the group’s {content.asked} that is, and how many points it adds to the difference to "
        f"those it is compared with. {_left_out(audit, len(groups) - len(shown))}"
    )
    caption = f"Share of each group that each rule calls {content.asked}"
    return [told, tables(caption, first, others, rows)]


def _large(audit: Audit) -> set[tuple[tuple[str, ...], tuple[str, ...]]]:
    """The groups with enough records to be worth a shade."""
    enough = audit.settings.enough
    return {
        (each.columns, each.groups) for each in audit.subgroups.subgroups if each.size >= enough
    }


def _left_out(audit: Audit, number: int) -> str:
    if not number:
        return ""
    return (
        f"Groups below {audit.settings.enough:,} records are not shown here; "
        f"{counted(number, 'group')} more in responsibility.csv."
    )


def _by_group(audit: Audit) -> Groups:
    found: Groups = {}
    for each in audit.responsibilities:
        if each.of_group.is_defined:
            found.setdefault((each.columns, each.groups), []).append(each)
    return found


def _everyone(audit: Audit, groups: Groups) -> list[float]:
    """The share of everyone for each rule: the groups of the first column make up everyone."""
    first = next(iter(groups))[0]
    lines = [found for (columns, _), found in groups.items() if columns == first]
    return [sum(each.decided for each in line) / audit.records for line in zip(*lines, strict=True)]


def _shaded(each: Responsibility, overall: float) -> CellLike:
    content: Child = [
        paper_percent(each.of_group.value),
        small(
            f"{paper_percent(each.of_outcome.value, 0)} of them"
            if each.of_outcome.is_defined
            else None
        ),
        small(
            f"{in_points(each.contribution)} points" if not math.isnan(each.contribution) else None
        ),
    ]
    return Cell(content, f"shade{shade(each.of_group.value, overall) + SHADES}")


def shade(share: float, overall: float) -> int:
    """From −4, far less than everyone, to 4, far more; tiny shares stay pale.

    Examples
    --------
    >>> shade(0.2, 0.2), shade(0.4, 0.1), shade(0.0, 0.005), shade(0.0, 0.5)
    (0, 4, -1, -4)
    """
    return round(float(leaning(share, overall)) * SHADES / 2)


def _ablations(content: ReportContent, audit: Audit) -> Child:
    alone = [column for column in audit.settings.column_sets if len(column) == 1]
    told = paragraph(
        "What if a rule were removed, or a column barred from all rules? The next rule that covers "
        "a record then decides. Cells are the difference of a group in points, and below how far "
        "that moved. The rules explain the black box; barring a column here does not change what "
        "the black box does."
    )
    struck = audit.settings.ablation == "premises"
    way = (
        "A barred column is struck from the rules that name it."
        if struck
        else "Rules that name a barred column are taken out."
    )
    made = [_ablation_table(content, audit, columns) for columns in alone]
    more = paragraph("Combinations of columns are in what_if.csv.", class_="quiet-text")
    return [
        told,
        paragraph(way),
        made,
        more if len(audit.settings.column_sets) > len(alone) else None,
    ]


def _ablation_table(content: ReportContent, audit: Audit, columns: Sequence[str]) -> Child:
    here = [_disparities(each, columns) for each in audit.ablations]
    if not here or not here[0]:
        return None
    first = [Column("The rules", "text"), Column("Agrees with the black box")]
    others = [Column(" · ".join(each.groups)) for each in here[0]]
    before = audit.ablations[0].fidelity_before.value
    barred = next((each.feature for each in audit.ablations if each.rule is None), None)
    rows: list[tuple[list[CellLike], list[CellLike]] | Heading] = [
        (["As it is", paper_percent(before)], [in_points(each.before.value) for each in here[0]])
    ]
    for ablation, disparities in zip(audit.ablations, here, strict=True):
        if ablation is audit.ablations[0]:
            rows.append(Heading("Without one rule"))
        elif ablation.rule is None and ablation.feature == barred:
            rows.append(Heading("With one column barred"))
        cells: list[CellLike] = [_moved(each) for each in disparities]
        rows.append(([_title(content, ablation), _agreement(ablation)], cells))
    title = f"{column_title(audit, columns)}: differences without a rule or a column, in points"
    return tables(title, first, others, rows)


def _disparities(ablation: Ablation, columns: Sequence[str]) -> list[Disparity]:
    return [
        each
        for each in ablation.disparities
        if each.columns == tuple(columns) and each.before.is_defined
    ]


def _title(content: ReportContent, ablation: Ablation) -> Child:
    if ablation.rule is not None:
        return f"Rule {ablation.rule + 1}"
    return [content.column(ablation.feature or ""), small(counted(ablation.rules_changed, "rule"))]


def _agreement(ablation: Ablation) -> Child:
    after, before = ablation.fidelity_after.value, ablation.fidelity_before.value
    return [paper_percent(after), small(in_points(after - before) if after == after else None)]


def _moved(each: Disparity) -> Child:
    if not each.after.is_defined:
        return UNDEFINED
    moved = each.after.value - each.before.value
    return [in_points(each.after.value), small(in_points(moved))]
