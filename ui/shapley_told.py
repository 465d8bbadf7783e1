"""Shapley values of a record beside its own rule, where the package for them is installed."""

from __future__ import annotations

from typing import Any

import streamlit as st

from glocalx.questions.shapley import HOW_TO_GET_IT, ShapleyValues, is_installed, shapley_values
from glocalx.rules.what_if import Record, as_seen
from glocalx.words.figures import in_points, percent
from glocalx.words.phrases import enumeration
from glocalx.workspace.run import Run
from ui.opened import black_box_of, colours_of, explained_of, kept, shared_of, wording_of
from ui.text import badge, bold
from ui.theory.asked import as_frame, plain_values
from ui.whom import whom_first

MOST = 6  # features in the sentence
SHOWN = "shapley"


def tell_shapley(run: Run, record: Record) -> None:
    """On demand what each feature adds to the answer; one line where the package is not here."""
    if black_box_of(run) is None:
        return
    if not is_installed():
        st.caption(f"Shapley values of the record stand here, too, after `{HOW_TO_GET_IT}`.")
        return
    if not st.toggle("Shapley values", key=SHOWN, help="How much each feature adds, on average."):
        return
    values = plain_values(as_seen(record, explained_of(run).schema))
    with st.spinner("Asking …"):
        st.markdown(in_words(run, record, _values(run, values)))
    st.caption(
        "A feature’s part is its mean over many orders in which this record’s values take the "
        "place of those of other records. The parts add up; they do not say what would change "
        "the answer."
    )


@kept("data", "model", "box", most=500)
def _values(run: Run, values: tuple[tuple[str, Any], ...]) -> ShapleyValues:
    box, shared = black_box_of(run), shared_of(run)
    assert box is not None  # whoever asks looks first
    frame = as_frame([dict(values)], shared.test[list(dict(values))])
    schema = explained_of(run).schema
    return shapley_values(box, frame, schema, shared.background, seed=shared.parts.seed)


def in_words(run: Run, record: Record, found: ShapleyValues) -> str:
    """From the mean to this record, feature by feature, as Markdown."""
    wording = wording_of(run)
    answer = badge(found.outcome, colours_of(run), wording.outcome(found.outcome))
    parts = [
        f"{bold(f'{wording.name(name)}: {wording.value(name, record[name])}')} {in_points(value)}"
        for name, value in found.values[:MOST]
    ]
    left = sum(value for _, value in found.values[MOST:])
    if found.values[MOST:]:
        parts.append(f"all others {in_points(left)}")
    return (
        f"{whom_first(run)} gives {answer} {percent(found.base)} on average and "
        f"{percent(found.level)} here. What adds to it: {enumeration(parts)}."
    )
