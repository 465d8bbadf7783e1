"""Reports to look at: COMPAS with all that can be known, and a table with hostile names."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime
from functools import cache

import numpy as np
import pandas as pd

from glocalx.audit import AuditSettings, FrameSource, run_audit
from glocalx.audit.classifier_audit import ClassifierQuestions, audit_classifier
from glocalx.evaluation import evaluate
from glocalx.evaluation.verdict import verdict_on
from glocalx.extraction.settings import ExtractionSettings
from glocalx.merging.search import MergeSettings
from glocalx.report import HeldOut, MethodUsed, Prepared, Provenance, ReportContent, collect_report
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.coverage import Records
from glocalx.rules.schema import Schema
from glocalx.rules.scoring import Reference
from glocalx.words.wording import Wording
from tests.audit.audited import compas

MADE = datetime(2026, 11, 16, 9, 30, tzinfo=UTC)
IMG = "<img src=x onerror=document.title='hacked'>"
SCRIPT = "</style></title><script>document.title='hacked'</script>"
LONG = "a_column_name_without_any_end_" * 6


@cache
def full() -> ReportContent:
    """Everything known: audit by three columns, held-out figures, baselines, settings."""
    work = compas()
    by, bands = ("race", "sex", "age"), {"age": (25, 45)}
    settings = AuditSettings("High", by, bands=bands, combinations="none")
    reference = Reference(Records(work.schema, work.frame), work.black_box)
    audit = run_audit(work.source, work.theory, settings)
    questions = ClassifierQuestions(("priors_count",))
    fewer = RankedTheory(work.schema, work.theory.ranked[:3], work.theory.default)
    return collect_report(
        work.theory,
        title="COMPAS, random forest",
        audit=audit,
        classifier=audit_classifier(work.source, audit, questions),
        held_out=HeldOut(
            evaluate(work.theory, reference, work.truth),
            {"tree, 10 leaves": evaluate(fewer, reference, work.truth)},
            majority=0.9,
            black_box_accuracy=0.84,
            verdict=verdict_on(work.theory, reference),
            enough=4,
        ),
        explained=Provenance(
            run="first run",
            table="compas.csv",
            table_fingerprint="ab12" * 16,
            records=7214,
            features=13,
            target="score",
            black_box="random forest",
            black_box_fingerprint="cd34" * 16,
            findings=("“length_of_stay” lacks 307 values; they were replaced by the mean, 19.",),
        ),
        method=MethodUsed(
            split={"training": 5050, "explaining": 1515, "held out": 649},
            seed=7,
            local_rules=1226,
            extraction=asdict(ExtractionSettings()),
            merging=MergeSettings(seed=7).to_dict(),
            selection={"budget": 6},
        ),
        wording=Wording(work.schema, reference.records),
        made=MADE,
        prepared=Prepared("A. N. Other", "the hearing of 16 November"),
    )


@cache
def bare() -> ReportContent:
    """Rules and nothing else."""
    return collect_report(compas().theory, made=MADE)


@cache
def hostile() -> ReportContent:
    """Columns, categories, outcomes and files that try to be markup; three outcomes."""
    rng = np.random.default_rng(0)
    size = 400
    frame = pd.DataFrame(
        {
            IMG: rng.choice([SCRIPT, "plain", "=1+1"], size),
            LONG: rng.integers(0, 50, size),
            "‮reversed": rng.choice(["x" * 120, "&amp;"], size),
        }
    )
    outcomes = np.array([IMG, "b & c", "<b>bold</b>"], dtype=object)
    labels = outcomes[rng.integers(0, 3, size)]
    schema = Schema.of(frame, labels)
    rules = [
        schema.rule({IMG: [SCRIPT]}, IMG),
        schema.rule({LONG: (10, 30), IMG: ["plain"]}, "b & c"),
        schema.rule({"‮reversed": ["&amp;"]}, "<b>bold</b>"),
    ]
    theory = RankedTheory.of(rules, Reference(Records(schema, frame), labels))
    source = FrameSource(schema, frame, labels, labels)
    audit = run_audit(source, theory, AuditSettings(IMG, (IMG, "‮reversed")))
    known = Provenance(table=SCRIPT, black_box=IMG, target=LONG, findings=(SCRIPT,))
    method = MethodUsed(selection={SCRIPT: IMG}, split={IMG: 3})
    return collect_report(
        theory, title=IMG + SCRIPT, audit=audit, explained=known, method=method, made=MADE
    )
