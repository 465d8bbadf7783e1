"""What auditors of classifiers ask besides: mistakes, and groups among records that are alike."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt
import streamlit as st

from glocalx.audit import Audit, AuditSettings, FrameSource, run_audit
from glocalx.audit.classifier_audit import ClassifierAudit, ClassifierQuestions, audit_classifier
from glocalx.audit.table_source import column_texts, group_columns
from glocalx.audit.true_outcome import TrueOutcome
from glocalx.blackbox.base import stands_in
from glocalx.pipeline.settings import SelectionSettings
from glocalx.report.tables.classifier import (
    calibration_data,
    classifier_sentences,
    given_table,
    parity_table,
)
from glocalx.workspace.run import Run
from ui.audit.address import bring_one_of, bring_some_of, in_step, key
from ui.audit.drawing import draw_table
from ui.audit.findings import CONTENTS
from ui.audit.result import Audited, asked_frame, audited_of, read_source
from ui.layout import card, refusals
from ui.opened import black_box_of, explained_of, kept, theory_of
from ui.text import plain

MOST_VALUES = 12
NOT_SAID = ""
PROBABILITY = "probability by the model"


@kept("data", "merge", "box", most=24)
def classifier_of(
    run: Run, chosen: SelectionSettings, asked: AuditSettings, questions: ClassifierQuestions
) -> tuple[Audit, ClassifierAudit, FrameSource]:
    """The answers, the audit and the records that they are of. Raises GLocalXError without any."""
    promised = _promised(run, asked)
    columns = tuple(dict.fromkeys([*asked.by, *questions.given]))
    source = read_source(run, asked.part, columns, truth=questions.truth, probability=promised)
    audit = audited_of(run, chosen, asked).audit
    if questions.truth is not None:
        theory = theory_of(run, chosen)
        audit = run_audit(source, theory, replace(asked, features=asked.by, flips=()))
    if promised and audit.tally.has_truth:
        questions = replace(questions, probability=PROBABILITY)
    return audit, audit_classifier(source, audit, questions), source


def _promised(run: Run, asked: AuditSettings) -> dict[str, npt.NDArray[np.float64]]:
    """The model's probabilities of the outcome; of a stand-in for it they would not be its own."""
    box = black_box_of(run)
    if box is None or stands_in(box):
        return {}
    found = box.probabilities(asked_frame(run, asked.part))
    return {} if found is None else {PROBABILITY: found[:, box.outcomes.index(asked.outcome)]}


def bring_questions(run: Run, asked: AuditSettings) -> ClassifierQuestions:
    """What the card asks, or the address where the card was not drawn yet."""
    facts = explained_of(run)
    table, columns = facts.split.table, _truth_columns(run)
    column = bring_one_of("truth", [NOT_SAID, *columns], NOT_SAID)
    values = column_texts(table, column) if column else []
    value = bring_one_of("true", [NOT_SAID, *values], NOT_SAID)
    given = bring_some_of("given", _factors(run, asked), ())
    truth = None
    if column and value:
        other = next(name for name in facts.schema.outcomes if name != asked.outcome)
        means = [(each, asked.outcome if each == value else other) for each in values]
        truth = TrueOutcome(column, tuple(means))
    return ClassifierQuestions(tuple(given), truth=truth)


def _truth_columns(run: Run) -> list[str]:
    """Columns of few values, where there are two outcomes: it is so, or it is not."""
    facts = explained_of(run)
    if len(facts.schema.outcomes) != 2:
        return []
    columns = facts.split.table.columns
    return [each.name for each in columns if 1 < each.distinct <= MOST_VALUES]


def _factors(run: Run, asked: AuditSettings) -> list[str]:
    return [name for name in group_columns(explained_of(run).split.table) if name not in asked.by]


def classifier_card(
    run: Run,
    chosen: SelectionSettings,
    audited: Audited,
    outcome: str,
    questions: ClassifierQuestions,
) -> None:
    """Mistakes in each group, probabilities, and each group among records that are alike."""
    asked = audited.asked
    with card("Mistakes, and reasons that may be fair", anchor=CONTENTS["Mistakes"]):
        st.caption(
            "Precision: of those called so, the share for whom it is true. Equalized odds: hits "
            "and false alarms are the same in all groups. Where the model gives probabilities: of "
            "those with 70 %, seven in ten should be it, in every group."
        )
        _ask(run, asked, outcome)
        with refusals(go_on=True):
            audit, found, _ = classifier_of(run, chosen, asked, questions)
            said = classifier_sentences(found, outcome)
            if not said:
                st.markdown("The true outcome is not known here. Name the column that holds it.")
            st.markdown("\n".join(f"- {plain(each)}" for each in said))
            tables = [parity_table(audit, table, outcome) for table in found.parity]
            if found.calibration is not None:
                tables.append(calibration_data(audit, found.calibration, outcome))
            if found.given is not None:
                tables.append(given_table(audit, found.given))
            for shown in tables:
                if shown.rows:
                    st.markdown(f"**{plain(shown.caption)}**")
                    draw_table(shown)


def _ask(run: Run, asked: AuditSettings, outcome: str) -> None:
    columns, column = _truth_columns(run), st.session_state[key("truth")]
    values = column_texts(explained_of(run).split.table, column) if column else []
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        st.selectbox(
            "The true outcome is in",
            [NOT_SAID, *columns],
            format_func=lambda name: plain(name) or "the labels of the table",
            disabled=not columns,
            help="What really happened, where that is another column than the one that the model "
            "was trained on. For tables of two outcomes.",
            **in_step("truth"),
        )
        st.selectbox(
            f"{plain(outcome)} where it is",
            [NOT_SAID, *values],
            format_func=lambda text: plain(text) or "choose",
            disabled=not column,
            **in_step("true"),
        )
        st.multiselect(
            "Among records alike in",
            _factors(run, asked),
            format_func=plain,
            max_selections=3,
            help="Columns that may rightly make a difference. Groups are compared inside them.",
            **in_step("given"),
        )
