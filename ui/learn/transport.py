"""From pair to pair: one on, one back, a slider, and the next one of a kind."""

from __future__ import annotations

from functools import partial

import streamlit as st

from glocalx.words.phrases import counted
from ui.keys import keys_and_news
from ui.layout import act_button
from ui.learn.lesson import Lesson
from ui.learn.state import LessonPlace
from ui.transport import jump_buttons, key_signs, own_keys, place_slider


def transport(lesson: Lesson, place: LessonPlace) -> None:
    """The card with the buttons, and where one stands."""
    last, at = len(lesson.pairs), place.at

    def go(to: int) -> None:
        place.go_to(min(to, last))

    with st.container(border=True):
        st.html(key_signs("learn"))
        with st.container(horizontal=True, gap="small"):
            act_button("Start", "learn_Start", go, 0, disabled=at == 0, icon="first_page")
            act_button("Back", "learn_Back", go, at - 1, disabled=at == 0, shortcut="Left")
            act_button("Step", "learn_Step", go, at + 1, disabled=at >= last, shortcut="Right")
            act_button("End", "learn_End", go, last, disabled=at >= last, icon="last_page")
        place_slider("Pair", place.slider, at, last, go)
        merges = lesson.pair(at).merges_before if at else 0
        left = counted(len(lesson.scene.rules) - merges, "theory", "theories")
        rules = counted(len(lesson.hierarchy.rules(merges)), "rule")
        st.markdown(f"Pair **{at}** of {last} · {left} left · {rules}")
        with st.container(horizontal=True, gap="small", vertical_alignment="center"):
            jump_buttons("learn", partial(lesson.after, at), go, "pair")
        said = f"Now pair {at} of {last}: {left} left, {rules}."
        keys_and_news("learn_news", said, own_keys("learn"))
