"""The playground: two theories meet in a plane; guess what becomes of them, then see it."""

from __future__ import annotations

from functools import partial

import streamlit as st

from glocalx.errors import GLocalXError
from glocalx.lessons.presets import OWN
from glocalx.words.phrases import counted
from ui.calculation import CalculationView, show_calculation
from ui.layout import act_button, card
from ui.learn.board import draw_points, points_drawn
from ui.learn.bounds import rules_set, set_bounds
from ui.learn.guess import guess_card
from ui.learn.lesson import (
    SHIPPED,
    Lesson,
    ask_scene,
    colours_for,
    lesson_of,
    scene_named,
    wording_for,
)
from ui.learn.pictures import plane_card
from ui.learn.practice import hand_out
from ui.learn.state import LessonPlace, PairView, place_in, write_address
from ui.learn.two_settings import two_settings
from ui.text import plain
from ui.transport import jump_buttons, key_signs, keys_and_news, place_slider

TITLES = {**SHIPPED, OWN: "Draw your own"}


def playground() -> None:
    """Choose a scene, then walk from pair to pair."""
    name, judged = ask_scene(TITLES, "moons", ("scene", "judged"), bind="query-params")
    points = points_drawn() if name == OWN else ()
    if name == OWN:
        draw_points()
        if not points:
            st.info("No points yet. Click into the plane, or write them into the table.")
            return
    rules = rules_set(name)
    try:
        lesson = lesson_of(name, points, rules, judged)
    except GLocalXError as error:
        st.info(plain(error), icon=":material/info:")
        if rules is not None:  # they cannot be, and can be set again
            set_bounds(scene_named(name, points))
        return
    place = place_in((name, points, rules, judged), len(lesson.pairs))
    st.fragment(_walk)(lesson, place)
    set_bounds(scene_named(name, points))
    st.fragment(two_settings)(name, points, rules)
    hand_out(lesson, TITLES[name] if name != OWN else "Points of our own")


def _walk(lesson: Lesson, place: LessonPlace) -> None:
    """All that changes from pair to pair."""
    calculation = lesson.calculation(place.at) if place.at else None
    scene = lesson.scene
    view = PairView(lesson, place, calculation, wording_for(scene), colours_for(scene))
    left, right = st.columns([7, 5], gap="medium")
    with right:
        _transport(lesson, place)
        guess_card(view)
    with left.container(border=True, height="stretch"):
        plane_card(view)
    with card("The calculation"):
        if calculation is None:
            st.markdown("Press **Step** to see the first pair.")
        elif place.open:
            said = (view.wording, view.colours)
            show_calculation(CalculationView(calculation, scene.reference, *said))
        else:
            st.markdown("Guess first. Then every number is here, to be checked by hand.")
    write_address(place)


def _transport(lesson: Lesson, place: LessonPlace) -> None:
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
        keys_and_news("learn", said)
