"""What the model's answers rest on, beside how many rules name it."""

from __future__ import annotations

from glocalx.audit.intervals import Estimate
from glocalx.questions.reliance import Reliance
from glocalx.questions.reliance_said import pair_sentence, unnamed_sentence
from glocalx.report.data_table import DataTable, TableColumn, Value
from glocalx.report.report import ReportContent


def rests_on_table(content: ReportContent, found: Reliance) -> DataTable:
    """A row for each feature on which answers rest, and for each that a rule names."""
    columns = (
        TableColumn("Feature"),
        TableColumn("The model’s answers that change", "share"),
        TableColumn("Rules that name it", "count"),
        TableColumn("Probability moves by, in points", "number"),
    )
    rules = content.theory.rules
    rows: list[tuple[Value, ...]] = []
    for each in found.features:
        named = sum(each.feature in rule.features for rule in rules)
        if each.high or named:
            moved = None if each.moved != each.moved else f"{100 * each.moved:.1f}"
            share = Estimate(each.share, each.low, each.high)
            rows.append((content.wording.name(each.feature), share, named, moved))
    return DataTable("What the model’s answers rest on", columns, tuple(rows))


def rests_on_sentences(content: ReportContent, found: Reliance) -> list[str]:
    """What only the model uses, and the two features that matter most together."""
    said = [unnamed_sentence(found, content.named, content.wording.name)]
    said += [pair_sentence(pair, content.wording.name) for pair in found.pairs[:1]]
    return [each for each in said if each]
