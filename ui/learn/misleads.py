"""Where rules mislead: cases that run when they are opened, and end in what to check."""

from __future__ import annotations

import streamlit as st

from glocalx.lessons.misleading import CASES, Misled
from ui.layout import card
from ui.text import plain


@st.cache_resource(max_entries=len(CASES), show_spinner="Running the case …")
def _ran(title: str) -> Misled:
    return CASES[title].run()


def where_it_misleads() -> None:
    """A card for each case."""
    st.markdown(
        "Think first, then run the case: rules are made, merged and counted when you ask for it."
    )
    with st.grid(2, min_column_width=380, gap="medium"):
        for title in CASES:
            with st.container():
                st.fragment(_case)(title)


def _case(title: str) -> None:
    case = CASES[title]
    with card(title, height="stretch"):
        st.markdown(plain(case.told_before))
        st.markdown(f"**{plain(case.ask)}**")
        if not st.toggle("Run the case", key=f"learn_case_{title}"):
            return
        found = _ran(title)
        for sentence in found.told:
            st.markdown(plain(sentence))
        st.info(f"**What to check.** {plain(found.check)}", icon=":material/fact_check:")
