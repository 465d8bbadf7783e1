"""The card with the columns: an editor whose changes are taken or refused at once."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import streamlit as st

from glocalx.errors import GLocalXError
from glocalx.pipeline.settings import RunSettings
from glocalx.pipeline.tables import positive_outcome
from glocalx.table import Table
from glocalx.words.phrases import listing
from glocalx.workspace.run import Run
from ui.data.changes import is_stale, propose, refuse, version
from ui.data.columns import (
    KIND,
    KINDS,
    MISSING,
    NAME,
    ROLE,
    ROLES,
    SHOWN,
    VALUES,
    Edit,
    columns_frame,
    edited,
    edits_from,
)
from ui.text import plain

ROW, HEADER, MOST_HEIGHT = 35, 38, 530
FEW_OUTCOMES = 5
ROLE_HELP = (
    "**Outcome**: what is to be explained. **Feature**: rules may speak of it. **Sensitive**: a "
    "feature that the audit watches. **Predictions**: answers of a model you do not have. **True "
    "label**: what was true, if the outcome is a model’s answer. **Leave out**: nobody uses it."
)


def roles_card(run: Run, table: Table, locked: bool) -> None:
    """What each column is for, and the outcome that people ask about."""
    with st.container(border=True):
        st.subheader("What each column is for", anchor=False)
        _editor(run, table, locked)
        st.caption(f"Change a name, a kind or a role in the table.{_sensitive_note(table)}")
        _positive(run, table, locked)


@st.cache_resource(max_entries=6, show_spinner=False)
def _frame(folder: object, data: str, _table: Table) -> pd.DataFrame:
    return columns_frame(_table)


def _editor(run: Run, table: Table, locked: bool) -> None:
    key = f"columns_{version()}"
    st.data_editor(
        _frame(run.folder, repr(run.settings.data), table),
        key=key,
        hide_index=True,
        height=min(HEADER + ROW * len(table.columns), MOST_HEIGHT),
        row_height=ROW,
        disabled=True if locked else [NAME, VALUES, MISSING],
        on_change=_edited,
        args=(run, table, key),
        alt=f"{len(table.columns)} columns with their names, kinds, roles and missing values.",
        column_config={
            SHOWN: st.column_config.TextColumn(width="medium", required=True, max_chars=60),
            NAME: st.column_config.TextColumn(width="small"),
            KIND: st.column_config.SelectboxColumn(
                width="small", options=list(KINDS.values()), required=True
            ),
            ROLE: st.column_config.SelectboxColumn(
                width="small", options=list(ROLES.values()), required=True, help=ROLE_HELP
            ),
            VALUES: st.column_config.BarChartColumn(
                width="small", y_min=0, color="#7A7F87", help="How the values spread."
            ),
            MISSING: st.column_config.NumberColumn(width="small", format="localized"),
        },
    )


def _sensitive_note(table: Table) -> str:
    marked = [f.column for f in table.findings if f.topic == "sensitive" and f.column]
    if not marked:
        return ""
    were = "was" if len(marked) == 1 else "were"
    named = "its name" if len(marked) == 1 else "their names"
    return f" {plain(listing(marked))} {were} marked sensitive because of {named}."


def _edited(run: Run, table: Table, key: str) -> None:
    """Take what was changed in the editor, or say why not."""
    if is_stale(key):
        return
    edits = edits_from(table, st.session_state[key]["edited_rows"])
    propose_edits(run, table, edits)


def propose_edits(
    run: Run, table: Table, edits: list[Edit], settings: RunSettings | None = None
) -> None:
    """Propose edits of columns if the table can be read so."""
    try:
        made = edited(settings or run.settings, table, edits)
    except GLocalXError as error:
        refuse(error)
    else:
        propose(run, made, " ".join(edit.sentence for edit in edits))


def _positive(run: Run, table: Table, locked: bool) -> None:
    """The outcome that people ask about; it gets the orange."""
    labels = table.schema().outcome_labels
    outcomes = sorted({str(text) for text in table.target})
    key = f"positive_{version()}"
    choose = st.pills if len(outcomes) <= FEW_OUTCOMES else st.selectbox
    now = positive_outcome(table, run.settings.data)
    start = {"default": now} if choose is st.pills else {"index": outcomes.index(now)}
    safe = plain if choose is st.pills else str
    choose(
        "Which outcome do people ask about?",
        outcomes,
        format_func=lambda outcome: safe(labels.get(outcome, outcome)),
        key=key,
        required=True,
        disabled=locked,
        on_change=_positive_changed,
        args=(run, key),
        help="It is shown in orange everywhere, and audits count how often each group gets it.",
        **start,
    )


def _positive_changed(run: Run, key: str) -> None:
    if is_stale(key):
        return
    data = replace(run.settings.data, positive=st.session_state[key])
    propose(run, replace(run.settings, data=data), "Another outcome is asked about.")
