"""What auditors of classifiers ask besides: mistakes, and groups among records that are alike."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from glocalx.audit import Audit, AuditSettings, run_audit
from glocalx.audit.classifier_audit import ClassifierAudit, ClassifierQuestions, audit_classifier
from glocalx.audit.table_source import column_texts, group_columns, table_source
from glocalx.audit.true_outcome import TrueOutcome
from glocalx.errors import GLocalXError
from glocalx.pipeline.settings import SelectionSettings
from glocalx.report.tables.classifier import classifier_sentences, given_table, parity_table
from glocalx.workspace.run import Run
from ui.audit.drawing import draw_table
from ui.audit.result import Audited, audited_of
from ui.layout import problem
from ui.opened import explained_of, kept, theory_of
from ui.text import plain

MOST_VALUES = 12
_TRUTH, _VALUE, _GIVEN = "true_column", "true_value", "given_factors"


@kept("data", "merge", most=24)
def classifier_of(
    run: Run, chosen: SelectionSettings, asked: AuditSettings, questions: ClassifierQuestions
) -> tuple[Audit, ClassifierAudit]:
    """The answers, and the audit that they are of. Raises GLocalXError where there are none."""
    facts = explained_of(run)
    said = {"explain": facts.explained_labels, "test": facts.held_out.labels}
    source = table_source(
        facts.split.table,
        facts.split.parts,
        facts.schema,
        said,
        part=asked.part,
        columns=(*asked.by, *(name for name in questions.given if name not in asked.by)),
        truth=questions.truth,
    )
    audit = audited_of(run, chosen, asked).audit
    if questions.truth is not None:
        theory = theory_of(run, chosen)
        audit = run_audit(source, theory, replace(asked, features=asked.by))
    return audit, audit_classifier(source, audit, questions)


def questions_now(run: Run, asked: AuditSettings) -> ClassifierQuestions:
    """What is chosen in the card, wherever on the page that is asked."""
    state, table = st.session_state, explained_of(run).split.table
    truth, column, value = None, state.get(_TRUTH), state.get(_VALUE)
    if column in _truth_columns(run) and value in column_texts(table, column):
        other = next(name for name in explained_of(run).schema.outcomes if name != asked.outcome)
        values = column_texts(table, column)
        means = [(each, asked.outcome if each == value else other) for each in values]
        truth = TrueOutcome(column, tuple(means))
    given = tuple(name for name in state.get(_GIVEN, ()) if name in _factors(run, asked))
    return ClassifierQuestions(given, tolerance=asked.tolerance, truth=truth)


def _truth_columns(run: Run) -> list[str]:
    """Columns of few values, where there are two outcomes: it is so, or it is not."""
    facts = explained_of(run)
    if len(facts.schema.outcomes) != 2:
        return []
    columns = facts.split.table.columns
    return [each.name for each in columns if 1 < each.distinct <= MOST_VALUES]


def _factors(run: Run, asked: AuditSettings) -> list[str]:
    return [name for name in group_columns(explained_of(run).split.table) if name not in asked.by]


def classifier_card(run: Run, chosen: SelectionSettings, audited: Audited, outcome: str) -> None:
    """Mistakes in each group, and each group among records that are alike."""
    asked = audited.asked
    with st.container(border=True):
        st.header("Mistakes, and reasons that may be fair", anchor=False)
        st.caption(
            "Precision: of those called so, the share for whom it is true. Equalized odds: hits "
            "and false alarms are the same in all groups."
        )
        _ask(run, asked, outcome)
        try:
            audit, found = classifier_of(run, chosen, asked, questions_now(run, asked))
        except GLocalXError as error:
            problem(error)
            return
        said = classifier_sentences(found, outcome)
        if not said:
            st.markdown("The true outcome is not known here. Name the column that holds it.")
        st.markdown("\n".join(f"- {plain(each)}" for each in said))
        for table in found.parity:
            shown = parity_table(audit, table, outcome)
            if shown.rows:
                st.markdown(f"**{plain(shown.caption)}**")
                draw_table(shown)
        if found.given is not None:
            shown = given_table(audit, found.given)
            if shown.rows:
                st.markdown(f"**{plain(shown.caption)}**")
                draw_table(shown)


def _ask(run: Run, asked: AuditSettings, outcome: str) -> None:
    table, columns = explained_of(run).split.table, _truth_columns(run)
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        column = st.selectbox(
            "The true outcome is in",
            columns,
            index=None,
            placeholder="the labels of the table",
            format_func=plain,
            key=_TRUTH,
            disabled=not columns,
            help="What really happened, where that is another column than the one that the model "
            "was trained on. For tables of two outcomes.",
        )
        st.selectbox(
            f"{plain(outcome)} where it is",
            [] if column is None else column_texts(table, column),
            index=None,
            placeholder="choose",
            format_func=plain,
            key=_VALUE,
            disabled=column is None,
        )
        st.multiselect(
            "Among records alike in",
            _factors(run, asked),
            format_func=plain,
            key=_GIVEN,
            max_selections=3,
            help="Columns that may rightly make a difference. Groups are compared inside them.",
        )
