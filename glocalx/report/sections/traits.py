"""Who is behind each outcome: the form of the paper's table of sensitive features."""

from __future__ import annotations

from collections.abc import Iterator

from glocalx.audit import Audit
from glocalx.report.blocks import Block, Paragraph, ReportSection, Subheading
from glocalx.report.report import ReportContent
from glocalx.report.tables.traits import traits_table


def traits(content: ReportContent) -> ReportSection | None:
    if content.audit is None:
        return None
    return ReportSection.of("who", "Who is behind each answer", _blocks(content.audit))


def _blocks(audit: Audit) -> Iterator[Block]:
    covered = audit.traits.counting == "covered"
    yield Paragraph(
        "Who are the records behind each answer? Mean ± standard deviation for numbers, share "
        "± standard deviation (of having it or not) for categories; below it the difference "
        "to everyone, in points or in units, with its 95 % interval, and as an effect size: in "
        "standard deviations of everyone (0.2 is small, 0.8 large). "
        + (
            "Counted are the records that at least one rule of that answer covers, so a record "
            "can stand on both sides."
            if covered
            else "Counted are the records that get that answer."
        )
    )
    yield traits_table(audit, "outcome")
    yield Subheading("Rule by rule")
    if not audit.rules:
        yield Paragraph("There are no rules.", "quiet")
        return
    yield Paragraph(
        f"The same for the records that each rule {'covers' if covered else 'decides'}."
    )
    yield traits_table(audit, "rule")
