"""The local rules as files to keep."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import streamlit as st

from glocalx.export.csv import table_to_csv
from glocalx.files import write_local_rules
from glocalx.pipeline.extracting import NO_RECORD
from glocalx.workspace.run import Run
from ui.opened import explained_of, local_rules_of, wording_of


def downloads(run: Run) -> None:
    """Two buttons; the files are made when one is pressed."""
    with st.container(horizontal=True):
        st.download_button(
            "All rules as JSON",
            lambda: rules_json(run),
            file_name="local_rules.json",
            mime="application/json",
            icon=":material/download:",
            on_click="ignore",
            help="With all that is known about them. This page reads the file again.",
        )
        st.download_button(
            "All rules as CSV",
            lambda: rules_csv(run).encode("utf-8-sig"),
            file_name="local_rules.csv",
            mime="text/csv",
            icon=":material/download:",
            on_click="ignore",
            help="One row a rule, for a spreadsheet.",
        )


def rules_json(run: Run) -> bytes:
    """The local rules in the format that GLocalX reads."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "local_rules.json"
        write_local_rules(path, local_rules_of(run), explained_of(run).schema)
        return path.read_bytes()


def rules_csv(run: Run) -> str:
    """The local rules as a table; nothing in it is a formula."""
    wording = wording_of(run)
    rows: list[dict[str, Any]] = [
        {
            "record": None if local.record == NO_RECORD else local.record + 1,
            "outcome": local.rule.outcome,
            "conditions": wording.premises(local.rule),
            "rule": wording.sentence(local.rule),
            "length": len(local.rule),
            "covered": local.covered,
            "agreed": local.agreed,
            "judged": local.judged,
            "coverage": local.coverage,
            "precision": local.precision,
        }
        for local in local_rules_of(run)
    ]
    return table_to_csv(rows)
