"""The rules as cards that can be pinned, changed, removed and put back; one is open at a time."""

from __future__ import annotations

import streamlit as st

from glocalx.pipeline.settings import SelectionSettings
from glocalx.rules.steering import PinRule, RemoveRule
from glocalx.workspace.run import Run
from ui.opened import colours_of, explained_of, theory_of, wording_of
from ui.theory.cards import CardControls, rule_cards
from ui.theory.changes import removed_cards
from ui.theory.editor import editor
from ui.theory.steadiness import steady_theory
from ui.theory.steered import draft_of, open_draft, steering_in, take, take_back, turn_of


def steered_cards(run: Run, chosen: SelectionSettings) -> None:
    """All cards with their buttons; first, where one is being written, the new rule."""
    theory, draft = steady_theory(run, chosen), draft_of(run)
    opened = None
    if draft is not None and draft.origin in theory.rules:
        opened = theory.rules.index(draft.origin)
    elif draft is not None:
        editor(run, chosen)  # a new rule, or one that has gone meanwhile

    def draw(place: int) -> None:
        _buttons(run, chosen, place)
        if place == opened:
            editor(run, chosen)

    controls = CardControls(draw, opened)
    rule_cards(theory, explained_of(run), wording_of(run), colours_of(run), controls)
    removed_cards(run, chosen)


def _buttons(run: Run, chosen: SelectionSettings, place: int) -> None:
    turn, ranked = turn_of(run), theory_of(run, chosen).ranked[place]
    steering, number = steering_in(run, chosen), place + 1
    pins = {steering.stripped(s.rule): s for s in steering.steps if isinstance(s, PinRule)}
    pinned = ranked.mark is not None and ranked.mark.kind == "pinned"
    with st.container(horizontal=True, gap="small"):
        if ranked.mark is None or pinned:
            st.button(
                "Unpin" if pinned else "Pin",
                icon=":material/keep_off:" if pinned else ":material/keep:",
                key=f"pin {place} {turn}",
                help=f"Rule {number} stays, whatever else is chosen",
                on_click=take_back if pinned else take,
                args=(run, turn, pins.get(ranked.rule, PinRule(ranked.rule))),
            )
        st.button(
            "Change",
            icon=":material/edit:",
            key=f"change {place} {turn}",
            help=f"Move a threshold of rule {number}, drop or add a condition",
            on_click=open_draft,
            args=(run, ranked.rule, ranked.rule),
        )
        st.button(
            "Remove",
            icon=":material/delete:",
            key=f"remove {place} {turn}",
            help=f"Take rule {number} out; it can be put back",
            on_click=take,
            args=(run, turn, RemoveRule(ranked.rule)),
        )
