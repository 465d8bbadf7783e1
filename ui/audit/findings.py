"""What was found, first: a card for each group that differs, the rest in a table, then flips."""

from __future__ import annotations

import streamlit as st

from glocalx.audit.findings import GroupFinding, findings
from glocalx.report.findings import (
    FLIP_NOTE,
    HOW,
    FoundWords,
    flips_by_rule_table,
    flips_table,
    others_table,
)
from glocalx.workspace.run import Run
from ui.audit.drawing import draw_table, markdown
from ui.audit.result import Audited
from ui.opened import black_box_of
from ui.text import plain
from ui.work import offer_black_box

CONTENTS = {
    "Findings": "findings",
    "Flip test": "flip-test",
    "Which rule falls on whom": "which-rule",
    "Responsible rules": "responsible-rules",
    "Every group in figures": "every-group",
}


def contents() -> None:
    """Links to the parts of the page."""
    links = " · ".join(f"[{title}](#{anchor})" for title, anchor in CONTENTS.items())
    st.markdown(f"On this page: {links}")


def findings_card(audited: Audited) -> None:
    """The cards, and the groups without one."""
    words, found = FoundWords(audited.audit, audited.wording), findings(audited.audit)
    st.header(plain(words.head(found)), anchor=CONTENTS["Findings"])
    st.markdown(plain(words.under(found)))
    for each in found.cards:
        _card(words, each)
    if found.others:
        with st.container(border=True):
            st.markdown("### Groups without a card")
            widths = {"Group": 190, "Verdict": 150, "Difference": 165, "What may be said": 420}
            draw_table(others_table(words, found), widths=widths)
    with st.expander("How these verdicts are made", icon=":material/rule:"):
        st.markdown("\n".join(f"- {plain(each)}" for each in HOW))


def _card(words: FoundWords, each: GroupFinding) -> None:
    records = each.comparison.own.size
    with st.container(border=True):
        st.caption(
            f"**differs** · {plain(words.audit.title(each.group.columns))} · {records:,} records"
        )
        st.markdown(f"### {markdown(words.headline(each))}")
        st.markdown(plain(f"{words.certainty(each)} {words.three(each)}"))
        st.markdown(plain(words.ratio(each)))
        left, right = st.columns(2, gap="medium")
        with left:
            st.markdown("**Which rule is responsible?**")
            st.markdown(markdown(words.rule(each)))
        with right:
            agreed = words.agreement(each)
            if agreed:
                st.markdown("**Do rules and black box agree here?**")
                st.markdown(plain(agreed))
            for flip in each.flips:
                st.markdown(markdown(words.flip(flip)))


def flip_card(run: Run, audited: Audited) -> None:
    """All flips; where the model is not here, it is offered to train it again."""
    words = FoundWords(audited.audit, audited.wording)
    with st.container(border=True):
        st.header("Flip test: only the sensitive value changed", anchor=CONTENTS["Flip test"])
        st.caption(FLIP_NOTE)
        if black_box_of(run) is None:
            offer_black_box(
                run, "The model is not here, so the test could not be made.", "It takes a moment."
            )
            return
        table = flips_table(words)
        if table is None:
            st.markdown("There is no group that could be changed into another.")
            return
        draw_table(table, widths={"Only this changed": 380})
        test = audited.audit.flips
        if test is not None:
            drawn = " Of large groups some records were drawn at random." if test.drawn else ""
            st.caption(f"The model was asked {test.asked:,} times.{drawn}")
        by_rule = flips_by_rule_table(words)
        if by_rule is not None:
            with st.expander("By the rule that decided before the change"):
                draw_table(by_rule, widths={"Only this changed": 380})
