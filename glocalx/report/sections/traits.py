"""Who is behind each outcome: the form of the paper's table of sensitive features."""

from __future__ import annotations

import math

from glocalx.audit import Audit
from glocalx.audit.intervals import Estimate
from glocalx.audit.sensitive_table import RecordGroup, Trait, TraitFigures
from glocalx.report.content import ReportContent
from glocalx.report.elements import Child, element
from glocalx.report.sections.section import Section, badge, paragraph
from glocalx.report.tables import CellLike, Column, Heading, small, tables
from glocalx.words.figures import (
    NO_BREAK_SPACE,
    UNDEFINED,
    decimals_of,
    fixed,
    in_points,
    paper_percent,
    points_interval,
    signed,
)

PLUS_MINUS = f" ±{NO_BREAK_SPACE}"  # on paper a line may break before it


def traits(content: ReportContent) -> Section | None:
    audit = content.audit
    if audit is None:
        return None
    covered = audit.traits.counting == "covered"
    body = [
        paragraph(
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
        ),
        _table(content, audit, "outcome", "Traits of the records behind each answer"),
        element("h3", "Rule by rule"),
        paragraph(f"The same for the records that each rule {'covers' if covered else 'decides'}."),
        _table(content, audit, "rule", "Traits of the records behind each rule"),
    ]
    return Section("who", "Who is behind each answer", body)


def _table(content: ReportContent, audit: Audit, kind: str, caption: str) -> Child:
    groups = [
        (place, group) for place, group in enumerate(audit.traits.groups) if group.kind == kind
    ]
    if not groups:
        return paragraph("There are no rules.", class_="quiet-text")
    everyone = audit.traits.groups[0]
    first = [Column("Trait", "text"), Column(["Everyone", small(f"{everyone.records:,}")])]
    others = [Column(_head(content, group)) for _, group in groups]
    rows: list[tuple[list[CellLike], list[CellLike]] | Heading] = []
    column = None
    for trait, line in zip(audit.traits.traits, audit.traits.figures, strict=True):
        if trait.column != column:
            rows.append(Heading(trait.title))
            column = trait.column
        cells: list[CellLike] = [_cell(trait, line[place], kind) for place, _ in groups]
        rows.append(([trait.category or "mean ± deviation", _level(trait, line[0], kind)], cells))
    return tables(caption, first, others, rows)


def _head(content: ReportContent, group: RecordGroup) -> Child:
    title: Child = group.title
    if group.kind == "outcome" and group.outcome is not None:
        title = badge(content, group.outcome)
    return [title, small(f"{group.records:,}")]


def _level(trait: Trait, figures: TraitFigures, kind: str) -> str:
    if math.isnan(figures.mean):
        return UNDEFINED
    if trait.category is not None and kind == "rule":
        return paper_percent(figures.mean)  # there are many columns
    if trait.category is not None:
        return f"{paper_percent(figures.mean)}{PLUS_MINUS}{fixed(figures.deviation)}"
    decimals = decimals_of(figures.mean)
    return f"{fixed(figures.mean, decimals)}{PLUS_MINUS}{fixed(figures.deviation, decimals)}"


def _cell(trait: Trait, figures: TraitFigures, kind: str) -> Child:
    difference = figures.difference
    if not difference.is_defined:
        return UNDEFINED
    if trait.category is not None:
        below, interval = in_points(difference.value), points_interval(difference)
    else:
        below = signed(difference.value, decimals_of(figures.mean))
        interval = _interval(difference, decimals_of(figures.mean))
    effect = "" if math.isnan(figures.effect) else f"effect {signed(figures.effect, 2)}"
    return [_level(trait, figures, kind), small(below), small(interval), small(effect)]


def _interval(difference: Estimate, decimals: int) -> str:
    if math.isnan(difference.low):
        return ""
    return f"{signed(difference.low, decimals)} to {signed(difference.high, decimals)}"
