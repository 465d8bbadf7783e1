"""What is handed over with the report of a run: every record, and the SHA-256 of every file."""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Mapping

import numpy as np
import streamlit as st

from glocalx.audit import FrameSource
from glocalx.audit.classifier_audit import ClassifierQuestions
from glocalx.audit.record_file import RECORDS
from glocalx.audit.recount import COUNTED, Counted
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


def evidence_files(
    run: Run, audited: Audited, content: ReportContent, judged: FrameSource, *, records: bool
) -> dict[str, bytes]:
    """The report's files, the records and all they were counted from, and every file's SHA-256.

    `judged` are the records on which mistakes were counted; `records`: whether whoever looks may
    have them. A file that is made after a click no longer knows who that is.
    """
    questions = content.classifier.questions if content.classifier else ClassifierQuestions()
    counted = _counted(run, audited, judged, questions)
    files = report_files(content)
    files["theory.json"] = as_json(audited.theory, audited.wording).encode()
    if records:
        files[RECORDS] = counted.record_file(audited.audit)
        files[COUNTED] = counted.to_json().encode()
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


def _counted(
    run: Run, audited: Audited, judged: FrameSource, questions: ClassifierQuestions
) -> Counted:
    table, parts = explained_of(run).split.table, explained_of(run).split.parts
    chosen = {"explained" if parts.nothing_held_out else "held-out": parts.test}
    if audited.asked.part == "all":
        chosen["explained"] = parts.explain
    places = np.concatenate(list(chosen.values()))
    known = next((each.name for each in table.columns if each.kind == "identifier"), None)
    return Counted(
        audited.source,
        judged,
        audited.asked,
        questions,
        table.rows[places].tolist(),
        [name for name, some in chosen.items() for _ in some],
        None if known is None else cell_texts(table.unfilled(known).take(places)),
    )


def zipped(files: dict[str, bytes]) -> bytes:
    """All files in one."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return held.getvalue()
