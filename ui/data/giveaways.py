"""Columns that alone tell the black box's answer: said before rules are written.

A click leaves one out; it can be taken back in at the same place.
"""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from glocalx.blackbox.giveaways import Giveaway, find_giveaways
from glocalx.pipeline.column_edits import ColumnEdit, with_edits
from glocalx.table import Role
from glocalx.words.phrases import shown
from glocalx.workspace.run import Run
from ui import work
from ui.data.changes import fresh_widgets
from ui.data.roles import propose_edits
from ui.layout import refusals
from ui.opened import explained_of, kept, table_of
from ui.text import plain


@kept("data", "model", "box", spinner="Looking for columns that tell the answer alone …")
def giveaways_of(run: Run) -> tuple[Giveaway, ...]:
    """The columns that alone tell the answers; the model stage must be done."""
    facts = explained_of(run)
    return find_giveaways(facts.split.explain, facts.explained_labels, facts.schema)


def giveaways_told(run: Run, locked: bool) -> None:
    """A sentence for each such column, and a button that leaves it out."""
    for name, role in _left_out(run).items():
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f":material/visibility_off: {plain(shown(name))} is left out.")
            if st.button("Take it back in", key=f"take_in {name}", disabled=locked):
                _change(run, name, role)
    if not run.done("model"):
        return
    of_a_file = run.settings.box.source == "model"
    for each in giveaways_of(run):
        st.warning(plain(each.sentence), icon=":material/key:")
        if of_a_file:
            st.caption("The model that you brought reads it, so it cannot be left out here.")
        elif st.button(
            "Leave it out",
            key=f"leave_out {each.feature}",
            icon=":material/visibility_off:",
            disabled=locked,
            help="No rule will name it, and the black box is made again without it.",
        ):
            _change(run, each.feature, "ignored")


def _left_out(run: Run) -> dict[str, Role]:
    """The columns that were left out here and still are, with the roles that they had."""
    data = run.settings.data
    return {n: role for n, role in data.left_out.items() if data.roles.get(n) == "ignored"}


def _change(run: Run, name: str, role: Role) -> None:
    """Give the column another role and make the black box again, or ask where rules would go."""
    table, edit = table_of(run), ColumnEdit(name, role=role)
    now = next(column.role for column in table.columns if column.name == name)
    data = replace(run.settings.data, left_out={**_left_out(run), name: now})
    remembered = replace(run.settings, data=data)
    if run.begun("rules"):
        propose_edits(run, table, [edit], remembered)
        st.rerun()
    with refusals(go_on=True):
        settings = with_edits(remembered, table, [edit])
        fresh_widgets()
        work.begin_with(run, settings, "model")
        st.rerun()
