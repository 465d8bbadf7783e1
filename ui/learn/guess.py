"""Predict, then reveal: the question about a pair, and its answer once somebody has guessed."""

from __future__ import annotations

import streamlit as st

from glocalx.lessons.told import answers_said
from glocalx.merging.calculation import Calculation
from glocalx.words.phrases import counted
from ui.layout import act_button
from ui.learn.lesson import Lesson
from ui.learn.state import LessonPlace, PairView
from ui.learn.words import happens, pair_said
from ui.text import plain

GUESSES = (
    ("Accepted", "check", True, "A"),
    ("Turned down", "close", False, "T"),
    ("Just show it", None, None, "S"),
)


def guess_card(view: PairView) -> None:
    """The question, and the answer once somebody has guessed."""
    lesson, place, calculation = view.lesson, view.place, view.calculation
    with st.container(border=True, height="stretch"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.header("Will it be accepted?", anchor=False, width="content")
            st.space("stretch")
            st.caption(_score(lesson, place), width="content")
        if calculation is None:
            rules = counted(len(lesson.scene.rules), "local rule")
            st.markdown(
                f"**{rules}**, each a theory of its own. The two that share the most records are "
                "tried first. A merge stays if the BIC, fidelity weighed against length, gets no "
                "worse."
            )
            return
        st.markdown(pair_said(calculation, view.wording, view.colours))
        at = place.at

        def guess(accepted: bool | None) -> None:
            place.guesses.setdefault(at, accepted)

        with st.container(horizontal=True):
            for label, icon, guessed, shortcut in GUESSES:
                act_button(
                    label,
                    f"learn_guess_{shortcut}",
                    guess,
                    guessed,
                    icon=icon,
                    type="secondary" if icon else "tertiary",
                    disabled=place.open,
                    shortcut=shortcut,
                )
            if place.open and at < len(lesson.pairs):
                st.space("stretch")
                act_button("Next pair", "learn_next_pair", place.go_to, at + 1, type="primary")
        if place.open:
            _revealed(view, calculation)


def _revealed(view: PairView, calculation: Calculation) -> None:
    accepted, guess = calculation.trial.accepted, view.place.guesses[view.place.at]
    right = "" if guess is None else " You were right." if guess == accepted else " Not this time."
    pair, everyone = answers_said(calculation)
    said = f"**{'Accepted' if accepted else 'Turned down'}.{right}** {plain(pair)}"
    if accepted:
        st.success(said, icon=":material/check_circle:")
    else:
        st.error(said, icon=":material/block:")
    for sentence in happens(calculation, view.lesson.scene.reference, view.wording, view.colours):
        st.markdown(sentence)
    st.caption(plain(everyone))


def _score(lesson: Lesson, place: LessonPlace) -> str:
    given = {at: guess for at, guess in place.guesses.items() if guess is not None}
    right = sum(lesson.pair(at).accepted == guess for at, guess in given.items())
    return f"{right} of {len(given)} right so far" if given else ""
