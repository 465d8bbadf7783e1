"""The question that a new table begins with."""

from __future__ import annotations

import streamlit as st

from glocalx.errors import GLocalXError
from glocalx.pipeline.column_edits import ColumnEdit, with_edits
from glocalx.table import Table
from glocalx.table.preview import commonest_values, guess_target
from glocalx.workspace.run import Run
from ui.data.bands import asked_bands
from ui.data.overview import findings_list, sorted_findings
from ui.layout import card, problem
from ui.session import change
from ui.text import bold, plain


def target_card(run: Run, table: Table, locked: bool) -> None:
    """Which column is the outcome to explain?"""
    names = list(table.raw.columns)
    guess = guess_target(table)
    with card("Which column is the outcome to explain?"):
        st.markdown(
            "The decision, or what a model said: a column with a few different values, or numbers "
            "that are cut into bands."
        )
        name = st.selectbox(
            "Outcome column",
            names,
            index=names.index(guess) if guess is not None else len(names) - 1,
            key="target_column",
            disabled=locked,
            help="Guessed from names and values. You can change it later.",
        )
        _preview(table, name)
        bands = asked_bands(table, name, locked)
        if st.button(
            "Explain this column",
            type="primary",
            icon=":material/check:",
            key="choose_target",
            disabled=locked or bands is None,
        ):
            _choose(run, table, name, bands or ())


def _preview(table: Table, name: str) -> None:
    values, more = commonest_values(table, name)
    said = ", ".join(f"{bold(text) or '(empty)'} ({count:,})" for text, count in values)
    others = f" and {more:,} more" if more else ""
    st.markdown(f"Values of {plain(name)}: {said}{others}.")


def _choose(run: Run, table: Table, name: str, bands: tuple[float, ...]) -> None:
    edit = ColumnEdit(name, role="target", bands=bands)
    try:
        settings = with_edits(run.settings, table, [edit])
    except GLocalXError as error:
        problem(error)
    else:
        change(run, settings)
        st.rerun()


def findings_before_target(table: Table) -> None:
    """What reading the file already showed."""
    with card("What was found so far"):
        findings_list(sorted_findings(table.findings))
