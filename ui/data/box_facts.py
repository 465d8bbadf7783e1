"""How good the black box is, on the records that are not explained."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from glocalx import plots
from glocalx.blackbox.confusion import Confusion, count_confusion
from glocalx.pipeline.tables import LabelledTable
from glocalx.words.figures import percent, points
from glocalx.words.phrases import judged_on
from glocalx.workspace.run import Run
from ui.data.box_file import unread_notes
from ui.layout import show
from ui.opened import explained_of, shades
from ui.text import plain


def box_facts(run: Run) -> None:
    """What it is, how often it is right, what it finds, what to know about it."""
    explained = explained_of(run)
    facts = explained.facts
    if run.settings.box.source != "model":
        st.markdown(described(facts))
    judged = judged_answers(explained)
    names = explained.schema.outcome_labels
    called = names.get(explained.positive, explained.positive)
    _metrics(judged, explained.positive, called, facts, run.settings.unseen)
    st.info(
        "The rules will explain **this model**, including its mistakes.", icon=":material/info:"
    )
    read = explained.schema.names
    for note in (*facts.get("notes", ()), *unread_notes(explained.split.table, read)):
        st.markdown(f":material/info: {plain(note)}")
    on = "held out" if run.settings.unseen else judged_on(judged.records, False)
    with st.expander(f"Right and wrong answers, {on}", icon=":material/grid_on:"):
        titles = [names.get(outcome, outcome) for outcome in judged.outcomes]
        show(plots.confusion(judged, shades(), names=titles), "confusion", caption=True)


def judged_answers(explained: LabelledTable) -> Confusion:
    """True labels against answers on the held-out records."""
    return count_confusion(explained.truth, explained.held_out.labels)


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
        help=f"How often it is right on {records}. Always guessing the most frequent outcome is "
        f"right for {percent(judged.majority_share, 1)}.",
    )
    if positive in judged.outcomes:
        place = judged.outcomes.index(positive)
        row = judged.counts[place]
        found.metric(
            f"Found {plain(called)} cases",
            percent(judged.found(positive)) if row.sum() else "–",
            f"{row[place]:,} of {row.sum():,}",
            delta_color="off",
            delta_arrow="off",
            help=f"Of those of {records} that really are {plain(called)}, the share to which the "
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
