"""Which rules a difference comes from, and what would be without them."""

from __future__ import annotations

import math
from collections.abc import Callable

from glocalx.audit import Audit
from glocalx.audit.group_shares import leaning
from glocalx.audit.responsibility import Ablation, Responsibility
from glocalx.audit.subgroups import Subgroup
from glocalx.plots.colours import SHADES
from glocalx.report.data_table import CellLines, DataTable, TableColumn, Value
from glocalx.report.tables.rules import column_name
from glocalx.words.figures import UNDEFINED as DASH
from glocalx.words.figures import in_points, paper_percent
from glocalx.words.phrases import counted
from glocalx.words.wording import Wording

AFTER = (
    TableColumn(
        "Difference without",
        "points",
        "Difference after",
        "The group’s difference in points if this were taken away.",
    ),
    TableColumn(
        "Agreement without",
        "share",
        "Agreement after",
        "How often the remaining rules would give the answer of the black box.",
    ),
)


def responsible_table(audit: Audit, group: Subgroup, wording: Wording) -> DataTable:
    """One row a rule: its part in a group's difference, and what would be without it."""
    outcome = wording.outcome(audit.settings.outcome)
    shares = {each.rule: each for each in audit.shares_of(group)}
    columns = (
        TableColumn("Rule"),
        TableColumn("Then", "outcome"),
        TableColumn("If …"),
        TableColumn(
            "Decides",
            "share",
            help=f"Of the group’s records that the rules call {outcome}, the share that this rule "
            "decides.",
        ),
        TableColumn(
            "Contributes",
            "points",
            help="Points of the difference that come from this rule. They add up to it.",
        ),
        *AFTER,
    )
    rows: list[tuple[Value, ...]] = []
    for ablation in audit.ablations:
        if ablation.rule is not None:
            rule = audit.theory.rules[ablation.rule]
            head = (str(ablation.rule + 1), rule.outcome, wording.short(rule))
            rows.append((*head, *_part(shares.get(ablation.rule)), *_after(ablation, group)))
    if None in shares:
        default = ("–", audit.theory.default, "otherwise")
        rows.append((*default, *_part(shares[None]), math.nan, math.nan))
    caption = "What each rule contributes to the difference, and what would be without it"
    return DataTable(caption, columns, tuple(rows))


def _part(share: Responsibility | None) -> tuple[float, float]:
    if share is None:
        return math.nan, math.nan
    return share.of_outcome.value, share.contribution


def _after(ablation: Ablation, group: Subgroup) -> tuple[float, float]:
    return ablation.after(group).value, ablation.fidelity_after.value


def ablation_table(audit: Audit, group: Subgroup, wording: Wording) -> DataTable:
    """One row a feature that rules name: a group's difference if no rule could name it."""
    columns = (
        TableColumn("Feature"),
        TableColumn("Rules", "count", help="How many rules name it."),
        *AFTER,
    )
    rows = tuple(
        (wording.name(each.feature), each.rules_changed, *_after(each, group))
        for each in audit.ablations
        if each.feature is not None
    )
    caption = "What would become of the difference and of the agreement without a feature"
    return DataTable(caption, columns, rows)


def heat_table(audit: Audit, outcome: str) -> DataTable:
    """Of each group the share that each rule gives the outcome, shaded beside everyone's share."""
    tally, settings = audit.tally, audit.settings
    deciders = [each.rule for each in audit.shares_of(audit.subgroups.subgroups[0])]
    places = [-1 if rule is None else rule for rule in deciders]
    everyone = [tally.records(tally.deciding() == place) / tally.size for place in places]
    columns = (
        TableColumn("Column"),
        TableColumn("Group"),
        TableColumn("All rules", "share"),
        *(TableColumn(_decider(rule), "share") for rule in deciders),
    )
    rows: list[tuple[Value, ...]] = [("", "Everyone", sum(everyone), *everyone)]
    for group in audit.subgroups.subgroups:
        if group.size >= settings.enough and group.size:
            found = audit.shares_of(group)
            cells = [_shaded(each, of) for each, of in zip(found, everyone, strict=True)]
            total = sum(each.of_group.value for each in found)
            if not total:
                continue  # nobody gets it: a row of zeros
            rows.append((audit.title(group.columns), group.title, total, *cells))
    caption = f"Share of each group that each rule calls {outcome}"
    return DataTable(caption, columns, tuple(rows), first=2, heading="Column")


def _decider(rule: int | None) -> str:
    return "otherwise" if rule is None else f"Rule {rule + 1}"


def _shaded(each: Responsibility, overall: float) -> CellLines:
    below = []
    if each.of_outcome.is_defined:
        below.append(f"{paper_percent(each.of_outcome.value, 0)} of them")
    if not math.isnan(each.contribution):
        below.append(f"{in_points(each.contribution)} points")
    share = each.of_group.value
    return CellLines(paper_percent(share), tuple(below), shade(share, overall))


def shade(share: float, overall: float) -> int:
    """From −4, far less than everyone, to 4, far more; tiny shares stay pale.

    Examples
    --------
    >>> shade(0.2, 0.2), shade(0.4, 0.1), shade(0.0, 0.005), shade(0.0, 0.5)
    (0, 4, -1, -4)
    """
    return round(float(leaning(share, overall)) * SHADES / 2)


def all_ablations_table(audit: Audit, wording: Wording, column: str) -> DataTable | None:
    """Every group of a column without each rule, and without each feature; None for no groups."""
    groups = (
        [each for each in audit.ablations[0].disparities if each.columns == (column,)]
        if audit.ablations
        else []
    )
    known = [place for place, each in enumerate(groups) if each.before.is_defined]
    if not known:
        return None
    columns = (
        TableColumn("What goes"),
        TableColumn("The rules"),
        TableColumn("Agreement", "share", "Agrees with the black box"),
        *(TableColumn(" · ".join(groups[place].groups), "points") for place in known),
    )
    before = audit.ablations[0].fidelity_before.value
    rows: list[tuple[Value, ...]] = [
        ("", "As it is", before, *(groups[place].before.value for place in known))
    ]
    for each in audit.ablations:
        here = [other for other in each.disparities if other.columns == (column,)]
        moved = [
            _moved(here[place].after.value, here[place].before.value, in_points) for place in known
        ]
        head = "Without one rule" if each.rule is not None else "With one column taken away"
        name: Value = _decider(each.rule)
        if each.feature is not None:
            changed = counted(each.rules_changed, "rule")
            name = CellLines(column_name(audit, wording, each.feature), (changed,))
        after = _moved(each.fidelity_after.value, each.fidelity_before.value, paper_percent)
        rows.append((head, name, after, *moved))
    title = f"{audit.titles[column]}: differences without a rule or a column, in points"
    return DataTable(title, columns, tuple(rows), first=2, heading="What goes")


def _moved(after: float, before: float, said: Callable[[float], str]) -> CellLines:
    """A figure, and how far it moved."""
    if math.isnan(after):
        return CellLines(DASH)
    return CellLines(said(after), (in_points(after - before),))
