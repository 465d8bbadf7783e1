"""Every export of a report by the name of its file."""

from __future__ import annotations

import json
from collections.abc import Mapping

from glocalx.audit import audit_tables, json_ready
from glocalx.export import table_to_csv, theory_to_markdown, theory_to_python
from glocalx.report.content import ReportContent
from glocalx.report.held_out_table import held_out_rows
from glocalx.report.page import render_report


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
