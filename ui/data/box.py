"""The black box card: which one, how to make it, how good it is."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

from glocalx.pipeline.column_edits import ColumnEdit
from glocalx.pipeline.settings import BoxSettings
from glocalx.pipeline.tables import SplitTable
from glocalx.table import Table
from glocalx.workspace.jobs import JobState
from glocalx.workspace.run import Run
from ui import work
from ui.data.box_facts import box_facts
from ui.data.box_file import agree_to_kept_model, model_form
from ui.data.changes import fresh_widgets, propose, taken
from ui.data.giveaways import giveaways_told
from ui.data.roles import propose_edits
from ui.layout import card
from ui.text import plain

KINDS = {
    "rf": "Random forest",
    "gb": "Boosted trees",
    "mlp": "Neural net",
    "svm": "SVM",
    "model": "My model file",
    "predictions": "My predictions",
}
PRESETS = {"quick": "Quick", "paper": "The paper’s grid"}
PRESET_HELP = (
    "**Quick**: one good setting, seconds. **The paper’s grid**: several settings are tried with "
    "cross-validation and the best is kept, minutes on large tables."
)


def box_card(run: Run, table: Table, shared: SplitTable, state: JobState, locked: bool) -> None:
    """Choose, make and judge the black box."""
    with card("The black box"):
        chosen = _choice(run, table, locked)
        if _form(run) is not None:
            if chosen == "model":
                model_form(run, shared, locked)
            else:
                _predictions_form(run, table, locked)
            return
        if run.settings.box.source == "train":
            _preset(run, locked)
        elif run.settings.box.source == "model":
            _model_in_use(run, locked)
        state = work.watch(run, "model")
        if run.done("model"):
            box_facts(run)
        elif not state.busy:
            _make(run, locked)
        giveaways_told(run, locked)


def chosen_box(box: BoxSettings) -> str:
    """The choice that these settings stand for."""
    return box.kind if box.source == "train" else box.source


def _form(run: Run) -> str | None:
    """The choice that still needs a file or a column from the person."""
    asked = st.session_state.get("box_form")
    return asked[1] if asked and asked[0] == run.id else None


def still_to_bring(run: Run) -> str:
    """What the person has to do before the chosen black box can be asked; empty where nothing."""
    asked = _form(run)
    if asked is None:
        return ""
    first = "bring a file that can be used" if asked == "model" else "say which column they are in"
    return f"“{KINDS[asked]}” is chosen: {first}, or choose another black box"


def close_form() -> None:
    """Back to the black box that is saved."""
    st.session_state.pop("box_form", None)


def _choice(run: Run, table: Table, locked: bool) -> str:
    now = _form(run) or chosen_box(run.settings.box)
    st.pills(
        "Model",
        list(KINDS),
        format_func=KINDS.__getitem__,
        default=now,
        required=True,
        disabled=locked,
        help="Train one here on the outcome column, bring a model as ONNX or skops file, or "
        "explain a column of predictions.",
        **taken("box", lambda choice: _chosen(run, table, choice)),
    )
    return now


def _chosen(run: Run, table: Table, choice: Any) -> None:
    box = run.settings.box
    close_form()
    if choice == chosen_box(box):
        fresh_widgets()
    elif choice == "model" or (choice == "predictions" and table.predictions is None):
        st.session_state.box_form = (run.id, choice)
        fresh_widgets()
    elif choice == "predictions":
        made = replace(box, source="predictions")
        propose(run, run.settings.with_box(made), "The predictions in the table are explained.")
    else:
        made = replace(box, source="train", kind=choice)
        what = f"The black box becomes: {KINDS[choice].lower()}, trained here."
        propose(run, run.settings.with_box(made), what)


def _preset(run: Run, locked: bool) -> None:
    def take(preset: Any) -> None:
        box = replace(run.settings.box, preset=preset)
        what = f"Training tries: {PRESETS[preset].lower()}."
        propose(run, replace(run.settings, box=box), what)

    st.segmented_control(
        "Settings to try",
        list(PRESETS),
        format_func=PRESETS.__getitem__,
        default=run.settings.box.preset,
        required=True,
        disabled=locked,
        help=PRESET_HELP,
        **taken("preset", take),
    )


def _model_in_use(run: Run, locked: bool) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"The file {plain(run.settings.box.name)} is asked.")
        if st.button("Bring another", type="tertiary", key="other_model", disabled=locked):
            st.session_state.box_form = (run.id, "model")
            st.rerun()
    agree_to_kept_model(run, locked)


def _make(run: Run, locked: bool) -> None:
    """Not made yet: what making it means, and a button."""
    said, label, icon = {
        "train": ("Not trained yet.", "Train the black box", ":material/model_training:"),
        "model": ("Not asked yet.", "Ask the model", ":material/question_answer:"),
        "predictions": (
            "There is no model, only its answers. A random forest is fitted to them and asked in "
            "its place; you will see how well it agrees.",
            "Fit the stand-in",
            ":material/model_training:",
        ),
    }[run.settings.box.source]
    st.markdown(said)
    if st.button(label, icon=icon, key="make_box", disabled=locked):
        work.start(run, "model")
        st.rerun()


def _predictions_form(run: Run, table: Table, locked: bool) -> None:
    """Which column holds the predictions?"""
    target = table.choices.outcome("target")
    names = [column.name for column in table.columns if column.name != target]
    name = st.selectbox(
        "Which column holds the predictions?",
        names,
        key="predictions_column",
        disabled=locked,
        help="One answer of the model for each record, in the words of the outcome column.",
    )
    if st.button("Use these predictions", key="use_predictions", disabled=locked):
        close_form()
        settings = run.settings.with_box(replace(run.settings.box, source="predictions"))
        propose_edits(run, table, [ColumnEdit(name, role="predictions")], settings)
        st.rerun()
