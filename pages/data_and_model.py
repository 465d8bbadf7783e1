"""Data and model: what the columns are for, what was repaired, and how good the black box is."""

import streamlit as st

from ui import work
from ui.data.box import box_card, still_to_bring
from ui.data.changes import ask_about_proposal, show_refusal
from ui.data.overview import findings_card, first_rows, table_metrics
from ui.data.roles import roles_card
from ui.data.split import split_card
from ui.data.target import findings_before_target, target_card
from ui.layout import next_step, page_head, refusals, require_run, shows_records
from ui.local_rules.settings import rules_cost
from ui.opened import explained_of, shared_of, table_of
from ui.session import RULES, THEORY, go, jobs, may_change, may_have_table
from ui.terms import words_of_page

page_head(
    "Data and model",
    "Check what each column is for, what had to be repaired, and how good the black box is "
    "**before** you ask it for reasons.",
)
run = require_run()
with refusals():
    table = table_of(run)
state = jobs().state(run)
locked = state.busy or not may_change(run)
show_refusal()

if table.choices.outcome("target") is None:
    if shows_records(run):
        target_card(run, table, locked)
        findings_before_target(table)
        first_rows(table, opened=True)
    st.stop()

with refusals():
    shared = shared_of(run)
unread = explained_of(run).unread if run.done("model") else ()
table_metrics(table, shared, unread)
if state.busy and may_change(run):
    st.caption("While the work goes on, nothing can be changed. Cancel it first.")

left, right = st.columns([3, 2], gap="medium")
with left:
    roles_card(run, table, unread, locked)
    split_card(run, table, shared, locked)
with right:
    findings_card(run, shared, locked)
    box_card(run, table, shared, state, locked)
if may_have_table(run):
    first_rows(table)
ask_about_proposal(run)

if run.done("rules"):
    next_step("See the local rules", RULES, run)
    st.stop()

to_bring = still_to_bring(run)
with st.container(horizontal=True, horizontal_alignment="right", vertical_alignment="center"):
    before_the_buttons = st.empty()
    everything = st.button(
        "Straight to the global theory",
        key="everything",
        disabled=locked or bool(to_bring),
        help="Writes local rules and merges them, with the settings as they are.",
    )
    rules = st.button(
        "Write local rules",
        type="primary",
        icon=":material/arrow_forward:",
        icon_position="right",
        key="next_step",
        disabled=locked or bool(to_bring),
    )
if everything:
    work.start(run, "merge")
    go(THEORY, run)
if rules:
    work.start(run, "rules")
    go(RULES, run)
before_the_buttons.caption(to_bring or rules_cost(run, run.settings.rules), width="content")
words_of_page(
    "Record",
    "Outcome",
    "Black box",
    "Stand-in",
    "Held-out records",
    "Accuracy",
    "Seed",
)
