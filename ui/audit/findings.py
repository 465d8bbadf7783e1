"""What was found, first: a card for each group that differs, and the rest in a table."""

from __future__ import annotations

import streamlit as st

from glocalx.audit.findings import GroupFinding, findings
from glocalx.plots import OutcomeColours
from glocalx.report.finding_pictures import FindingPictures
from glocalx.report.findings import HOW, FoundWords
from glocalx.report.tables.findings import others_table
from ui.audit.drawing import draw_table, markdown
from ui.audit.result import Audited
from ui.text import plain

CONTENTS = {
    "Findings": "findings",
    "Flip test": "flip-test",
    "Which rule falls on whom": "which-rule",
    "Responsible rules": "responsible-rules",
    "Every group in figures": "every-group",
    "Mistakes": "mistakes",
}


def contents() -> None:
    """Links to the parts of the page."""
    links = " · ".join(f"[{title}](#{anchor})" for title, anchor in CONTENTS.items())
    st.markdown(f"On this page: {links}")


def findings_card(audited: Audited, colours: OutcomeColours) -> None:
    """The cards, and the groups without one."""
    words, found = FoundWords(audited.audit, audited.wording), findings(audited.audit)
    drawn = tuple(each.comparison for each in found.cards)
    pictures = FindingPictures(colours, audited.asked.outcome, drawn)
    st.header(plain(words.head(found)), anchor=CONTENTS["Findings"])
    st.markdown(plain(words.under(found)))
    comes_from = "\n".join(f"- {markdown(each)}" for each in words.comes_from())
    if words.asks_why:
        st.warning(comes_from, icon=":material/flag:")
    elif comes_from:
        st.markdown(comes_from)
    for each in found.cards[:1]:
        _card(words, pictures, each)
    with st.grid(2, min_column_width=420, gap="small"):
        for each in found.cards[1:]:
            _card(words, pictures, each, small=True)
    if found.others:
        with st.container(border=True):
            st.markdown("### Groups without a card")
            draw_table(others_table(words, found))
    with st.expander("How these verdicts are made", icon=":material/rule:"):
        st.markdown("\n".join(f"- {plain(each)}" for each in HOW))


def _card(
    words: FoundWords, pictures: FindingPictures, each: GroupFinding, *, small: bool = False
) -> None:
    with st.container(border=True, height="stretch" if small else "content"):
        st.markdown(" ".join(f":gray-badge[{plain(text)}]" for text in words.marks(each)))
        st.markdown(f"### {markdown(words.headline(each))}")
        _pictures(words, pictures, each, small)
        st.markdown(plain(f"{words.three(each)} {words.ratio(each)}"))
        halves = [st.container(), st.container()] if small else st.columns(2, gap="medium")
        with halves[0]:
            st.markdown("**Which rule is responsible?**")
            st.markdown(markdown(words.rule(each)))
        with halves[1]:
            agreed = words.agreement(each)
            if agreed:
                st.markdown("**Do rules and black box agree here?**")
                st.markdown(plain(agreed))
            if each.flips:
                st.markdown("**What does the flip test say?**")
            for flip in each.flips:
                st.markdown(markdown(words.flip(flip)))


def _pictures(
    words: FoundWords, pictures: FindingPictures, each: GroupFinding, small: bool
) -> None:
    """How far apart, and the ratio where it is known which outcome is favourable."""
    found, favourable = each.comparison, words.audit.settings.favourable
    drawn = [pictures.difference(found)]
    if not small:
        drawn.insert(0, pictures.how_often(found, each.group.title))
    if favourable is not None:
        drawn.append(pictures.ratio(found, words.wording.outcome(favourable)))
    for place, picture in zip(st.columns(len(drawn), gap="medium"), drawn, strict=True):
        with place:
            st.html(picture.html)
