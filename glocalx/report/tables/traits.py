"""Who is behind each answer: traits beside everyone."""

from __future__ import annotations

import math
from functools import partial

from glocalx.audit import Audit
from glocalx.audit.sensitive_table import RecordGroup, Trait, TraitFigures
from glocalx.report.data_table import CellLines, DataTable, TableColumn, Value
from glocalx.words.figures import (
    NO_BREAK_SPACE,
    decimals_of,
    fixed,
    from_to,
    in_points,
    paper_percent,
    points_interval,
    signed,
)
from glocalx.words.figures import UNDEFINED as DASH
from glocalx.words.wording import Wording

PLUS_MINUS = f" ±{NO_BREAK_SPACE}"  # on paper a line may break before it


def traits_table(audit: Audit, kind: str) -> DataTable:
    """Traits of the records behind each outcome, or each rule (`kind`), beside everyone.

    An outcome that no rule gives, and a rule that covers nobody, have no column.
    """
    known = enumerate(audit.traits.groups)
    groups = [(i, each) for i, each in known if each.kind == kind and each.records]
    everyone = audit.traits.groups[0]
    columns = (
        TableColumn("Column"),
        TableColumn("Trait"),
        TableColumn("Everyone", "number", below=f"{everyone.records:,}"),
        *(_trait_column(each) for _, each in groups),
    )
    rows: tuple[tuple[Value, ...], ...] = tuple(
        (
            trait.title,
            trait.category or "mean ± deviation",
            trait_level(trait, line[0], kind == "outcome"),
            *(_trait_cell(trait, line[place], kind == "outcome") for place, _ in groups),
        )
        for trait, line in zip(audit.traits.traits, audit.traits.figures, strict=True)
    )
    caption = f"Traits of the records behind each {'answer' if kind == 'outcome' else 'rule'}"
    return DataTable(caption, columns, rows, first=2, heading="Column")


def _trait_column(group: RecordGroup) -> TableColumn:
    outcome = group.outcome if group.kind == "outcome" else None
    return TableColumn(group.title, "number", below=f"{group.records:,}", outcome=outcome)


def trait_level(trait: Trait, figures: TraitFigures, deviation: bool = True) -> str:
    """The mean of a number, or the share of a category."""
    if math.isnan(figures.mean):
        return DASH
    if trait.category is not None:
        share = paper_percent(figures.mean)
        return f"{share}{PLUS_MINUS}{fixed(figures.deviation)}" if deviation else share
    decimals = decimals_of(figures.mean)
    return f"{fixed(figures.mean, decimals)}{PLUS_MINUS}{fixed(figures.deviation, decimals)}"


def trait_difference(trait: Trait, figures: TraitFigures) -> tuple[str, str]:
    """How far a group is from everyone, and the interval of that."""
    difference = figures.difference
    if trait.category is not None:
        return in_points(difference.value), points_interval(difference)
    say = partial(signed, decimals=decimals_of(figures.mean))
    return say(difference.value), from_to(difference, say)


def _trait_cell(trait: Trait, figures: TraitFigures, deviation: bool) -> CellLines:
    if not figures.difference.is_defined:
        return CellLines(DASH)
    effect = "" if math.isnan(figures.effect) else f"effect {signed(figures.effect, 2)}"
    below = (*trait_difference(trait, figures), effect)
    return CellLines(trait_level(trait, figures, deviation), tuple(filter(None, below)))


def asked_traits_table(audit: Audit, wording: Wording) -> DataTable:
    """The same in one line each: the outcome asked about minus everyone, and the effect size."""
    table = audit.traits
    shown = [place for place, group in enumerate(table.groups) if group.kind != "rule"]
    asked = next(i for i in shown if table.groups[i].outcome == audit.settings.outcome)
    groups = [table.groups[place] for place in shown]
    names = ["Everyone" if g.outcome is None else wording.outcome(g.outcome) for g in groups]
    heads = [f"{name} ({g.records:,})" for name, g in zip(names, groups, strict=True)]
    columns = ("Feature", "Group", *heads, "Minus everyone", "Effect size")
    rows = []
    for trait, line in zip(table.traits, table.figures, strict=True):
        levels = [trait_level(trait, line[i], trait.category is None) for i in shown]
        difference, interval = trait_difference(trait, line[asked])
        unit = " points" if trait.category is not None and difference != DASH else ""
        told = (f"{difference} ({interval})" if interval else difference) + unit
        effect = line[asked].effect
        group = trait.category or "mean ± sd"
        rows.append((trait.title, group, *levels, told, signed(effect, 2)))
    return DataTable(
        "Traits of everyone and of those who get each answer",
        tuple(map(TableColumn, columns)),
        tuple(rows),
    )
