"""Every rule in figures, and what its columns tell about the sensitive ones."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

from glocalx.audit import Audit
from glocalx.audit.proxies import Association
from glocalx.audit.rule_profile import RuleProfile
from glocalx.report.data_table import CellLines, DataTable, PartOf, TableColumn, Value
from glocalx.words.figures import percent
from glocalx.words.wording import Wording

MOST_OVERLAPS = 3


def column_name(audit: Audit, wording: Wording, column: str) -> str:
    """A column as people call it, whether rules know it or not."""
    if column in audit.theory.schema:
        return wording.name(column)
    return audit.titles.get(column, column)


def rule_table(audit: Audit, wording: Wording) -> DataTable:
    """Every rule: what it says, covers, decides and gets right, and what it speaks of."""
    columns = (
        TableColumn("Rule", "count"),
        TableColumn("Then", "outcome"),
        TableColumn("If …"),
        TableColumn("Covers", "part", help="Share of the records that the rule applies to."),
        TableColumn("Decides", "part", help="Share where it is the first rule that applies."),
        TableColumn(
            "Agrees", "share", "Covered: agrees", "Of those it covers: the black box says the same."
        ),
        TableColumn("True", "share", "Covered: right", "Of those it covers: it is so in the data."),
        TableColumn("Decided agrees", "share", "Decided: agrees"),
        TableColumn("Decided true", "share", "Decided: right"),
        TableColumn("Uses", title="Columns it uses"),
        TableColumn(
            "Names",
            title="Sensitive ones it names",
            help="Chosen columns that it names outright.",
        ),
        TableColumn("Proxies", title="Close proxies it uses"),
        TableColumn("Overlaps", title="Of its records, covered too by"),
    )
    rows = tuple(_rule_row(audit, profile, wording) for profile in audit.rules)
    return DataTable("What each rule covers and decides", columns, rows, first=2)


def _rule_row(audit: Audit, profile: RuleProfile, wording: Wording) -> tuple[Value, ...]:
    def named(columns: tuple[str, ...]) -> str:
        return ", ".join(column_name(audit, wording, each) for each in columns)

    close = [
        f"{named((each.column,))} → {named((each.sensitive,))}" for each in profile.close_proxies()
    ]
    return (
        profile.place + 1,
        profile.rule.outcome,
        wording.short(profile.rule),
        PartOf(profile.covered, audit.records),
        PartOf(profile.decided, audit.records),
        profile.agrees,
        profile.right,
        profile.decided_agrees,
        profile.decided_right,
        named(profile.rule.features),
        named(profile.sensitive),
        ", ".join(close),
        CellLines("", tuple(_overlaps(profile))),
    )


def _overlaps(profile: RuleProfile) -> Iterator[str]:
    for each in profile.overlaps[:MOST_OVERLAPS]:
        says = "" if each.same_outcome else ", other answer"
        yield f"rule {each.rule + 1}: {percent(each.share)}{says}"
    more = len(profile.overlaps) - MOST_OVERLAPS
    if more > 0:
        yield f"and {more} more in overlaps.csv"


def proxies_table(audit: Audit, wording: Wording) -> DataTable:
    """What the columns in use tell about the sensitive ones, the closest first."""
    cells: dict[TableColumn, Callable[[Association], Value]] = {
        TableColumn("Feature"): lambda each: column_name(audit, wording, each.column),
        TableColumn("Tells about"): lambda each: column_name(audit, wording, each.sensitive),
        TableColumn("Strength", "number", "Strength, 0 to 1"): lambda each: each.strength,
        TableColumn("Measure"): lambda each: each.measure.removeprefix("corrected "),
        TableColumn(
            "Bits",
            "number",
            "Mutual information, in bits",
            "What both have in common.",
            decimals=3,
        ): lambda each: each.information,
        TableColumn(
            "Share",
            "share",
            "… of all there is to know",
            "Mutual information as a share of all that could be told about the group.",
        ): lambda each: each.share_known,
        TableColumn("Records", "count"): lambda each: each.records,
        TableColumn("Close"): lambda each: "close" if each.is_close() else "",
    }
    caption = "What the columns in use tell about the sensitive ones"
    return DataTable.of(caption, indirect(audit), cells)


def indirect(audit: Audit) -> list[Association]:
    """What features of the rules tell about sensitive columns that they are not, most first."""
    found = [each for each in audit.associations if each.column not in audit.settings.by]
    return sorted(found, key=lambda each: 1.0 if math.isnan(each.strength) else -each.strength)
