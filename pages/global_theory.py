"""Global theory: a few rules in the place of the black box, and whether they can be."""

import streamlit as st

from glocalx.pipeline.tables import LabelledTable
from glocalx.plots import OutcomeColours, overlap, rule_matrix
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.turns import standings
from glocalx.workspace.run import Run
from ui import work
from ui.layout import card, next_step, one_of, page_head, refusals, show
from ui.opened import colours_of, explained_of, wording_of
from ui.session import AUDIT, may_change, workspace
from ui.terms import words_of_page
from ui.text import plain
from ui.theory.cards import conflict_sentence, rule_cards, shares_of
from ui.theory.changes import changes_card
from ui.theory.curve import add_rivals, curve_card
from ui.theory.downloads import downloads
from ui.theory.other_records import other_records_card
from ui.theory.record import record_card
from ui.theory.rests_on import along_card, rests_on_card, unnamed_said
from ui.theory.selection import chooser, from_address, to_address
from ui.theory.steadiness import steadiness_card, steady_theory
from ui.theory.steer import steer_bar, steered_cards
from ui.theory.verdict import figures, verdict_card

FEW = 7
VIEWS = {"cards": "Cards", "matrix": "Matrix"}
MODES = {"read": "Read", "steer": "Steer"}
BARS = "Bar: share of records covered; solid where the black box agrees, hatched where it does not."
MATRIX = (
    "A row for each rule, a column for each feature: what the rule allows, over how the feature "
    "spreads. At the right, the records that are left and those that the rule takes."
)


@st.fragment
@refusals()
def theory_page(run: Run) -> None:
    """Choose, then show the same rules from every side, or steer them."""
    run = workspace().run(run.id)  # what is by hand may have changed since the page began
    chosen = chooser(run)
    steers = may_change(run) and from_address("mode", {m: m for m in MODES}.get, "read") == "steer"
    with st.container():  # always there: what follows keeps its place
        if steers:
            steer_bar(run, chosen)
    only_the_model = verdict_card(run, chosen)
    figures(run, chosen)
    theory, facts = steady_theory(run, chosen), explained_of(run)
    wording, colours = wording_of(run), colours_of(run)

    view = from_address("view", {view: view for view in VIEWS}.get, "cards")
    if view == "matrix" and not steers:
        rules_head(run, MATRIX)
        show(rule_matrix(theory, facts.reference, colours, wording=wording), "rule_matrix")
        below, beside = st.columns(2, gap="medium")
        with beside:
            unfinished = curve_card(run, chosen)
    else:
        cards, beside = st.columns([7, 5], gap="medium")
        below = cards if theory.size <= FEW else beside  # so that both are about as tall
        with beside:
            unfinished = curve_card(run, chosen)  # before the cards: it is to answer at once
            if steers:
                changes_card(run, chosen)
            steadiness_card(run, chosen)
        with cards:
            rules_head(run, BARS)
            if steers:
                steered_cards(run, chosen)
            else:
                rule_cards(theory, facts, wording, colours)
                if theory.steering:  # bars, directions, rules that were taken out: in no card
                    by_hand = " ".join(plain(each) for each in wording.steered(theory.steering))
                    st.caption(f":material/edit: Changed by hand. {by_hand}")
    asked = beside.container()
    with below:
        conflict_card(theory, facts, colours)
    with asked:  # last: the black box takes its time
        record_card(run, chosen)

    rests_on_card(run, chosen)
    along_card(run, chosen)
    other_records_card(run, chosen)
    only_the_model.markdown(unnamed_said(run, chosen))
    with st.container(horizontal=True, horizontal_alignment="right"):
        downloads(theory, wording, run.name)
        next_step("Audit these rules", AUDIT, run)
    if unfinished is not None:
        add_rivals(run, chosen, unfinished)


def rules_head(run: Run, how_to_read: str) -> None:
    """The title of the rules, how they are shown, and how to read them."""
    with st.container(
        horizontal=True, horizontal_alignment="distribute", vertical_alignment="bottom"
    ):
        st.header("The rules, in the order they decide", anchor=False, width="content")
        if may_change(run):
            switch("Read or steer", MODES, "mode")
        switch("Show the rules as", VIEWS, "view")
    st.caption(f"The first rule that applies decides. {shares_of(run)} {how_to_read}")


def switch(label: str, options: dict[str, str], key: str) -> None:
    """One of a few ways to see the rules, kept in the address."""
    one_of(
        label,
        options,
        key,
        on_change=to_address,
        args=(key,),
        label_visibility="collapsed",
    )


def conflict_card(theory: RankedTheory, facts: LabelledTable, colours: OutcomeColours) -> None:
    with card("Where rules conflict"):
        standing = standings(theory, facts.reference, facts.held_out)
        st.markdown(conflict_sentence(theory, standing, colours))
        if theory.size > 1:
            st.caption(
                f"Share of the {facts.reference_name}s to which two rules both apply, in per cent; "
                "≠ where they disagree."
            )
            st.html(overlap(theory, facts.reference.records, colours).html)


page_head(
    "Global theory",
    "A few rules in the place of the black box, and how far they can be trusted. Choose how many "
    "you want to read; every number on this page follows.",
)
theory_page(work.require_merged())
words_of_page(
    "Theory",
    "Fidelity",
    "Reliability",
    "Coverage",
    "Budget",
    "Price of a condition",
    "Alpha",
    "Alpha quantile",
    "Rule fidelity",
    "Held-out records",
)
