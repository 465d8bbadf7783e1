"""Runs: everything that was done here, to go on with, copy, compare, hand on or delete."""

import time
from collections.abc import Sequence

import streamlit as st

from glocalx.words.escape import as_file_name
from glocalx.workspace.exchange import export_run, export_unreadable, import_run
from glocalx.workspace.run import LINKS, Run
from glocalx.workspace.store import UnreadableRun
from ui.layout import card, download, page_head, refusals
from ui.runs_list import best_page, browser_zone, link_to, runs_frame, select_runs
from ui.session import (
    COMPARE,
    DATA,
    START,
    close_run,
    go,
    jobs,
    may_bring_models,
    owner,
    who_signed_in,
    workspace,
)
from ui.text import plain

MOST_MEGABYTES = 200
GIVEN = {
    "results": "sees rules and figures, neither the table nor single records",
    "table": "sees everything, and can copy it with the table",
    "nothing": "sees nothing: the link is taken back",
}


@st.dialog("Delete runs")
def ask_to_delete(chosen: Sequence[Run | UnreadableRun]) -> None:
    names = ", ".join(plain(run.name) for run in chosen)
    st.markdown(f"{names}: the table, the model, the rules and all merges will be gone for good.")
    with st.container(horizontal=True, horizontal_alignment="right"):
        if st.button("Keep", key="keep"):
            st.rerun()
        if st.button("Delete for good", type="primary", key="delete_for_good"):
            for run in chosen:
                if isinstance(run, Run):
                    jobs().end(run)
                workspace().delete(run)
                if st.session_state.get("run") == run.id:
                    close_run()
            st.session_state.runs_changed = st.session_state.get("runs_changed", 0) + 1
            st.rerun()


def one_run(run: Run) -> None:
    """What can be done with one run."""
    st.header(plain(run.name), anchor=False)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if st.button("Open", type="primary", icon=":material/arrow_forward:", key="open"):
            go(best_page(run), run)
        if st.button(
            "Copy, to try other settings", icon=":material/content_copy:", key="duplicate"
        ):
            go(DATA, workspace().duplicate(run, owner()))
        download(
            "Export as one file",
            lambda: export_run(run),
            f"{as_file_name(run.name, 'run')}.glocalx.zip",
            "application/zip",
            key="export",
            help="Table, model file, rules and merges, to be opened by GLocalX elsewhere. A model "
            "that was trained here is not in it: it is trained again, which gives the same one.",
        )
        if st.button("Delete", icon=":material/delete:", key="delete"):
            ask_to_delete([run])
    left, right = st.columns(2, gap="medium")
    with (
        left,
        st.form("rename", border=False),
        st.container(horizontal=True, vertical_alignment="bottom"),
    ):
        name = st.text_input("Name", value=run.name, max_chars=80, key=f"name_{run.id}")
        if st.form_submit_button("Rename"):
            with refusals(go_on=True):
                workspace().save(run, name=name)
                st.rerun()
    with right:
        given = st.selectbox(
            "Whoever has the link",
            LINKS,
            index=LINKS.index(run.link),
            format_func=GIVEN.__getitem__,
            key=f"link_{run.id}_{run.link}",
            help="Nobody but you changes the run. A link can be taken back at any time.",
        )
        if given != run.link:
            workspace().save(run, link=given)
            st.rerun()
        if run.link != "nothing":
            st.code(link_to(run), language=None)


def one_unreadable(run: UnreadableRun) -> None:
    """What is wrong with a run, and what can still be done with it."""
    st.markdown(f"**{plain(run.name)}** {plain(run.sentence)}")
    with st.container(horizontal=True):
        download(
            "Export its files",
            lambda: export_unreadable(run),
            f"{as_file_name(run.name, 'run')}.zip",
            "application/zip",
            key=f"export_{run.id}",
        )
        if st.button("Delete", icon=":material/delete:", key=f"delete_{run.id}"):
            ask_to_delete([run])


def bring() -> None:
    """Take in a run that was exported."""
    brought = st.file_uploader(
        "An exported run (.zip)",
        type="zip",
        max_upload_size=MOST_MEGABYTES,
        key=f"bring_{st.session_state.get('runs_changed', 0)}",
    )
    if brought is None:
        return
    with refusals(go_on=True):
        run = import_run(workspace(), owner(), brought.getvalue(), models=may_bring_models())
        st.session_state.runs_changed = st.session_state.get("runs_changed", 0) + 1
        go(best_page(run), run)


page_head(
    "Runs",
    "Everything you did is saved as it happens, with its settings and its seed: "
    "close the page, or the server, and go on here.",
)
who_signed_in()
runs = workspace().runs(owner())
if runs:
    with st.container(border=True):
        st.caption("Select one run to open, copy, export or delete it; select two to compare them.")
        chosen = select_runs(
            "runs",
            runs,
            runs_frame(runs, time.time(), browser_zone()),
            "multi-row",
            column_config={
                "Fidelity": st.column_config.NumberColumn(
                    format="%.1f %%",
                    help="How often the rules give the same answer as the black box, on held-out "
                    "records where there are some.",
                ),
            },
            placeholder="–",
            alt="Table of your runs",
        )
    if len(chosen) == 1:
        with st.container(border=True):
            one_run(chosen[0])
    elif chosen:
        with st.container(border=True, horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{len(chosen)} runs** selected.")
            if len(chosen) == 2 and st.button(
                "Compare the two", type="primary", icon=":material/compare_arrows:", key="compare"
            ):
                go(COMPARE, chosen[0], other=chosen[1].id)
            if st.button("Delete", icon=":material/delete:", key="delete_many"):
                ask_to_delete(chosen)
else:
    with st.container(border=True):
        st.markdown("No runs yet. Open a sample or bring a table, and it will be listed here.")
        if st.button("Go to Start", type="primary", key="to_start"):
            go(START)
lost = workspace().unreadable(owner())
if lost:
    with card("Runs that cannot be read"):
        st.caption(
            "They were made by another version, or are damaged. Export one to open it there, or "
            "delete it."
        )
        for each in lost:
            one_unreadable(each)
with card("Bring a run from elsewhere"):
    bring()
with st.expander("Where runs are kept", icon=":material/folder:"):
    st.markdown(
        "In a folder on the computer that runs this dashboard. Set the environment variable "
        "`GLOCALX_WORKSPACE` before starting it to use another one."
    )
    st.code(str(workspace().folder), language=None)
    st.caption(
        "Runs belong to the browser that made them, or to the person who signed in where signing "
        "in is set up. Another browser sees them only through their links."
    )
