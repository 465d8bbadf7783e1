"""Everything that was found, as files; with every record, and the SHA-256 of every file."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import partial

import numpy as np
import streamlit as st

from glocalx.audit import FrameSource
from glocalx.audit.classifier_audit import ClassifierQuestions
from glocalx.audit.recount import COUNTED, RECORDS, Counted
from glocalx.audit.table_source import cell_texts
from glocalx.errors import GLocalXError
from glocalx.export import theory_to_python
from glocalx.pipeline.settings import SelectionSettings
from glocalx.report import (
    HeldOut,
    MethodUsed,
    Prepared,
    Provenance,
    ReportContent,
    collect_report,
    render_report,
    report_files,
)
from glocalx.report.chain import EVIDENCE, asked_of, evidence_text, fingerprint
from glocalx.report.report import NOBODY_SAID
from glocalx.selection import FEW_RULES, STEADY_IS
from glocalx.words.escape import as_file_name
from glocalx.words.phrases import counted
from glocalx.workspace.run import Run
from ui.audit.classifier import classifier_of
from ui.audit.result import Audited, counted_on
from ui.layout import download, problem
from ui.opened import distinct_rules_of, explained_of, hierarchy_of, wording_of
from ui.session import may_have_table
from ui.theory.curve import way_of
from ui.theory.downloads import as_json, sql_download
from ui.theory.rests_on import curves_of, reliance_of
from ui.theory.steadiness import steady_theory
from ui.theory.verdict import enough_of, evaluation_of, verdict_of_rules
from ui.theory.ways_to_choose import records_said

NOTHING_MORE = ClassifierQuestions()
SINGLE = {
    "audit.json": ("All figures (JSON)", ":material/data_object:", "application/json"),
    "subgroups.csv": ("Every group (CSV)", ":material/table:", "text/csv"),
    "theory.py": ("The rules as Python", ":material/code:", "text/plain"),
    "theory.md": ("The rules as Markdown", ":material/markdown:", "text/markdown"),
}


def downloads(
    run: Run, chosen: SelectionSettings, audited: Audited, questions: ClassifierQuestions
) -> None:
    """A button for the report, one for everything, and one for each kind of file."""
    stem = f"{as_file_name(run.name, 'rules')}-audit"
    with st.popover("Download", icon=":material/download:"):
        prepared = ask_who_prepared()
        _button(
            "The report (HTML)",
            lambda: render_report(content_of(run, chosen, audited, prepared, questions)).encode(),
            f"{stem}.html",
            "text/html",
            icon=":material/description:",
            help="One file to hand on. It opens in any browser, without a network.",
        )
        try:  # names that these languages cannot say are told here, not after a click
            audited.theory.to_sql()
            theory_to_python(audited.theory)
        except GLocalXError as error:
            problem(error)
            return
        with_records = may_have_table(run)
        records = " and every record" if with_records else ""
        _button(
            "Everything (ZIP)",
            lambda: zipped(
                evidence_files(
                    run,
                    audited,
                    content_of(run, chosen, audited, prepared, questions),
                    classifier_of(run, chosen, audited.asked, questions)[2],
                    records=with_records,
                )
            ),
            f"{stem}.zip",
            "application/zip",
            icon=":material/folder_zip:",
            help=f"The report, all figures as JSON, every table{records} as CSV, the rules as SQL, "
            "Python and Markdown, and the SHA-256 of each file. With the records “glocalx audit "
            "--verify” counts all again, but for the flips: these need the model.",
        )
        for name, (label, icon, mime) in SINGLE.items():
            file = partial(_single, run, chosen, audited, name)
            _button(label, file, f"{stem}-{name}", mime, icon=icon)
        sql_download(audited.theory, stem)


def _single(run: Run, chosen: SelectionSettings, audited: Audited, name: str) -> bytes:
    return report_files(content_of(run, chosen, audited))[name]


def _button(label: str, data: Callable[[], bytes], name: str, mime: str, **options: str) -> None:
    key = f"download_{name.rpartition('-')[2]}"
    download(label, data, name, mime, key=key, width="stretch", **options)


def content_of(
    run: Run,
    chosen: SelectionSettings,
    audited: Audited,
    prepared: Prepared = NOBODY_SAID,
    questions: ClassifierQuestions = NOTHING_MORE,
) -> ReportContent:
    """Everything that is known about a run and its audit, for the report."""
    facts = explained_of(run)
    held_out = HeldOut(
        evaluation_of(run, chosen),
        majority=facts.majority_share,
        black_box_accuracy=facts.box_accuracy,
        unseen_by_black_box=run.settings.unseen,
        verdict=verdict_of_rules(run, chosen),
        enough=enough_of(run, way_of(chosen)),
    )
    return collect_report(
        steady_theory(run, chosen),
        title=run.name,
        audit=audited.audit,
        held_out=None if facts.split.parts.nothing_held_out else held_out,
        explained=_explained(run, audited),
        method=_method(run, chosen),
        wording=wording_of(run),
        rests_on=reliance_of(run),
        curves=curves_of(run, chosen),
        prepared=prepared,
        classifier=classifier_of(run, chosen, audited.asked, questions)[1],
    )


def _explained(run: Run, audited: Audited) -> Provenance:
    facts = explained_of(run)
    table = facts.split.table
    findings = [each.sentence for each in (*table.findings, *facts.split.parts.findings)]
    return Provenance(
        run=run.name,
        table=run.settings.data.name,
        table_fingerprint=table.fingerprint(),
        records=table.size,
        features=len(facts.schema.features),
        target=table.choices.outcome("target"),
        black_box=facts.box_name,
        black_box_fingerprint=_model_fingerprint(run),
        stand_in_agreement=(facts.facts.get("trained") or {}).get("agreement"),
        findings=(counted_on(run, audited.asked.part), *findings, *facts.facts.get("notes", ())),
    )


def _model_fingerprint(run: Run) -> str | None:
    """Of the file that the person brought; without one, of the answers that were explained."""
    box = run.settings.box
    if box.source == "model" and box.file is not None:
        try:
            return f"SHA-256 {fingerprint(run.folder / box.file)}"
        except GLocalXError:
            return None
    facts = explained_of(run)
    answers = [*facts.explained_labels, *facts.held_out.labels]
    digest = hashlib.sha256(json.dumps(answers).encode()).hexdigest()
    return f"SHA-256 {digest} (of its {len(answers):,} answers)"


def _method(run: Run, chosen: SelectionSettings) -> MethodUsed:
    parts, rules = explained_of(run).split.parts, run.settings.rules
    return MethodUsed(
        split={
            **({"training": len(parts.train)} if len(parts.train) else {}),
            "explaining": len(parts.explain),
            "held out": len(parts.alone[-1]),
        },
        seed=parts.seed,
        local_rules=len(distinct_rules_of(run)),
        extraction=None if rules.file else asdict(rules.extraction),
        merging=run.settings.merge.to_dict(),
        selection=chosen.to_options() | _price(run, chosen) | _candidates(run, chosen),
    )


def _price(run: Run, chosen: SelectionSettings) -> dict[str, str]:
    """What a condition had to earn; the other ways know no price."""
    if chosen.by != "budget":
        return {}
    facts, earned = explained_of(run), records_said(run, chosen.price)
    said = f"{earned}, of {facts.reference.size:,} {facts.reference_name}s"
    return {"price": "nothing" if chosen.price is None else said}


def _candidates(run: Run, chosen: SelectionSettings) -> dict[str, str]:
    """What a budget chose from; the other ways keep some of the merged rules."""
    hierarchy = hierarchy_of(run)
    if chosen.by != "budget" or hierarchy is None:
        return {}
    rules = hierarchy.every_rule().size
    if chosen.steady:
        return {"candidates": f"{STEADY_IS} ({counted(rules, 'rule')} in all)"}
    told = f"all {counted(rules, 'rule')} of the hierarchy"
    if rules < FEW_RULES:
        told += f", and each without one of its conditions, as these are fewer than {FEW_RULES}"
    return {"candidates": told}


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
    questions = content.classifier.questions if content.classifier else NOTHING_MORE
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


def _input(name: str | None, digest: str | None) -> dict[str, str] | None:
    return None if name is None or digest is None else {"name": name, "sha256": digest}


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
