"""The picture on the first page, and the same rules as sentences beside it."""

from __future__ import annotations

import streamlit as st

from glocalx.words.figures import percent
from ui.start.showcase import Showcase, SpokenRule, read_showcase
from ui.text import bold, plain


def picture() -> None:
    """Local rules flowing into a handful, and that handful in words."""
    shown = read_showcase()
    if shown is None:
        return
    left, right = st.columns([6, 5], gap="large")
    with left:
        _figure(shown)
    with right:
        _sentences(shown)


def _figure(shown: Showcase) -> None:
    from glocalx.plots import CONFIG

    st.caption(
        f"{shown.local_rules:,} local rules, one dot each, flowing into {_final(shown)} rules or "
        "into “otherwise”"
    )
    scheme = "dark" if st.context.theme.type == "dark" else "light"
    st.plotly_chart(shown.figures[scheme], theme=None, config=CONFIG, key="showcase", alt=shown.alt)


def _sentences(shown: Showcase) -> None:
    st.caption(f"The {_final(shown)} rules of the COMPAS sample")
    for number, rule in enumerate(shown.rules, start=1):
        st.markdown(f":{rule.colour}[**{number}**]&ensp;{_sentence(rule)}")
    st.caption(
        f"They give the same answer as the black box for {percent(shown.fidelity, 1)} of "
        f"{shown.held_out:,} defendants nobody had seen. They describe the black box, mistakes "
        "included."
    )


def _final(shown: Showcase) -> int:
    return len(shown.rules) - 1


def _sentence(rule: SpokenRule) -> str:
    """Quiet text, only the outcome in its colour: these are for a first look."""
    return "".join(_part(text, role, rule.colour) for text, role in rule.parts)


def _part(text: str, role: str, colour: str) -> str:
    if role == "outcome":
        return f":{colour}[{bold(text)}]"
    before = " " if text[:1] == " " else ""
    after = " " if text[-1:] == " " and text.strip() else ""
    return f"{before}{plain(text)}{after}"
