"""Everything in figures: who gets which answer, every group, and what has to be known."""

from __future__ import annotations

import streamlit as st

from glocalx.report.sections.limits import how_to_read as reading
from glocalx.report.tables.groups import group_table
from glocalx.report.tables.traits import asked_traits_table
from ui.audit.choice import ANSWERERS, ANSWERS
from ui.audit.drawing import draw_table, markdown
from ui.audit.result import Audited
from ui.text import plain


def traits_card(audited: Audited) -> None:
    """Who is behind each answer of the rules."""
    with st.container(border=True):
        st.subheader("Who gets which answer from the rules?", anchor=False)
        st.caption(
            "Mean ± standard deviation for numbers, share with that category for categories. The "
            "last two columns: those with the outcome asked about, minus everyone, with the 95 % "
            "interval; and that difference in standard deviations of everyone (0.2 is small, 0.8 "
            "large)."
        )
        draw_table(asked_traits_table(audited.audit, audited.wording))


def groups_card(audited: Audited, outcome: str) -> None:
    """Every group, none left out, with all that is known."""
    asked = audited.asked.answers
    whose = next(ANSWERS[key] for key, who in ANSWERERS.items() if who == asked)
    with st.container(border=True):
        st.subheader("Every group in figures", anchor=False)
        st.caption(
            f"Answers by: {whose.lower()}. No group is left out: those with too few records say "
            "so, and what is undefined is a dash."
        )
        widths = {"Records": 75, "Difference": 165, "p": 95, "Ratio": 65, "Band": 85}
        draw_table(group_table(audited.audit, outcome, asked), widths=widths)
        notes = audited.audit.notes
        if notes:
            with st.expander("What has to be known about these records", icon=":material/info:"):
                st.markdown("\n".join(f"- {plain(note)}" for note in notes))


def how_to_read(audited: Audited) -> None:
    """The caveats, in plain words."""
    with st.expander("How to read this page", icon=":material/school:"):
        items = reading(audited.audit).items
        st.markdown("\n".join(f"- {markdown(item)}" for item in items))
