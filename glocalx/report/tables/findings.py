"""What was found, as tables: groups without a card, flips, and flips by rule."""

from __future__ import annotations

from glocalx.audit.findings import Findings
from glocalx.report.data_table import CellLines, DataTable, TableColumn, Value
from glocalx.report.findings import FoundWords, share_of
from glocalx.words.figures import paper_percent
from glocalx.words.phrases import counted


def others_table(words: FoundWords, found: Findings, most: int | None = None) -> DataTable:
    """Every group without a card, of at most so many columns, with what may be said of it."""
    columns = (
        TableColumn("Group"),
        TableColumn("Verdict"),
        TableColumn("Called", title=words.outcome[:24]),
        TableColumn("Difference", "points", "Difference, in points"),
        TableColumn("p", "p", "Corrected p"),
        TableColumn("What may be said"),
    )
    rows: list[tuple[Value, ...]] = []
    for each in found.others:
        if most is not None and len(each.group.columns) > most:
            continue
        comparison = each.comparison
        share = f"{paper_percent(comparison.own.rate().value)} of {comparison.own.size:,}"
        name = words.called(each.group.groups, each.group.columns)
        verdict = each.verdict
        figures = CellLines(share), comparison.difference, comparison.adjusted
        rows.append((name, verdict, *figures, words.may_be_said(each)))
    return DataTable("Groups without a card", columns, tuple(rows))


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
    columns = (
        TableColumn("Only this changed"),
        TableColumn("Answers that change", title=f"{whose}: answers that change"),
        TableColumn("Share", "share"),
        TableColumn("To", "count", f"to {words.outcome}"[:30]),
        TableColumn("From", "count", f"from {words.outcome}"[:30]),
        TableColumn("p", "p", "Corrected p", help="That they lean one way."),
        *(
            (TableColumn("Rules", title="Rules: change"), TableColumn("Both", "count", "In both"))
            if test.has_model
            else ()
        ),
    )
    rows: list[tuple[Value, ...]] = []
    for flip in flips:
        count = flip.audited
        told = words.changed(flip.plan).removeprefix("Only ")
        beside: tuple[Value, ...] = (
            (share_of(flip.rules.changed), flip.both) if test.has_model else ()
        )
        figures = (share_of(count.changed), count.changed.rate(), count.gained, count.lost)
        rows.append((told, *figures, count.adjusted, *beside))
    return DataTable("Flip tests: how many answers change", columns, tuple(rows))


def unchanged_flips(words: FoundWords, several: bool) -> str:
    """The flips that change no answer, in a sentence; empty where there is none."""
    test = words.audit.flips
    told = [
        f"{words.changed(flip.plan).removeprefix('Only ')} ({counted(flip.records, 'record')})"
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
                told = words.changed(flip.plan).removeprefix("Only ")
                rows.append((told, rule, each.records, *model, each.by_rules))
    return (
        DataTable("Changed answers by the rule that decided", columns, tuple(rows))
        if rows
        else None
    )
