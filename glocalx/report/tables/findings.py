"""What was found, as tables: groups without a card, flips, and flips by rule."""

from __future__ import annotations

from collections.abc import Callable

from glocalx.audit.findings import Findings, GroupFinding
from glocalx.audit.flips import FlipResult
from glocalx.report.data_table import CellLines, DataTable, TableColumn, Value
from glocalx.report.findings import FoundWords, share_of
from glocalx.words.figures import paper_percent
from glocalx.words.phrases import counted


def others_table(words: FoundWords, found: Findings, most: int | None = None) -> DataTable:
    """Every group without a card, of at most so many columns, with what may be said of it."""
    cells: dict[TableColumn, Callable[[GroupFinding], Value]] = {
        TableColumn("Group"): lambda each: words.called(each.group.groups, each.group.columns),
        TableColumn("Verdict"): lambda each: each.verdict,
        TableColumn("Called", title=words.outcome[:24]): lambda each: CellLines(
            f"{paper_percent(each.comparison.own.rate().value)} of {each.comparison.own.size:,}"
        ),
        TableColumn("Difference", "points", "Difference, in points"): lambda each: (
            each.comparison.difference
        ),
        TableColumn("p", "p", "Corrected p"): lambda each: each.comparison.adjusted,
        TableColumn("What may be said"): words.may_be_said,
    }
    shown = [each for each in found.others if most is None or len(each.group.columns) <= most]
    return DataTable.of("Groups without a card", shown, cells)


def flips_table(
    words: FoundWords, several: bool | None = None, *, zeros: bool = True
) -> DataTable | None:
    """Every flip, or those of one or of several columns: whose answers change, and to what.

    Without `zeros` those that change no answer are left out, see :func:`unchanged_flips`.
    """
    test = words.audit.flips
    flips = [f for f in test.flips if several in (None, len(f.plan.changes) > 1)] if test else []
    flips = [flip for flip in flips if zeros or flip.changes_anything]
    if test is None or not flips:
        return None
    whose = "Black box" if test.has_model else "Rules"
    cells: dict[TableColumn, Callable[[FlipResult], Value]] = {
        TableColumn("Only this changed"): lambda flip: _told(words, flip),
        TableColumn("Answers that change", title=f"{whose}: answers that change"): lambda flip: (
            share_of(flip.audited.changed)
        ),
        TableColumn("Share", "share"): lambda flip: flip.audited.changed.rate(),
        TableColumn("To", "count", f"to {words.outcome}"[:30]): lambda flip: flip.audited.gained,
        TableColumn("From", "count", f"from {words.outcome}"[:30]): lambda flip: flip.audited.lost,
        TableColumn("p", "p", "Corrected p", help="That they lean one way."): lambda flip: (
            flip.audited.adjusted
        ),
    }
    if test.has_model:
        cells[TableColumn("Rules", title="Rules: change")] = lambda flip: share_of(
            flip.rules.changed
        )
        cells[TableColumn("Both", "count", "In both")] = lambda flip: flip.both
    return DataTable.of("Flip tests: how many answers change", flips, cells)


def _told(words: FoundWords, flip: FlipResult) -> str:
    return words.changed(flip.plan).removeprefix("Only ")


def unchanged_flips(words: FoundWords, several: bool) -> str:
    """The flips that change no answer, in a sentence; empty where there is none."""
    test = words.audit.flips
    told = [
        f"{_told(words, flip)} ({counted(flip.records, 'record')})"
        for flip in (test.flips if test else ())
        if several == (len(flip.plan.changes) > 1) and not flip.changes_anything
    ]
    whose = (
        "neither of the black box nor of the rules" if test and test.has_model else "of the rules"
    )
    return f"No answer changes, {whose}: {'; '.join(told)}." if told else ""


def flips_by_rule_table(words: FoundWords) -> DataTable | None:
    """Changed answers by the rule that decides before the change; without lines of zeros."""
    test = words.audit.flips
    if test is None:
        return None
    columns = (
        TableColumn("Only this changed"),
        TableColumn("Rule"),
        TableColumn("Records", "count"),
        *((TableColumn("Black box", "count"),) if test.has_model else ()),
        TableColumn("Rules", "count"),
    )
    rows: list[tuple[Value, ...]] = []
    for flip in test.flips:
        for each in flip.by_rule:
            if each.by_rules or each.by_model:
                rule = "otherwise" if each.rule is None else f"Rule {each.rule + 1}"
                model = (each.by_model,) if test.has_model else ()
                rows.append((_told(words, flip), rule, each.records, *model, each.by_rules))
    return (
        DataTable("Changed answers by the rule that decided", columns, tuple(rows))
        if rows
        else None
    )
