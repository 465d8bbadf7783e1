"""Is the explanation as good for everyone? Agreement of rules and black box in each group."""

from __future__ import annotations

import streamlit as st

from glocalx.audit.forest import ForestRow, fidelity_rows
from glocalx.plots import forest
from glocalx.words.phrases import counted
from ui.audit.groups import shades_in_words
from ui.audit.result import Audited
from ui.layout import show
from ui.opened import shades
from ui.text import plain


def fidelity_card(audited: Audited) -> None:
    """Where the rules agree with the black box less often."""
    rows = fidelity_rows(audited.audit)
    with st.container(border=True, height="stretch"):
        st.subheader("Is the explanation as good for everyone?", anchor=False)
        st.markdown(verdict(rows))
        st.caption(
            "How often rules and black box give the same answer, group minus "
            f"{audited.asked.whom}, in points, with 95 % intervals. At the right: the share of the "
            f"group where they agree. {shades_in_words(judged(rows))}"
        )
        drawing = forest(rows, "the answer of the black box", shades(), against=audited.asked.whom)
        show(drawing, "audit_fidelity")


def verdict(rows: tuple[ForestRow, ...]) -> str:
    """What may be said about the explanation, as Markdown."""
    worse = [row for row in rows if row.enough and row.differs and row.difference.value < 0]
    if worse:
        names = ", ".join(f"**{plain(row.group)}**" for row in worse)
        return (
            f"The rules explain the black box less well for {names}: read what is said about them "
            "with more care."
        )
    if not judged(rows):
        return "There is not enough evidence to say."
    return (
        f"No group shows a worse explanation, of {counted(judged(rows), 'group')} with enough "
        "records."
    )


def judged(rows: tuple[ForestRow, ...]) -> int:
    """How many groups have enough records to be compared."""
    return sum(row.enough and row.difference.is_defined for row in rows)
