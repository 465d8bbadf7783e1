"""The held-out figures as plain rows, for JSON and CSV."""

from __future__ import annotations

from glocalx.evaluation import Bounds, Evaluation
from glocalx.report.content import HeldOut

Row = dict[str, object]


def held_out_rows(held_out: HeldOut) -> list[Row]:
    """One row for the rules and one for each baseline; what is undefined is None."""
    methods = {"rules": held_out.rules, **held_out.baselines}
    return [_row(name, each, held_out) for name, each in methods.items()]


def _row(name: str, each: Evaluation, held_out: HeldOut) -> Row:
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


def _figure(name: str, value: float | None, interval: Bounds | None) -> Row:
    low, high = interval if interval is not None else (None, None)
    return {name: value, f"{name}_low": low, f"{name}_high": high}
