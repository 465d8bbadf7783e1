"""How well the rules stand for the black box, on records that nothing was made from."""

from __future__ import annotations

from collections.abc import Iterator

from glocalx.audit.intervals import Estimate
from glocalx.evaluation import Bounds, Evaluation
from glocalx.report.blocks import Block, DotFigure, Paragraph, ReportSection
from glocalx.report.data_table import CellLines, DataTable, TableColumn, Value
from glocalx.report.facts import HeldOut
from glocalx.report.marks import DotRow
from glocalx.report.report import ReportContent
from glocalx.words.figures import NO_BREAK_SPACE, paper_percent, share_interval
from glocalx.words.phrases import never_used

OURS = "The rules of this report"


def faithfulness(content: ReportContent) -> ReportSection:
    held = content.held_out
    blocks = _not_held_out(content) if held is None else _held_out(held)
    return ReportSection.of("faithful", "How well the rules stand for the black box", blocks)


def _not_held_out(content: ReportContent) -> Iterator[Block]:
    if content.audit is None or not content.audit.fidelity.is_defined:
        yield Paragraph(
            "Not known here: there are no answers of the black box for records that the rules were "
            "not made from. Do not rely on the rules before their agreement is measured on such "
            "records."
        )
        return
    agreed = content.audit.fidelity
    yield Paragraph(
        "On the records of this report rules and black box agree in "
        f"{paper_percent(agreed.value)} (95{NO_BREAK_SPACE}% interval {share_interval(agreed)}). "
        "Whether the rules were made from the same records is not known here; if they were, the "
        "figure flatters them."
    )


def _held_out(held: HeldOut) -> Iterator[Block]:
    methods = {OURS: held.rules, **held.baselines}
    yield Paragraph(
        f"Measured on {held.rules.records:,} records from which "
        f"{never_used(held.unseen_by_black_box)}. Agreement (fidelity) is how often an explanation "
        "gives the same answer as the black box. In small print: 95 % bootstrap intervals."
    )
    yield _figure(methods, held)
    yield _table(methods, held)
    right = held.black_box_accuracy
    told = ""
    if right is not None:
        told = f"The black box itself is right on {paper_percent(right)} of them. "
    yield Paragraph(
        f"{told}Δ accuracy is agreement minus how often the explanation is right: far above 0, it "
        "copies the black box where that is wrong, too."
    )


def _figure(methods: dict[str, Evaluation], held: HeldOut) -> DotFigure:
    ends = [end for each in methods.values() for end in each.fidelity_interval]
    note = ""
    if held.majority is not None:
        ends.append(held.majority)
        note = (
            "The upright line is what the most common answer alone reaches: "
            f"{paper_percent(held.majority)}."
        )
    return DotFigure(
        "Agreement with the black box, with 95 % intervals",
        tuple(_row(name, each) for name, each in methods.items()),
        tuple(ends),
        "share",
        zero=held.majority,
        note=note,
    )


def _row(name: str, each: Evaluation) -> DotRow:
    share = paper_percent(each.fidelity)
    says = f"{name}: {share}, interval {share_interval(each.fidelity_interval)}."
    end = f"{share} with {each.size:,} rules"
    low, high = each.fidelity_interval
    return DotRow(name, each.fidelity, low, high, says, end, strong=name == OURS)


def _table(methods: dict[str, Evaluation], held: HeldOut) -> DataTable:
    columns = (
        TableColumn("Explanation"),
        TableColumn("Rules", "count"),
        TableColumn("Conditions per rule", "number"),
        TableColumn("Agrees with the black box", "share"),
        TableColumn("Right", "share"),
        TableColumn("Δ accuracy, in points", "points"),
        TableColumn("Covered by a rule", "share"),
    )
    rows: list[tuple[Value, ...]] = [
        (
            name,
            each.size,
            CellLines(f"{each.length:.1f}", (f"± {each.length_deviation:.1f}",)),
            _estimate(each.fidelity, each.fidelity_interval),
            _estimate(each.accuracy, each.accuracy_interval),
            _estimate(each.delta_accuracy, each.delta_interval),
            each.coverage,
        )
        for name, each in methods.items()
    ]
    if held.majority is not None:
        rows.append(("The most common answer", 0, None, held.majority, None, None, 0.0))
    return DataTable("Explanations on held-out records", columns, tuple(rows))


def _estimate(value: float | None, interval: Bounds | None) -> Estimate | None:
    if value is None:
        return None
    return Estimate(value, *interval) if interval is not None else Estimate(value)
