"""A model that somebody brings: recognised, consented to, tried, and then used."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from dataclasses import replace
from typing import Any

import streamlit as st

from glocalx.blackbox.columns import OpenColumnsError
from glocalx.blackbox.model_file import recognise
from glocalx.blackbox.python_object import PICKLE_WARNING, pickles_allowed
from glocalx.blackbox.skops_model import inspect_skops
from glocalx.blackbox.trial import ModelTrial, agreement, guess_meaning, try_model
from glocalx.confined.fence import unprotected
from glocalx.errors import GLocalXError
from glocalx.pipeline.settings import BoxSettings
from glocalx.pipeline.tables import SplitTable
from glocalx.table import Table
from glocalx.words.figures import percent
from glocalx.words.phrases import enumeration, shown
from glocalx.workspace.run import Run
from ui import work
from ui.data.changes import propose, version
from ui.layout import problem, refusals
from ui.session import may_bring_models, workspace
from ui.text import plain

MOST_MEGABYTES = 200
TRIED = 2_000  # records
_types = st.cache_data(max_entries=20, show_spinner=False)(inspect_skops)


def model_form(run: Run, shared: SplitTable, locked: bool) -> None:
    """Bring a file, answer what only a person can answer, and use it."""
    if not may_bring_models():
        st.caption(
            "You may bring no model to this server. Have one trained here, or bring its answers."
        )
        return
    brought = st.file_uploader(
        f"ONNX or skops file, up to {MOST_MEGABYTES} MB",
        max_upload_size=MOST_MEGABYTES,
        key=f"model_file_{version()}",
        disabled=locked,
        help="ONNX: from scikit-learn, XGBoost, LightGBM, PyTorch, Keras and others. skops: "
        "scikit-learn models without pickles. The file runs in a process of its own.",
    )
    lacking = unprotected()
    if lacking:
        st.warning(
            f"This system has no means to fence in a file: a hostile one could "
            f"{enumeration(lacking)}. Bring only files that you trust.",
            icon=":material/shield:",
        )
    if brought is None:
        st.caption(
            "Pickles (.pkl, .joblib) are programs and are not opened. Export the model to ONNX "
            "or save it with skops."
        )
        return
    with refusals(go_on=True):
        _opened(run, shared, brought.name, brought.getvalue(), locked)


def agree_to_kept_model(run: Run, locked: bool) -> None:
    """Ask for consent to a model that came with a run from elsewhere."""
    box = run.settings.box
    try:
        data = (run.folder / (box.file or "")).read_bytes()
        if box.trusted or locked or recognise(box.name, data) != "skops":
            return
        trusted = _consent(box.name, data)
    except (GLocalXError, OSError):  # said when the model is asked
        return
    if trusted:
        settings = replace(run.settings, box=replace(box, trusted=trusted))
        workspace().save(run, settings=settings)
        st.rerun()


def _opened(run: Run, shared: SplitTable, name: str, data: bytes, locked: bool) -> None:
    kind = recognise(name, data)
    trusted: tuple[str, ...] = ()
    if kind == "pickle" and pickles_allowed():
        st.warning(plain(PICKLE_WARNING), icon=":material/warning:")
    if kind == "skops":
        given = _consent(name, data)
        if given is None:
            return
        trusted = given
    known = (name, hashlib.sha256(data).hexdigest(), shared.table.fingerprint(), trusted)
    said: dict[str, Any] = {}
    trial = _tried(*known, said, data, shared)
    if trial.asks is not None:
        asked = _which_columns(trial.asks, shared)
        if asked is None:
            return
        said = asked
        trial = _tried(*known, said, data, shared)
    if trial.problem:
        raise GLocalXError(trial.problem)
    for note in (*trial.notes, *unread_notes(shared.table, trial.columns)):
        st.markdown(f":material/info: {plain(note)}")
    meaning = _meaning(trial, shared)
    if meaning is not None:
        box = BoxSettings("model", file="model", name=name, trusted=trusted, **said)
        same = all(answer == outcome for answer, outcome in meaning.items())
        _use(run, replace(box, outcomes=None if same else meaning), data, locked)


def unread_notes(table: Table, read: Collection[str]) -> list[str]:
    """One sentence with the features that a model does not read, if any."""
    unread = [column.title for column in table.features if column.name not in read]
    if not unread:
        return []
    return [
        f"Not read by the model: {', '.join(unread)}. No rule speaks of "
        f"{'it' if len(unread) == 1 else 'them'}; an audit can still compare groups by "
        f"{'it' if len(unread) == 1 else 'them'}."
    ]


def _consent(name: str, data: bytes) -> tuple[str, ...] | None:
    """The types in a skops file, if the person agrees to them."""
    types = _types(data, name)
    if not types:
        return ()
    st.markdown("To open this file, code of these types has to be run:")
    st.code("\n".join(types), language=None)
    agreed = st.checkbox(
        "I know where this file comes from, and agree to these types",
        key=f"consent_{hash(tuple(types))}_{version()}",
    )
    return tuple(types) if agreed else None


@st.cache_resource(max_entries=8, show_spinner="Trying the model …")
def _tried(
    name: str,
    digest: str,
    fingerprint: str,
    trusted: tuple[str, ...],
    said: dict[str, Any],
    _data: bytes,
    _shared: SplitTable,
) -> ModelTrial:
    some = _shared.background[:TRIED]
    truth = _shared.table.target[_shared.parts.background][:TRIED]
    schema = _shared.table.schema()
    return try_model(name, _data, schema, some, truth, trusted=trusted, **said)


def _which_columns(asks: OpenColumnsError, shared: SplitTable) -> dict[str, Any] | None:
    """What the person says about columns that could not be matched; None until all is said."""
    if asks.inputs:
        renamed = _named_columns(asks)
        return None if renamed is None else {"renamed": renamed}
    many = f"{asks.width} columns" if asks.width else "columns"
    chosen = st.multiselect(
        f"The model takes {many} and does not name them. Which, in its order?",
        [column.name for column in shared.table.features],
        key=f"model_columns_{version()}",
        help="Choose them in the order in which the model was trained.",
    )
    if len(chosen) < (asks.width or 1):
        st.caption(f"{len(chosen)} of {asks.width or 'its'} columns are named.")
        return None
    return {"columns": tuple(chosen)}


def _named_columns(asks: OpenColumnsError) -> dict[str, str] | None:
    """For each column that the model calls otherwise what the table calls it."""
    st.markdown("The model names columns that the table does not have. Which are they?")
    said = {
        name: st.selectbox(
            f"{plain(shown(name))} is",
            asks.free,
            index=asks.free.index(meant) if meant in asks.free else None,
            placeholder="Choose a column",
            key=f"input_{name}_{version()}",
        )
        for name, meant in asks.inputs
    }
    if len(set(said.values()) - {None}) < len(said):
        st.caption("Choose a column for each, every time another one.")
        return None
    return {name: str(column) for name, column in said.items()}


def _meaning(trial: ModelTrial, shared: SplitTable) -> dict[str, str] | None:
    """What each answer of the model means in the table's words; None where two mean the same."""
    assert trial.judged is not None  # there was no problem
    outcomes = sorted({str(text) for text in shared.table.target})
    guess = guess_meaning(trial.answers, outcomes, trial.judged)
    if set(trial.answers) <= set(outcomes):
        _right(agreement(trial.judged, guess))
        return guess
    st.markdown("The model answers in other words than the outcome column. What means what?")
    meaning = {}
    for answer in trial.answers:
        choices = list(dict.fromkeys([*outcomes, answer]))
        guessed = guess.get(answer, answer)
        meaning[answer] = str(
            st.selectbox(
                f"Answer {plain(shown(answer))} means",
                choices,
                index=choices.index(guessed) if guessed in choices else len(choices) - 1,
                key=f"answer_{answer}_{version()}",
            )
        )
    if len(set(meaning.values())) < len(meaning):
        problem("Two answers have the same meaning. Give each its own.")
        return None
    _right(agreement(trial.judged, meaning))
    return meaning


def _right(share: float) -> None:
    st.markdown(f"Read so, it is right for **{percent(share, 1)}** of the records that were tried.")


def _use(run: Run, box: BoxSettings, data: bytes, locked: bool) -> None:
    if not st.button("Use this model", icon=":material/check:", key="use_model", disabled=locked):
        return
    st.session_state.pop("box_form", None)
    settings = run.settings.with_box(box)
    propose(run, settings, f"The model {shown(box.name)} is asked from now on.", {"model": data})
    if "proposal" not in st.session_state:
        work.start(workspace().run(run.id), "model")
    st.rerun()
