"""The black box card: which one, how to make it, and how good it is on records not explained."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import streamlit as st

from glocalx import plots
from glocalx.blackbox.confusion import Confusion, count_confusion
from glocalx.pipeline.column_edits import ColumnEdit
from glocalx.pipeline.settings import BoxSettings
from glocalx.pipeline.tables import SplitTable
from glocalx.table import Table
from glocalx.words.figures import percent, points
from glocalx.words.phrases import judged_on
from glocalx.workspace.jobs import JobState
from glocalx.workspace.run import Run
from ui import work
from ui.data.box_file import agree_to_kept_model, model_form, unread_notes
from ui.data.changes import fresh_widgets, propose, taken
from ui.data.giveaways import giveaways_told
from ui.data.roles import propose_edits
from ui.layout import card, figure, one_of, show
from ui.opened import explained_of, shades
from ui.terms import with_terms
from ui.text import plain

KINDS = {
    "rf": "Random forest",
    "gb": "Boosted trees",
    "mlp": "Neural net",
    "svm": "SVM",
    "model": "My model file",
    "predictions": "My predictions",
    "labels": "The labels as given",
}
PRESETS = {"quick": "Quick", "paper": "The paper’s grid"}
PRESET_HELP = (
    "**Quick**: one good setting, seconds. **The paper’s grid**: several settings are tried with "
    "cross-validation and the best is kept, minutes on large tables."
)

GIVEN_CHANGES = {
    "predictions": "The predictions in the table are explained.",
    "labels": "The labels of the table are explained as they are: every record, none held out.",
}


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


def _choice(run: Run, table: Table, locked: bool) -> str:
    now = _form(run) or chosen_box(run.settings.box)
    one_of(
        "Model",
        KINDS,
        default=now,
        ask=st.pills,
        disabled=locked,
        help="Train one here on the outcome column, bring a model as ONNX or skops file, "
        "explain a column of predictions, or the labels of a small table as they are.",
        **taken("box", lambda choice: _chosen(run, table, choice)),
    )
    return now


def _chosen(run: Run, table: Table, choice: Any) -> None:
    box = run.settings.box
    st.session_state.pop("box_form", None)
    if choice == chosen_box(box):
        fresh_widgets()
    elif choice == "model" or (choice == "predictions" and table.predictions is None):
        st.session_state.box_form = (run.id, choice)
        fresh_widgets()
    elif choice in GIVEN_CHANGES:
        made = replace(box, source=choice)
        propose(run, run.settings.with_box(made), GIVEN_CHANGES[choice])
    else:
        made = replace(box, source="train", kind=choice)
        what = f"The black box becomes: {KINDS[choice].lower()}, trained here."
        propose(run, run.settings.with_box(made), what)


def _preset(run: Run, locked: bool) -> None:
    def take(preset: Any) -> None:
        box = replace(run.settings.box, preset=preset)
        what = f"Training tries: {PRESETS[preset].lower()}."
        propose(run, replace(run.settings, box=box), what)

    one_of(
        "Settings to try",
        PRESETS,
        default=run.settings.box.preset,
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
        "labels": ("Not looked at yet.", "Take the labels", ":material/label:"),
    }[run.settings.box.source]
    st.markdown(said)
    if st.button(label, icon=icon, key="make_box", disabled=locked):
        work.start(run, "model")
        st.rerun()


def _predictions_form(run: Run, table: Table, locked: bool) -> None:
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
        st.session_state.pop("box_form", None)
        settings = run.settings.with_box(replace(run.settings.box, source="predictions"))
        propose_edits(run, table, [ColumnEdit(name, role="predictions")], settings)
        st.rerun()


def box_facts(run: Run) -> None:
    """What it is, how often it is right, what it finds, what to know about it."""
    explained = explained_of(run)
    facts = explained.facts
    if run.settings.box.source == "labels":
        _notes(run)
        return
    if run.settings.box.source != "model":
        st.markdown(described(facts))
    judged = count_confusion(explained.truth, explained.held_out.labels)
    names = explained.schema.outcome_labels
    called = names.get(explained.positive, explained.positive)
    _metrics(judged, explained.positive, called, facts, run.settings.unseen)
    st.info(
        "The rules will explain **this model**, including its mistakes.", icon=":material/info:"
    )
    _notes(run)
    on = "held out" if run.settings.unseen else judged_on(judged.records, False)
    with st.expander(f"Right and wrong answers, {on}", icon=":material/grid_on:"):
        titles = [names.get(outcome, outcome) for outcome in judged.outcomes]
        show(plots.confusion(judged, shades(), names=titles), "confusion", caption=True)


def _notes(run: Run) -> None:
    explained = explained_of(run)
    unread = unread_notes(explained.split.table, explained.schema.names)
    for note in (*explained.facts.get("notes", ()), *unread):
        st.markdown(f":material/info: {plain(note)}")


def described(facts: Mapping[str, Any]) -> str:
    """`Random forest, 100 trees, trained on 5,050 records`, as Markdown."""
    trained = facts.get("trained") or {}
    name = str(facts.get("name", ""))
    parts = [plain(name[:1].upper() + name[1:])]
    trees = (trained.get("parameters") or {}).get("n_estimators")
    if isinstance(trees, int):
        parts.append(f"{trees:,} trees")
    if isinstance(trained.get("trained_on"), int):
        parts.append(f"trained on {trained['trained_on']:,} records")
    return ", ".join(parts)


def _metrics(
    judged: Confusion, positive: str, called: str, facts: Mapping[str, Any], unseen: bool
) -> None:
    gain = judged.accuracy - judged.majority_share
    records = judged_on(judged.records, unseen)
    accuracy, found = st.columns(2)
    accuracy.metric(
        "Accuracy, held out" if unseen else "Accuracy",
        percent(judged.accuracy, 1),
        points(gain),
        delta_description="over guessing",
        delta_arrow="off" if abs(gain) < 0.0005 else ("up" if gain > 0 else "down"),
        help=with_terms(
            f"How often it is right on {records}. Always guessing the most frequent outcome is "
            f"right for {percent(judged.majority_share, 1)}.",
            "Accuracy",
            "Black box",
        ),
    )
    if positive in judged.outcomes:
        place = judged.outcomes.index(positive)
        row = judged.counts[place]
        with found:
            figure(
                f"Found {plain(called)} cases",
                percent(judged.found(positive)) if row.sum() else "–",
                f"{row[place]:,} of {row.sum():,}",
                f"Of those of {records} that really are {plain(called)}, the share to which the "
                "black box gives this answer.",
            )
    if not unseen:
        st.caption(
            f"Measured on {records}. If a column says which ones it has seen, give it the role "
            "“Seen by the model”."
        )
    validated = (facts.get("trained") or {}).get("cross_validated_accuracy")
    if isinstance(validated, float):
        st.caption(f"Cross-validated accuracy while training: {percent(validated, 1)}.")
    if gain <= 0:
        st.warning(
            "It is no better than always guessing the most frequent outcome. Its rules tell "
            "little about the world, only about the model.",
            icon=":material/warning:",
        )
