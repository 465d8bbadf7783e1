"""The rules of both sides as short cards; those that both have are marked."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from glocalx.evaluation.side_by_side import Side, SideBySide
from glocalx.plots.colours import OutcomeColours
from glocalx.rules.rule import Rule
from glocalx.words.figures import percent
from glocalx.words.phrases import counted
from ui.text import badge, plain, spoken
from ui.theory.cards import mark_badge

MOST_CARDS = 12


def rules_side_by_side(compared: SideBySide, colours: OutcomeColours) -> None:
    """Both sets of rules, in the order in which they decide."""
    both = frozenset(compared.left.theory.rules) & frozenset(compared.right.theory.rules)
    st.header("The rules of both", anchor=False)
    st.caption(
        f"{_shared(len(both))} Shares are of the "
        f"{counted(compared.left.records.size, 'compared record')}: how many a rule covers, and "
        "on how many of these the black box says the same."
    )
    left, right = st.columns(2, gap="medium")
    with left:
        _rules("left", compared.left, both, colours)
    with right:
        _rules("right", compared.right, both, colours)


def _shared(count: int) -> str:
    if not count:
        return "No rule is the same on both sides."
    verb = "is" if count == 1 else "are"
    return f"{counted(count, 'rule')} {verb} the same on both sides, marked “in both”."


def _rules(key: str, side: Side, both: frozenset[Rule], colours: OutcomeColours) -> None:
    with st.container(border=True, height="stretch"):
        st.markdown(f"### {plain(side.title)}")
        st.caption(_how_they_decide(side))
        for place in range(min(side.theory.size, MOST_CARDS)):
            _card(side, place, both, colours)
        if side.theory.size > MOST_CARDS:
            _the_rest(key, side, both)
        _otherwise(side, colours)


def _otherwise(side: Side, colours: OutcomeColours) -> None:
    """What is answered where no rule applies; a tree leaves no record over."""
    covers_all = side.measured.coverage == 1
    if covers_all and side.is_tree:
        st.caption("These cover every record, so there is no “otherwise”.")
        return
    default = badge(side.theory.default, colours, side.wording.outcome(side.theory.default))
    unused = " The rules cover every compared record, so here it is not needed."
    words = "Otherwise." if side.theory.size else "In every case."
    st.markdown(f"{default} {words}{unused if covers_all else ''}")


def _how_they_decide(side: Side) -> str:
    rules = counted(side.theory.size, "rule")
    if side.votes:
        return f"{rules}. The best five of each outcome that apply vote."
    return f"{rules}. The first that applies decides."


def _card(side: Side, place: int, both: frozenset[Rule], colours: OutcomeColours) -> None:
    rule = side.theory.rules[place]
    answer = badge(rule.outcome, colours, side.wording.outcome(rule.outcome))
    marked = " :green-badge[:material/join_inner: in both]" if rule in both else ""
    by_hand = mark_badge(side.theory.ranked[place].mark)
    marked += f" {by_hand}" if by_hand else ""
    sentence = spoken(side.wording.parts(rule, outcome=False), rule.outcome, colours)
    with st.container(gap=None):
        st.markdown(f"**{place + 1}** {answer}{marked} {sentence}")
        st.caption(_standing(side, rule))


def _standing(side: Side, rule: Rule) -> str:
    covered = side.records.records.coverage(rule)
    count = covered.bit_count()
    if not count:
        return "covers none of these records"
    agreed = (covered & side.records.having[rule.outcome]).bit_count()
    return f"covers {percent(count / side.records.size)} · agrees {percent(agreed / count)}"


def _the_rest(key: str, side: Side, both: frozenset[Rule]) -> None:
    rest = list(enumerate(side.theory.rules, start=1))[MOST_CARDS:]
    with st.expander(f"The other {counted(len(rest), 'rule')}"):
        st.dataframe(
            pd.DataFrame(
                {
                    "Rule": [number for number, _ in rest],
                    "Then": [side.wording.outcome(rule.outcome) for _, rule in rest],
                    "If …": [side.wording.short(rule) for _, rule in rest],
                    "In both": [rule in both for _, rule in rest],
                }
            ),
            hide_index=True,
            key=f"rest_{key}",
            alt="The rules that are not shown as cards",
        )
