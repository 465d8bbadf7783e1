"""What is handed over with the report of a run: every record, and the SHA-256 of every file."""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Iterator, Mapping

import numpy as np
import pandas as pd
import streamlit as st

from glocalx.audit.record_file import RECORDS, iter_record_csv, iter_record_rows
from glocalx.audit.table_source import cell_texts
from glocalx.report import Prepared, ReportContent, report_files
from glocalx.report.chain import EVIDENCE, asked_of, evidence_text
from glocalx.workspace.run import Run
from ui.audit.result import Audited
from ui.opened import explained_of
from ui.theory.downloads import as_json


def ask_who_prepared() -> Prepared:
    """Fields for who prepares the report and for what; they stand in it."""
    by = st.text_input("Prepared by", key="prepared_by", max_chars=200)
    purpose = st.text_input(
        "For what",
        key="prepared_purpose",
        max_chars=500,
        help="Both stand in the report and in the list of its files.",
    )
    return Prepared((by or "").strip() or None, (purpose or "").strip() or None)


def evidence_files(run: Run, audited: Audited, content: ReportContent) -> dict[str, bytes]:
    """Every file of the report, a row for each record, and the list of all with their SHA-256."""
    files = report_files(content)
    files["theory.json"] = as_json(audited.theory, audited.wording).encode()
    files[RECORDS] = "".join(["\ufeff", *iter_record_csv(_rows(run, audited))]).encode()
    known = content.explained
    inputs: Mapping[str, Mapping[str, str] | None] = {
        "table": _input(known.table, known.table_fingerprint),
        "model": _input(known.black_box, known.black_box_fingerprint),
    }
    text = evidence_text(
        made=content.made,
        inputs=inputs,
        files={name: hashlib.sha256(held).hexdigest() for name, held in files.items()},
        asked=asked_of(audited.audit, content.prepared, audited.source.fills),
        options=None,
    )
    return {**files, EVIDENCE: text.encode()}


def _input(name: str | None, fingerprint: str | None) -> dict[str, str] | None:
    return None if name is None or fingerprint is None else {"name": name, "sha256": fingerprint}


def _rows(run: Run, audited: Audited) -> Iterator[pd.DataFrame]:
    table, parts = explained_of(run).split.table, explained_of(run).split.parts
    chosen = {"held-out": parts.test}
    if audited.asked.part == "all":
        chosen["explained"] = parts.explain
    names = [name for name, places in chosen.items() for _ in places]
    places = np.concatenate(list(chosen.values()))
    known = next((each.name for each in table.columns if each.kind == "identifier"), None)
    return iter_record_rows(
        audited.source,
        audited.audit,
        identifiers=None if known is None else cell_texts(table.unfilled(known).take(places)),
        places=table.rows[places],
        parts=names,
    )


def zipped(files: dict[str, bytes]) -> bytes:
    """All files in one."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return held.getvalue()
