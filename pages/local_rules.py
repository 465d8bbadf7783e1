"""Local rules: have them written, or bring them; search them; read one at a time."""

import streamlit as st

from glocalx.words.phrases import counted
from glocalx.workspace.jobs import JobState
from glocalx.workspace.run import Run
from ui import work
from ui.data.giveaways import giveaways_told
from ui.layout import empty, next_step, page_head, refusals, require_run, shows_records
from ui.local_rules.browse import begin_afresh, browse, rule_index_of, say_unknown_filters
from ui.local_rules.files import bring, downloads
from ui.local_rules.reading import nothing_read, record_card, rule_card, stability_card
from ui.local_rules.settings import choose, merge_cost, summary, write_again, write_button
from ui.opened import shared_of
from ui.session import DATA, MERGE, jobs, may_change
from ui.terms import words_of_page

LOOK_AGAIN_SECONDS = 2.5  # while rules are being written


@refusals()
def waiting(run: Run) -> None:
    """Work goes on, and there is nothing to read yet."""
    if run.done("model") and rule_index_of(run).rules:
        st.rerun()
    if jobs().state(run).until != "model":
        st.markdown("The first rules appear here in a moment.")


@refusals()
def first_rules(run: Run) -> None:
    """There are none yet: write some, or bring some."""
    if not may_change(run):
        st.markdown("No local rules have been written in this run yet.")
        return
    giveaways_told(run, locked=False)
    with st.container(border=True):
        st.markdown(
            f"No local rules yet. **{len(shared_of(run).explain):,}** records were set apart to "
            "be explained. Each of them, or as many as you say, gets a rule of its own; all of "
            "them judge the rules."
        )
        here, elsewhere = st.tabs(["Write them here", "Bring rules made elsewhere"])
        with here:
            settings = choose(run, folded=True)
            write_button(run, settings)
        with elsewhere:
            bring(run, begun=False)


def unfinished(run: Run, state: JobState) -> None:
    """Where some rules are there and nobody is writing the rest, offer to."""
    begun = run.done("model") and run.begun("rules") and not run.done("rules")
    if not begun or state.busy or state.state == "stopped":
        return
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        st.markdown("Not all rules are written yet.")
        if may_change(run) and st.button("Go on", icon=":material/play_arrow:"):
            work.start(run, "rules")
            st.rerun()


@refusals()
def how_written(run: Run, busy: bool) -> None:
    """The settings of the rules that are there, and how to get others."""
    with st.expander("How these rules were written", icon=":material/tune:"):
        shared = shared_of(run)
        st.markdown(summary(run.settings.rules, len(shared.explain), shared.drawn))
        if not may_change(run):
            return
        if busy:
            st.caption("The settings can be changed when the work has ended or was cancelled.")
            return
        here, elsewhere = st.tabs(["Write them here", "Bring rules made elsewhere"])
        with here:
            write_again(run, choose(run, folded=False))
        with elsewhere:
            bring(run, begun=True)


@refusals()
def rules(run: Run, busy: bool) -> None:
    """Search on the left, read on the right."""
    table = rule_index_of(run)
    left, right = st.columns([8, 6], gap="medium")
    with left:
        number = browse(run, table, whole=run.done("rules"))
        downloads(run)
    with right:
        local = table.numbered(number)
        if local is None or number is None:
            nothing_read(number, "rule" if table.brought else "record")
            return
        rule_card(run, table, local, number)
        if not table.brought and shows_records(run):
            record_card(run, local)
            stability_card(run, local, busy)


def merge_next(run: Run) -> None:
    """On to merging, which begins when the button is pressed."""
    if not run.done("rules"):
        next_step(
            "Merge these rules", MERGE, run, "All rules have to be written first", disabled=True
        )
        return
    different = rule_index_of(run).different
    if not run.missing("merge"):
        next_step("See how they were merged", MERGE, run, counted(different, "different rule"))
    elif may_change(run):
        next_step(
            "Merge these rules",
            MERGE,
            run,
            merge_cost(different),
            before=lambda: work.start(run, "merge"),
        )


with st.container():  # what is below keeps its place, whatever is said up here
    page_head(
        "Local rules",
        "Each rule says, for one record, which facts were enough for the black box’s answer. Read "
        "a few before merging them: if these make no sense, neither will the summary.",
    )
    run = require_run()
    state = work.watch(run, "rules")
    unfinished(run, state)
with refusals():
    if state.busy and not (run.done("model") and rule_index_of(run).rules):
        st.fragment(waiting, run_every=1)(run)
    elif not run.done("model"):
        empty("No black box has been asked yet.", "Go to Data and model", DATA)
    elif not rule_index_of(run).rules:
        st.fragment(first_rules)(run)
    else:
        with st.container():
            say_unknown_filters(run, rule_index_of(run))
        begin_afresh(run)
        st.fragment(how_written)(run, state.busy)
        again = LOOK_AGAIN_SECONDS if state.busy and not run.done("rules") else None
        st.fragment(rules, run_every=again)(run, state.busy)
        merge_next(run)
words_of_page(
    "Rule",
    "Local rule",
    "Condition",
    "Coverage",
    "Neighbourhood",
)
