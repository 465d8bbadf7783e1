"""Where somebody stands in a lesson, and what they guessed."""

from __future__ import annotations

from dataclasses import dataclass, field

import streamlit as st

from glocalx.merging.calculation import Calculation
from glocalx.plots import OutcomeColours
from glocalx.words.wording import Wording
from ui.learn.lesson import Lesson
from ui.transport import SliderPlace

STATE, PAIR = "learn_place", "pair"


@dataclass(slots=True)
class LessonPlace:
    """One person's place in one lesson.

    Parameters
    ----------
    of
        Which lesson; for another one starts anew.
    at
        The pair that is looked at, from 1; 0: before the first.
    guesses
        For each pair what was guessed: True for accepted; None: shown without a guess.
    slider
        The slider over all pairs.
    """

    of: object
    at: int = 0
    guesses: dict[int, bool | None] = field(default_factory=dict)
    slider: SliderPlace = field(default_factory=lambda: SliderPlace("learn_slider"))

    @property
    def open(self) -> bool:
        """Whether the result of the present pair may be seen."""
        return self.at == 0 or self.at in self.guesses

    def go_to(self, pair: int) -> None:
        """Look at a pair; one that is not there is taken for the last, see :func:`place_in`."""
        self.at = max(pair, 0)


@dataclass(frozen=True, slots=True)
class PairView:
    """The pair that somebody looks at, None before the first, and how it is said."""

    lesson: Lesson
    place: LessonPlace
    calculation: Calculation | None
    wording: Wording
    colours: OutcomeColours


def place_in(of: object, pairs: int) -> LessonPlace:
    """Where the person stands: where they were, or as the address says, or at the start."""
    found = st.session_state.get(STATE)
    if not isinstance(found, LessonPlace) or found.of != of:
        said = st.query_params.get(PAIR, "") if found is None else ""
        slider = found.slider if isinstance(found, LessonPlace) else SliderPlace("learn_slider")
        found = LessonPlace(
            of, int(said) if said.isdecimal() and len(said) < 9 else 0, slider=slider
        )
        st.session_state[STATE] = found
    found.at = min(found.at, pairs)
    return found


def write_address(place: LessonPlace) -> None:
    """Put the pair into the address, so that a link shows it."""
    if place.at:
        if st.query_params.get(PAIR) != str(place.at):
            st.query_params[PAIR] = str(place.at)
    else:
        st.query_params.pop(PAIR, None)
