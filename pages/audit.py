"""Audit: whom the answers fall on, and which rules are responsible."""

import streamlit as st

# The whole before its parts: two sessions that load parts of it would wait for each other.
from glocalx.audit import AuditSettings
from glocalx.pipeline.settings import SelectionSettings
from glocalx.report.sentences import CAVEAT
from glocalx.workspace.run import Run
from ui import work
from ui.audit.address import begin
from ui.audit.choice import choose
from ui.audit.classifier import bring_questions, classifier_card
from ui.audit.downloads import downloads
from ui.audit.findings import contents, findings_card
from ui.audit.flips import flip_card, with_chosen_flip
from ui.audit.groups import combined_card, fidelity_card, figures, forest_card, heatmap_card
from ui.audit.responsibility import ablation_card, rules_responsible
from ui.audit.result import Audited, audited_of, called, counted_on
from ui.audit.rules import rules_card
from ui.audit.tables import flags, groups_card, how_to_read, traits_card
from ui.layout import next_step, page_head, problem, refusals
from ui.opened import colours_of, explained_of, theory_of, wording_of
from ui.session import COMPARE, DATA, go
from ui.terms import words_of_page
from ui.text import coloured, plain
from ui.theory.selection import linked_selection


@st.fragment
@refusals()
def audit_page(run: Run) -> None:
    """All that depends on what is asked."""
    chosen = linked_selection(run)
    place = st.empty()
    asked = choose(run)
    if asked is None:
        ask_for_columns(run)
        return
    place.markdown(lead(run, chosen, asked), width=880)
    audited = audit(run, chosen, with_chosen_flip(run, asked))
    if audited is not None:
        show_audit(run, chosen, audited)


def ask_for_columns(run: Run) -> None:
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        st.markdown(
            "No column is chosen whose groups could be compared. Choose one above. What you mark "
            "as sensitive on the page Data and model is chosen from the start."
        )
        if st.button("Go to Data and model", icon=":material/table_rows:", key="to_data"):
            go(DATA, run)


def lead(run: Run, chosen: SelectionSettings, asked: AuditSettings) -> str:
    """Which rules are audited and on which records, as Markdown."""
    outcome = coloured(asked.outcome, colours_of(run), wording_of(run).outcome(asked.outcome))
    theory = theory_of(run, chosen)
    if not theory.size:
        default = plain(wording_of(run).outcome(theory.default))
        return f"There is no rule: everybody is answered {default}. {counted_on(run, asked.part)}"
    rules = called(theory, chosen)
    asks = {
        "theory": f"Whom {'do' if theory.size > 1 else 'does'} **{rules}** call {outcome}?",
        "black box": f"Whom does the black box call {outcome}? It is explained by **{rules}**.",
        "truth": f"Who is {outcome} in the data? The black box is explained by **{rules}**.",
    }
    by_hand = theory.steering.sentences(wording_of(run).name, wording_of(run).outcome)
    asks_whom = asks[asked.answers or "black box"]
    return f"{asks_whom} {plain(' '.join(by_hand))} {counted_on(run, asked.part)}"


def audit(run: Run, chosen: SelectionSettings, asked: AuditSettings) -> Audited | None:
    """The audit; None where it cannot be, which is said."""
    with refusals(go_on=True), st.spinner("Counting …"):
        audited = audited_of(run, chosen, asked)
        if audited.audit.answers in audited.audit.subgroups.compared:
            return audited
        problem("Nothing is known of these answers. Choose others under “Answers by”.")
    return None


def show_audit(run: Run, chosen: SelectionSettings, audited: Audited) -> None:
    colours, wording = colours_of(run), wording_of(run)
    outcome = wording.outcome(audited.asked.outcome)
    with st.container():  # always there: what follows keeps its place
        questions = bring_questions(run, audited.asked)
    with st.container(horizontal=True, horizontal_alignment="distribute"):
        contents()
        downloads(run, chosen, audited, questions)
    findings_card(audited, colours)
    flip_card(run, audited, colours)
    figures(audited, outcome)
    flags(audited)
    left, right = st.columns(2, gap="medium")
    with left:
        forest_card(audited, outcome)
    with right:
        outcomes = [wording.outcome(name) for name in explained_of(run).schema.outcomes]
        heatmap_card(audited, outcomes, colours)
    combined_card(audited, outcome)
    rules_card(audited, colours)
    group = rules_responsible(audited, outcome, colours)
    left, right = st.columns(2, gap="medium")
    with left:
        fidelity_card(audited)
    with right:
        if group is not None:
            ablation_card(audited, group)
    traits_card(audited)
    groups_card(audited, outcome)
    classifier_card(run, chosen, audited, outcome, questions)
    how_to_read(audited)
    with st.container(horizontal=True, horizontal_alignment="right"):
        next_step("Compare with other methods", COMPARE, run)


page_head(
    "Audit",
    f"Whom does each answer fall on, and which rules are responsible? {CAVEAT}",
)
run = work.require_merged()
with refusals():
    begin(run)
    audit_page(run)
words_of_page(
    "Favourable outcome",
    "Interval",
    "Corrected p",
    "Tolerance",
    "Flip test",
    "Proxy",
    "Precision",
    "Equalized odds",
    "Calibration",
    "Fidelity",
)
