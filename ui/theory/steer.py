"""Steer: what is said of all rules, undo, and cards to pin, change, remove and put back."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from glocalx.pipeline.settings import SelectionSettings
from glocalx.rules.steering import (
    BarFeature,
    PinRule,
    RemoveRule,
    SayDirection,
    Steering,
    SteeringStep,
)
from glocalx.words.figures import percent
from glocalx.words.phrases import counted, enumeration
from glocalx.workspace.run import Run
from ui.layout import act_button, one_of, refusals
from ui.opened import colours_of, explained_of, theory_of, wording_of
from ui.text import plain
from ui.theory.cards import rule_cards
from ui.theory.changes import removed_cards
from ui.theory.editor import ask_feature, ask_outcome, editor
from ui.theory.steadiness import steady_theory
from ui.theory.steered import (
    can_redo,
    can_undo,
    draft_of,
    keep,
    open_draft,
    redo,
    steering_in,
    take,
    take_back,
    tried,
    turn_of,
    undo,
    with_step,
)


def steer_bar(run: Run, chosen: SelectionSettings) -> None:
    """The card above the rules while they are steered."""
    steering, turn = steering_in(run, chosen), turn_of(run)
    with st.container(border=True, key="steer"):
        with st.container(
            horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"
        ):
            st.header("Steer", anchor=False, width="content")
            with st.container(horizontal=True, width="content", vertical_alignment="center"):
                if steering:
                    st.caption(f"{counted(len(steering.steps), 'change')} by hand", width="content")
                undone, redone = can_undo(run, chosen), can_redo(run)
                act_button(
                    "Undo", f"undo {turn}", undo, run, turn, icon="undo", disabled=not undone
                )
                act_button(
                    "Redo", f"redo {turn}", redo, run, turn, icon="redo", disabled=not redone
                )
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.caption("No rule may name", width=130)
            _chips(run, [step for step in steering.steps if isinstance(step, BarFeature)], turn)
            with st.popover("Bar a feature", icon=":material/block:"):
                _ask_bar(run, chosen)
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.caption("Directions", width=130)
            _chips(run, list(steering.directions), turn)
            with st.popover("Add a direction", icon=":material/trending_up:"):
                _ask_direction(run, chosen)
            if steering.directions:
                st.caption(kept_to(run, chosen, steering), width="content")
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.caption("A new rule", width=130)
            facts = explained_of(run)
            nothing = facts.schema.rule({}, facts.positive)
            act_button(
                "Write a rule", f"write {turn}", open_draft, run, None, nothing, icon="edit_note"
            )


def _chips(run: Run, steps: Sequence[BarFeature | SayDirection], turn: int) -> None:
    """A button for each step, which takes it back."""
    wording = wording_of(run)
    for place, step in enumerate(steps):
        said = (
            wording.name(step.feature) if isinstance(step, BarFeature) else wording.direction(step)
        )
        act_button(
            plain(said),
            f"{type(step).__name__} {place} {turn}",
            partial(take_back, run, turn, step),
            icon="close",
            icon_position="right",
            help="Take it back",
        )


def kept_to(run: Run, chosen: SelectionSettings, steering: Steering) -> str:
    """Whether all rules keep to the directions, and which one does not; Markdown."""
    theory, wording = theory_of(run, chosen), wording_of(run)
    breaking = steering.breaking(theory.rules)
    if not breaking:
        return f":material/check: All {counted(theory.size, 'rule')} keep to it."
    said = [
        f"rule {place + 1} breaks “{plain(wording.direction(direction))}”"
        for place, direction in breaking
    ]
    return f":material/warning: By hand, {enumeration(said)}."


@st.fragment
def _ask_bar(run: Run, chosen: SelectionSettings) -> None:
    """Which feature to bar, and what that would change."""
    barred = steering_in(run, chosen).barred
    free = [name for name in explained_of(run).schema.names if name not in barred]
    feature = ask_feature(run, "No rule may name", free, f"bar {turn_of(run)}")
    if feature is None:
        st.caption(
            "Conditions on it are dropped from every rule there is to choose from, and the rules "
            "are chosen anew. The black box still reads it."
        )
        return
    if not st.checkbox(
        "From the start: merge the local rules again without it",
        key=f"from start {turn_of(run)}",
        help="It is dropped from the local rules before they are merged. Other rules may come of "
        "it, and the present hierarchy is replaced.",
    ):
        _offer(run, chosen, BarFeature(feature), "Bar it")
        return
    st.caption("What it changes shows when everything is merged again.")
    if st.button("Bar it and merge again", type="primary", key=f"bar first {turn_of(run)}"):
        keep(run, turn_of(run), with_step(run, chosen, BarFeature(feature, from_start=True)))
        st.rerun()


@st.fragment
def _ask_direction(run: Run, chosen: SelectionSettings) -> None:
    """What to say of which feature, which rules break it, and what keeping to it would change."""
    facts, turn = explained_of(run), turn_of(run)
    numbers = [each.name for each in facts.schema.features if not each.is_categorical]
    if not numbers:
        st.caption("No feature has numbers, and categories have no direction.")
        return
    feature = ask_feature(run, "More of", numbers, f"direction feature {turn}")
    ways = {True: "never lower", False: "never raise"}
    rises = one_of("does", ways, f"direction way {turn}", True)
    outcome = ask_outcome(run, "the answer", facts.positive, f"direction outcome {turn}")
    if feature is None:
        st.caption("A rule that breaks it loses the end that does; the rules are chosen anew.")
        return
    step = SayDirection(feature, rises, outcome)
    places = [
        place + 1 for place, rule in enumerate(theory_of(run, chosen).rules) if step.broken_by(rule)
    ]
    if places:
        rules = enumeration([str(place) for place in places])
        st.caption(f"{'Rules' if len(places) > 1 else 'Rule'} {rules} break it now.")
    else:
        st.caption("Every rule keeps to it already.")
    _offer(run, chosen, step, "Say it")


def _offer(run: Run, chosen: SelectionSettings, step: SteeringStep, label: str) -> None:
    """What a step would change on the reference records, and the button that keeps it."""
    with refusals(go_on=True):
        steering, theory, effect = tried(run, chosen, step)
        before, after = effect.fidelity
        known = explained_of(run).reference_name.capitalize()
        st.markdown(
            f"{known}s: **{percent(before, 1)} → {percent(after, 1)}**. {effect.sentence} "
            f"{counted(theory.size, 'rule')}."
        )
        if st.button(label, type="primary", key=f"{label} {turn_of(run)}"):
            keep(run, turn_of(run), steering)
            st.rerun()


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

    rule_cards(theory, explained_of(run), wording_of(run), colours_of(run), draw, opened)
    removed_cards(run, chosen)


def _buttons(run: Run, chosen: SelectionSettings, place: int) -> None:
    turn, ranked = turn_of(run), theory_of(run, chosen).ranked[place]
    steering, number = steering_in(run, chosen), place + 1
    pins = {steering.stripped(s.rule): s for s in steering.steps if isinstance(s, PinRule)}
    pinned = ranked.mark is not None and ranked.mark.kind == "pinned"
    with st.container(horizontal=True, gap="small"):
        if ranked.mark is None or pinned:
            act_button(
                "Unpin" if pinned else "Pin",
                f"pin {place} {turn}",
                partial(
                    take_back if pinned else take,
                    run,
                    turn,
                    pins.get(ranked.rule, PinRule(ranked.rule)),
                ),
                icon="keep_off" if pinned else "keep",
                help=f"Rule {number} stays, whatever else is chosen",
            )
        act_button(
            "Change",
            f"change {place} {turn}",
            partial(open_draft, run, ranked.rule, ranked.rule),
            icon="edit",
            help=f"Move a threshold of rule {number}, drop or add a condition",
        )
        act_button(
            "Remove",
            f"remove {place} {turn}",
            partial(take, run, turn, RemoveRule(ranked.rule)),
            icon="delete",
            help=f"Take rule {number} out; it can be put back",
        )
