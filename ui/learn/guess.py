"""Predict, then reveal: the question about a pair, and its answer once somebody has guessed."""

from __future__ import annotations

import streamlit as st

from glocalx.lessons.told import answers_said
from glocalx.merging.calculation import Calculation
from glocalx.rules.rule import Rule
from glocalx.words.phrases import counted
from ui.layout import act_button
from ui.learn.lesson import Lesson, LessonPlace, PairView
from ui.merge.words import JOIN, StepWords
from ui.text import badge, bold, plain

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
        st.markdown(_pair_said(view, calculation))
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
    for sentence in _happens(view, calculation):
        st.markdown(sentence)
    st.caption(plain(everyone))


def _pair_said(view: PairView, calculation: Calculation) -> str:
    """Who the two are, before anything happens; names of a table are escaped."""
    sides = []
    for letter, rules in (("A", calculation.left), ("B", calculation.right)):
        said = [_rule_said(view, rule) for rule in sorted(rules, key=lambda each: each.sort_key)]
        sides.append(f"**{letter}**: {'; '.join(said)}")
    return "  \n".join(sides)


def _rule_said(view: PairView, rule: Rule) -> str:
    return f"{bold(view.wording.short(rule, ' and '))} → {badge(rule.outcome, view.colours)}"


def _happens(view: PairView, calculation: Calculation) -> list[str]:
    """A sentence for each cut and each join; the cuts first, because they are rare."""
    done, reference = calculation.resolution, view.lesson.scene.reference
    said = [] if calculation.trial.accepted else ["Had it been kept:"]
    words = StepWords(view.wording, view.colours)
    said += [words.cut(cut, reference) for cut in done.cuts]
    for join in done.joins:
        covered = counted(reference.score(join.result).covered, "record")
        said.append(
            f"{JOIN} **Join.** {counted(len(join.parts), 'rule')} become one: "
            f"{_rule_said(view, join.result)}, which covers {covered}."
        )
    return said


def _score(lesson: Lesson, place: LessonPlace) -> str:
    given = {at: guess for at, guess in place.guesses.items() if guess is not None}
    right = sum(lesson.pair(at).accepted == guess for at, guess in given.items())
    return f"{right} of {len(given)} right so far" if given else ""
