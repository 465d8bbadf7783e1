"""The paper's worked examples as cards whose values can be moved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, fields
from typing import Any

import streamlit as st

from glocalx.lessons.worked import (
    AGES,
    AMOUNTS,
    LOANS,
    MISPRINTS,
    CutExample,
    JoinExample,
    MergeExample,
)
from glocalx.plots import OutcomeColours, PremiseRow, bounds_lines
from glocalx.plots.intervals import cut_rows
from glocalx.rules.rule import Rule
from glocalx.words.wording import Wording
from ui.layout import card, one_of
from ui.opened import shades
from ui.text import badge, plain, spoken

WORDING = Wording(LOANS)
NUMBERS = "₁₂₃"
SIDES = {"first": "e₁", "second": "e₂"}
SLIDERS: tuple[type[JoinExample | CutExample | MergeExample], ...] = (
    JoinExample,
    CutExample,
    MergeExample,
)


def worked_examples() -> None:
    """Join, cut and merge side by side, each by itself."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown("Move a bound and read what becomes of the rules.")
        st.space("stretch")
        st.button("Back to the paper’s values", icon=":material/undo:", on_click=_start_over)
    columns = st.columns(3, gap="medium")
    for column, draw in zip(columns, (_join, _cut, _merge), strict=True):
        with column:
            st.fragment(draw)()


def _start_over() -> None:
    for example in SLIDERS:
        for each in fields(example):
            st.session_state.pop(_key(example, each.name), None)


def _key(example: type, name: str) -> str:
    return f"learn_{example.__name__}_{name}"


def _colours() -> OutcomeColours:
    return OutcomeColours.of(LOANS.outcomes, "deny", shades())


def _rule(name: str, rule: Rule) -> None:
    conditions = plain(WORDING.premises(rule, ", ") or "always")
    st.markdown(f"**{name}**  {conditions} → {badge(rule.outcome, _colours())}")


def _ask_age(example: type, values: dict[str, Any], side: str, name: str) -> None:
    age = f"{side}_age"
    values[age] = st.slider(f"{name}, age from", *AGES, values[age], key=_key(example, age))


def _result(rule: Rule | None) -> None:
    if rule is None:
        st.info("Nothing is left of the rule: it is dropped whole.", icon=":material/delete:")
    else:
        st.info(spoken(WORDING.parts(rule), rule.outcome, _colours()), icon=":material/east:")


def _lines(feature: str, rows: Sequence[PremiseRow], ends: tuple[int, int]) -> None:
    st.markdown(f"**{feature.capitalize()}**")
    st.html(bounds_lines(rows, ends, _colours(), feature).html)


def _join() -> None:
    values = asdict(JoinExample())
    with card(":material/join: Join", height="stretch"):
        st.caption("Same outcome: the two become one wider rule.")
        for column, (side, name) in zip(st.columns(2), SIDES.items(), strict=True):
            with column:
                _ask_age(JoinExample, values, side, name)
                label, job = f"{name} asks for the job", f"{side}_job"
                values[job] = st.toggle(label, values[job], key=_key(JoinExample, job))
        worked = JoinExample(**values).worked()
        for name, rule in zip(SIDES.values(), worked.parts, strict=True):
            _rule(name, rule)
        rows = [
            PremiseRow(name, rule.premise("age"), "deny", thick=name == "joined")
            for name, rule in zip(
                (*SIDES.values(), "joined"), (*worked.parts, worked.result), strict=True
            )
        ]
        _lines("age", rows, AGES)
        _result(worked.result)
        st.caption(
            "Age reaches from the lowest start to the open end. A condition that only one of them "
            "has falls away: a join can only widen, never narrow."
        )


def _cut() -> None:
    values = asdict(CutExample())
    with card(":material/content_cut: Cut", height="stretch"):
        st.caption("Different outcomes: the less reliable one gives way.")
        for column, (side, name) in zip(st.columns(2), SIDES.items(), strict=True):
            with column:
                _ask_age(CutExample, values, side, name)
                amount = f"{side}_amount"
                values[amount] = st.slider(
                    f"{name}, amount {'from' if side == 'first' else 'above'}",
                    *AMOUNTS,
                    values[amount],
                    500,
                    format="localized",
                    key=_key(CutExample, amount),
                )
        wins, key = {True: "e₁ deny", False: "e₂ accept"}, _key(CutExample, "first_wins")
        values["first_wins"] = one_of("More reliable", wins, key, True)
        worked = CutExample(**values).worked()
        _rule("stays", worked.dominant)
        _rule("gives way", worked.before)
        for change in worked.changes:
            _lines(
                change.feature,
                cut_rows(worked, change),
                AGES if change.feature == "age" else AMOUNTS,
            )
        _result(worked.after)
        st.caption(
            "Every condition that both have is cut, one by one. The job stays: manager and "
            "unemployed have nothing in common. Choose the other as more reliable and the first "
            "one gives way."
        )


def _merge() -> None:
    with card(":material/account_tree: Merge", height="stretch"):
        st.caption("Two theories: only rules that cover a record of the batch together meet.")
        chosen = st.pills(
            "Records in the batch",
            ["x₁", "x₂"],
            selection_mode="multi",
            default=["x₁", "x₂"],
            key=_key(MergeExample, "first_record"),
        )
        example = MergeExample("x₁" in chosen, "x₂" in chosen)
        for title, sign, rules in (("E₁", "e", example.left), ("E₂", "e′", example.right)):
            st.markdown(f"**{title}**")
            for place, rule in enumerate(rules):
                _rule(f"{sign}{NUMBERS[place]}", rule)
        if example.first_record:
            st.markdown("**x₁** is covered by e₁ and e′₁. They disagree: **cut**.")
        if example.second_record:
            st.markdown("**x₂** is covered by e₂ and e′₂. They agree: **join**.")
        whole = example.first_record and example.second_record
        shown = "By the definitions"
        if whole:
            shown = one_of(
                "The result",
                (shown, "As printed"),
                "learn_printed",
                shown,
                label_visibility="collapsed",
            )
        printed = whole and shown == "As printed"
        st.markdown(f"**E₁₊₂**, {shown[0].lower()}{shown[1:]}")
        for place, rule in enumerate(example.printed() if printed else example.worked()):
            _rule(f"e″{NUMBERS[place]}" if place < len(NUMBERS) else "e″", rule)
        if whole:
            st.warning(
                "**The printed result differs in two places.** " + " ".join(MISPRINTS),
                icon=":material/menu_book:",
            )
        st.caption("Leave x₂ out of the batch, and e₂ and e′₂ stay as they are.")
