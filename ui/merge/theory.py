"""One theory of the hierarchy, its rules in words, in a window of its own."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from glocalx.merging.lineage import folded_rules
from glocalx.words.figures import percent
from glocalx.words.phrases import counted
from ui.merge.step import StepView

MOST_RULES = 40


def show_theory(view: StepView, number: int, go_to: Callable[[int], None]) -> None:
    """Open the window; `go_to` is called with the step that made the theory."""
    leaves = len(view.hierarchy.local_rules)
    step = max(number - leaves + 1, 0)
    title = f"The theory of step {step:,}" if step else "A local rule"
    st.dialog(title, width="medium")(_content)(view, number, step, go_to)


def _content(view: StepView, number: int, step: int, go_to: Callable[[int], None]) -> None:
    rules = view.reference.ranked(view.hierarchy.theory(number))
    size = view.reference.size
    if step:
        folded = folded_rules(view.hierarchy, step)[number]
        order = ", in the order in which they decide: the most reliable first"
        st.markdown(
            f"**{counted(len(rules), 'rule')}** out of {counted(folded, 'local rule')}"
            f"{order if len(rules) > 1 else ''}."
        )
    else:
        st.markdown("As it was written for one record or more; no merge has touched it.")
    for rule in rules[:MOST_RULES]:
        score = view.reference.score(rule)
        st.markdown(view.sentence(rule))
        st.caption(
            f"Covers {score.covered:,} of {size:,} explained records; the black box agrees on "
            f"{percent(score.precision)} of them."
        )
    if len(rules) > MOST_RULES:
        st.caption(f"The first {MOST_RULES} of {len(rules):,}.")
    if step and step != view.at and st.button(f"Go to step {step:,}", key="merge_go_to"):
        go_to(step)
        st.rerun()
