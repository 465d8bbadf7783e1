"""Which rules a group's outcome comes from, and what would be without them."""

from __future__ import annotations

from collections.abc import Iterator

from glocalx.audit import Audit
from glocalx.report.blocks import Block, Paragraph, ReportSection, Subheading
from glocalx.report.report import ReportContent
from glocalx.report.tables.responsibility import all_ablations_table, heat_table
from glocalx.words.phrases import counted


def responsibility(content: ReportContent) -> ReportSection | None:
    if content.audit is None or not content.audit.responsibilities:
        return None
    blocks = (*_shares(content, content.audit), *_ablations(content, content.audit))
    return ReportSection.of("responsible", "Which rules it comes from", blocks)


def _shares(content: ReportContent, audit: Audit) -> Iterator[Block]:
    """For each group the share that each rule calls so."""
    table = heat_table(audit, content.asked)
    present = sum(group.size > 0 for group in audit.subgroups.subgroups)
    yield Subheading("Which rule falls on whom")
    yield Paragraph(
        f"Of each group, the share that a rule calls {content.asked}; rules are listed that give "
        "this answer. Green: more than of everyone; purple: less. In small print: which part of "
        f"the group’s {content.asked} that is, and how many points it adds to the difference to "
        f"those it is compared with. {_left_out(audit, present + 1 - len(table.rows))}"
    )
    yield table


def _left_out(audit: Audit, number: int) -> str:
    if not number:
        return ""
    return (
        f"Groups below {audit.settings.enough:,} records are not shown here; "
        f"{counted(number, 'group')} more in responsibility.csv."
    )


def _ablations(content: ReportContent, audit: Audit) -> Iterator[Block | None]:
    yield Subheading("Without a rule, without a column")
    yield Paragraph(
        "What if a rule were removed, or a column taken away from all rules (an ablation)? The "
        "next rule that covers a record then decides. Cells are the difference of a group in "
        "points, and below how far that moved. The rules explain the black box; taking a column "
        "away here does not change what the black box does."
    )
    yield Paragraph(
        "The column is struck from the rules that name it."
        if audit.settings.ablation == "premises"
        else "Rules that name the column are taken out."
    )
    for column in audit.settings.by:
        yield all_ablations_table(audit, content.wording, column)
    if len(audit.settings.column_sets) > len(audit.settings.by):
        yield Paragraph("Combinations of columns are in what_if.csv.", "quiet")
