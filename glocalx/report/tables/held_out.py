"""Explanations of the same black box on held-out records: on paper, and as rows of a file."""

from __future__ import annotations

from collections.abc import Callable

from glocalx.audit.intervals import Estimate
from glocalx.evaluation import Bounds, Evaluation
from glocalx.evaluation.verdict import FEW, OutcomeFound, Verdict
from glocalx.report.data_table import CellLines, DataTable, TableColumn, Value
from glocalx.report.facts import HeldOut


def held_out_table(held_out: HeldOut) -> DataTable:
    """The rules, each baseline, and one answer for all."""
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
        for name, each in held_out.methods.items()
    ]
    if held_out.majority is not None:
        rows.append(("The most common answer", 0, None, held_out.majority, None, None, 0.0))
    return DataTable("Explanations on held-out records", columns, tuple(rows))


def _estimate(value: float | None, interval: Bounds | None) -> Estimate | None:
    if value is None:
        return None
    return Estimate(value, *interval) if interval is not None else Estimate(value)


def held_out_rows(held_out: HeldOut) -> list[dict[str, object]]:
    """One row for the rules and one for each baseline; what is undefined is None."""
    methods = {"rules": held_out.rules, **held_out.baselines}
    return [_row(name, each, held_out) for name, each in methods.items()]


def _row(name: str, each: Evaluation, held_out: HeldOut) -> dict[str, object]:
    return {
        "explanation": name,
        "records": each.records,
        "rules": each.size,
        "length": each.length,
        "length_deviation": each.length_deviation,
        **_figure("fidelity", each.fidelity, each.fidelity_interval),
        **_figure("accuracy", each.accuracy, each.accuracy_interval),
        **_figure("delta_accuracy", each.delta_accuracy, each.delta_interval),
        "coverage": each.coverage,
        "seconds": each.seconds,
        "majority_fidelity": held_out.majority,
        "black_box_accuracy": held_out.black_box_accuracy,
    }


def _figure(name: str, value: float | None, interval: Bounds | None) -> dict[str, object]:
    low, high = interval if interval is not None else (None, None)
    return {name: value, f"{name}_low": low, f"{name}_high": high}


def found_table(verdict: Verdict) -> DataTable:
    """Each answer of the black box: how much of it the rules find, how often they are right."""
    few = CellLines("too few to judge", (f"under {FEW}",))
    cells: dict[TableColumn, Callable[[OutcomeFound], Value]] = {
        TableColumn("Answer", "outcome"): lambda each: each.outcome,
        TableColumn("The black box gives it to", "count"): lambda each: each.given,
        TableColumn("The rules give it to", "count"): lambda each: each.said,
        TableColumn("Both", "count"): lambda each: each.found,
        TableColumn("Found", "share"): lambda each: each.recall if each.is_judged else few,
        TableColumn("Right where said", "share"): lambda each: each.precision,
    }
    caption = "What the rules find of each answer of the black box"
    return DataTable.of(caption, verdict.outcomes, cells)
