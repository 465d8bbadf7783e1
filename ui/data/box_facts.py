"""How good the black box is, on the held-out records."""

from __future__ import annotations

from typing import Any

import streamlit as st

from glocalx import plots
from glocalx.blackbox.confusion import Confusion, count_confusion
from glocalx.pipeline.settings import BoxSettings
from glocalx.pipeline.tables import LabelledTable
from glocalx.words.figures import percent, points
from glocalx.workspace.run import Run
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
    _metrics(judged, explained.positive, called, facts, judged_on(run.settings.box, judged.records))
    st.info(
        "The rules will explain **this model**, including its mistakes.", icon=":material/info:"
    )
    for note in facts.get("notes", ()):
        st.markdown(f":material/info: {plain(note)}")
    with st.expander("Right and wrong answers, held out", icon=":material/grid_on:"):
        titles = [names.get(outcome, outcome) for outcome in judged.outcomes]
        show(plots.confusion(judged, shades(), names=titles), "confusion", caption=True)


def judged_answers(explained: LabelledTable) -> Confusion:
    """True labels against answers on the held-out records."""
    return count_confusion(explained.truth, explained.held_out.labels)


def described(facts: dict[str, Any]) -> str:
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


def judged_on(box: BoxSettings, records: int) -> str:
    """On which records the black box is judged, as within a sentence."""
    if box.is_trained_here:
        return f"{records:,} records that it was not trained on"
    return f"the {records:,} records held out here; whether it was trained on them is not known"


def _metrics(
    judged: Confusion, positive: str, called: str, facts: dict[str, Any], records: str
) -> None:
    gain = judged.accuracy - judged.majority_share
    accuracy, found = st.columns(2)
    accuracy.metric(
        "Accuracy, held out",
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
            help=f"Of the held-out records that really are {plain(called)}, the share to which "
            "the black box gives this answer.",
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
