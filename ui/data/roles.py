"""The card with the columns: an editor whose changes are taken or refused at once."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

import pandas as pd
import streamlit as st

from glocalx.errors import GLocalXError
from glocalx.pipeline.column_edits import KINDS, ROLES, ColumnEdit, with_edits
from glocalx.pipeline.settings import RunSettings
from glocalx.pipeline.tables import positive_outcome
from glocalx.table import Column, Table
from glocalx.table.preview import spread
from glocalx.words.phrases import listing
from glocalx.workspace.run import Run
from ui.data.changes import propose, refuse, taken
from ui.data.may_change import may_change_form
from ui.data.target import bands_form
from ui.layout import card
from ui.opened import kept, table_of
from ui.text import plain

SHOWN, NAME, KIND, ROLE, READ, VALUES, MISSING = (
    "Shown as",
    "Column",
    "Kind",
    "Role",
    "Model",
    "Values",
    "Missing",
)
ROW, HEADER, MOST_HEIGHT = 35, 38, 530
LONGEST_LABEL = 60
FEW_OUTCOMES = 5
ROLE_HELP = (
    "**Outcome**: what is to be explained. **Feature**: rules may speak of it. **Sensitive**: a "
    "feature that the audit watches. **Predictions**: answers of a model you do not have. **True "
    "label**: what was true, if the outcome is a model’s answer. **Seen by the model**: train or "
    "test, yes or no: which records a model of yours was trained on. **Leave out**: nobody uses it."
)


UNREAD = "not read by the model"


def roles_card(run: Run, table: Table, unread: Collection[str], locked: bool) -> None:
    """What each column is for, and the outcome that people ask about.

    `unread`: features that the model does not read, as far as is known.
    """
    with card("What each column is for"):
        _editor(run, table, unread, locked)
        st.caption(f"Change a name, a kind or a role in the table.{_sensitive_note(table)}")
        _positive(run, table, locked)
        bands_form(run, table, locked)
        may_change_form(run, table, locked)


@kept("data")
def columns_frame_of(run: Run) -> pd.DataFrame:
    """One row for each column of the file, made once for all who look."""
    return columns_frame(table_of(run))


def columns_frame(table: Table) -> pd.DataFrame:
    """One row for each column of the file."""
    columns = table.columns
    return pd.DataFrame(
        {
            SHOWN: pd.array([column.title for column in columns], dtype="str"),
            NAME: pd.array([column.name for column in columns], dtype="str"),
            KIND: pd.array([KINDS[column.kind] for column in columns], dtype="str"),
            ROLE: pd.array([ROLES[column.role] for column in columns], dtype="str"),
            VALUES: [spread(table, column) for column in columns],
            MISSING: [column.missing for column in columns],
        }
    )


def with_unread(frame: pd.DataFrame, unread: Collection[str]) -> pd.DataFrame:
    """The columns with a mark at those that the model does not read, if there are any."""
    if not unread:
        return frame
    marks = [UNREAD if name in unread else "" for name in frame[NAME]]
    return frame.assign(**{READ: marks})[[SHOWN, NAME, KIND, ROLE, READ, VALUES, MISSING]]


def _editor(run: Run, table: Table, unread: Collection[str], locked: bool) -> None:
    st.data_editor(
        with_unread(columns_frame_of(run), unread),
        hide_index=True,
        height=min(HEADER + ROW * len(table.columns), MOST_HEIGHT),
        row_height=ROW,
        disabled=True if locked else [NAME, READ, VALUES, MISSING],
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
            READ: st.column_config.TextColumn(
                width="medium", help="No rule speaks of these; an audit can group people by them."
            ),
            VALUES: st.column_config.BarChartColumn(
                width="small", y_min=0, color="#7A7F87", help="How the values spread."
            ),
            MISSING: st.column_config.NumberColumn(width="small", format="localized"),
        },
        **taken(
            "columns",
            lambda said: propose_edits(run, table, edits_from(table, said["edited_rows"])),
        ),
    )


def _sensitive_note(table: Table) -> str:
    marked = [f.column for f in table.findings if f.topic == "sensitive" and f.column]
    if not marked:
        return ""
    were = "was" if len(marked) == 1 else "were"
    named = "its name" if len(marked) == 1 else "their names"
    return f" {plain(listing(marked))} {were} marked sensitive because of {named}."


def edits_from(table: Table, edited_rows: Mapping[Any, Mapping[str, Any]]) -> list[ColumnEdit]:
    """What a data editor says was changed, without what is the same as before."""
    kinds = {text: kind for kind, text in KINDS.items()}
    roles = {text: role for role, text in ROLES.items()}
    edits = []
    for place, cells in edited_rows.items():
        column = table.columns[int(place)]
        label = _label(cells.get(SHOWN), column)
        kind, role = kinds.get(cells.get(KIND, "")), roles.get(cells.get(ROLE, ""))
        edit = ColumnEdit(
            column.name,
            label,
            None if kind == column.kind else kind,
            None if role == column.role else role,
        )
        if edit != ColumnEdit(column.name):
            edits.append(edit)
    return edits


def _label(given: object, column: Column) -> str | None:
    """The new name; an emptied cell means the column's own name."""
    if given is None:
        return None
    text = " ".join(str(given).split())[:LONGEST_LABEL] or column.name
    return None if text == column.title else text


def propose_edits(
    run: Run, table: Table, edits: list[ColumnEdit], settings: RunSettings | None = None
) -> None:
    """Propose edits of columns if the table can be read so."""
    try:
        made = with_edits(settings or run.settings, table, edits)
    except GLocalXError as error:
        refuse(error)
    else:
        propose(run, made, " ".join(edit.sentence for edit in edits))


def _positive(run: Run, table: Table, locked: bool) -> None:
    """The outcome that people ask about; it gets the orange."""
    labels = table.schema().outcome_labels
    outcomes = sorted({str(text) for text in table.target})

    def take(outcome: Any) -> None:
        data = replace(run.settings.data, positive=outcome)
        propose(run, replace(run.settings, data=data), "Another outcome is asked about.")

    choose: Any = st.pills if len(outcomes) <= FEW_OUTCOMES else st.selectbox
    now = positive_outcome(table, run.settings.data)
    start = {"default": now} if choose is st.pills else {"index": outcomes.index(now)}
    safe = plain if choose is st.pills else str
    choose(
        "Which outcome do people ask about?",
        outcomes,
        format_func=lambda outcome: safe(labels.get(outcome, outcome)),
        required=True,
        disabled=locked,
        help="It is shown in orange everywhere, and audits count how often each group gets it.",
        **start,
        **taken("positive", take),
    )
