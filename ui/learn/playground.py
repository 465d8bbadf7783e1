"""The playground: two theories meet in a plane; guess what becomes of them, then see it."""

from __future__ import annotations

import streamlit as st

from glocalx.errors import GLocalXError
from glocalx.lessons.presets import OWN
from ui.calculation import CalculationView, show_calculation
from ui.layout import card
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
from ui.learn.transport import transport
from ui.learn.two_settings import two_settings
from ui.text import plain

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
        transport(lesson, place)
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
