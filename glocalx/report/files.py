"""Every export of a report by the name of its file."""

from __future__ import annotations

import json
from collections.abc import Mapping

from glocalx.audit import audit_tables, json_ready
from glocalx.evaluation import Bounds, Evaluation
from glocalx.export import table_to_csv, theory_to_markdown, theory_to_python
from glocalx.report.facts import HeldOut
from glocalx.report.render import render_report
from glocalx.report.report import ReportContent


def report_files(content: ReportContent) -> dict[str, bytes]:
    """The page, everything as JSON, every table as CSV, and the rules in other languages.

    CSV files begin with a byte-order mark, by which spreadsheets know UTF-8; what could be a
    formula is defused.
    """
    theory = content.theory
    texts = {
        "report.html": render_report(content),
        "report.json": _json(content.to_dict()),
        "theory.sql": theory.to_sql(),
        "theory.py": theory_to_python(theory),
        "theory.md": theory_to_markdown(theory, content.wording),
    }
    if content.audit is not None:
        texts["audit.json"] = _json(json_ready(content.audit, content.wording))
        for name, rows in audit_tables(content.audit, content.wording).items():
            texts[f"{name}.csv"] = "\ufeff" + table_to_csv(rows)
    if content.held_out is not None:
        texts["held_out.csv"] = "\ufeff" + table_to_csv(held_out_rows(content.held_out))
    return {name: text.encode("utf-8", "backslashreplace") for name, text in texts.items()}


def _json(content: Mapping[str, object]) -> str:
    return json.dumps(content, ensure_ascii=False, indent=1, allow_nan=False)


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
