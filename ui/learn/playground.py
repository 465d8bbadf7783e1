"""The playground: two theories meet; guess what becomes of them; the same rules, other settings."""

from __future__ import annotations

from functools import partial

import streamlit as st

from glocalx.errors import GLocalXError
from glocalx.lessons.presets import OWN, Point
from glocalx.merging.search import WEIGHTS
from glocalx.merging.told import other_rules
from glocalx.plots import PlaneView, plane
from glocalx.plots.canvas import legend
from glocalx.words.figures import percent
from glocalx.words.phrases import counted
from ui.address import put_in_address
from ui.calculation import CalculationView, show_calculation
from ui.layout import act_button, card, one_of, show
from ui.learn.board import draw_points, points_drawn
from ui.learn.bounds import rules_set, set_bounds
from ui.learn.guess import guess_card
from ui.learn.lesson import (
    JUDGED,
    PAIR,
    SHIPPED,
    Bounds,
    Lesson,
    LessonPlace,
    PairView,
    ask_scene,
    colours_for,
    lesson_of,
    place_in,
    scene_named,
    wording_for,
)
from ui.learn.practice import hand_out
from ui.text import plain
from ui.transport import jump_buttons, key_signs, keys_and_news, place_slider

TITLES = {**SHIPPED, OWN: "Draw your own"}
VIEWS = {"before": "Before", "change": "What happens", "after": "After"}
LENGTHS = (0.0, 0.02, 0.1, 0.5, 1.0, 2.0, 5.0)
SIDES = ("all", "whole")
HEIGHT = 320


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
    put_in_address(PAIR, str(place.at) if place.at else None)


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


def plane_card(view: PairView) -> None:
    lesson, place, calculation = view.lesson, view.place, view.calculation
    scene = lesson.scene
    with st.container(horizontal=True, vertical_alignment="center"):
        title = "Two theories meet" if calculation else "All local rules"
        st.header(title, anchor=False, width="content")
        st.space("stretch")
        chosen = "before"
        if calculation is not None and place.open:
            chosen = one_of(
                "What is drawn", VIEWS, "learn_view", "change", label_visibility="collapsed"
            )
    st.html(_legend(view, chosen))
    room = st.container()
    with st.container(horizontal=True):
        regions = st.toggle("Answers of the black box", value=True, key="learn_regions")
        others = st.toggle("The other rules", value=True, key="learn_others")
        batch = st.toggle("Only the batch", key="learn_batch", disabled=calculation is None)
    beside = scene.rules if place.at == 0 else other_rules(lesson.hierarchy, lesson.pair(place.at))
    drawing = plane(
        PlaneView(
            scene,
            view.colours,
            view.wording,
            calculation,
            beside if others or calculation is None else (),
            chosen,  # type: ignore[arg-type] # one of VIEWS
            regions,
            batch,
        )
    )
    with room:
        show(drawing, "learn_plane")
    everywhere = sum(not rule.premises for rule in beside)
    st.caption(
        f"{counted(scene.reference.size, 'record')} · {plain(scene.black_box.name)} · a rule is a "
        "rectangle, and “no condition” reaches the edge."
        + (f" {counted(everywhere, 'rule')} without any is the whole plane." if everywhere else "")
    )


def _legend(view: PairView, drawn: str) -> str:
    calculation, colours, wording = view.calculation, view.colours, view.wording
    ink, muted = colours.palette.ink, colours.palette.muted
    entries = [
        (colours.sign(outcome), wording.outcome(outcome), colours.colour(outcome))
        for outcome in colours.outcomes
    ]
    if calculation is not None and drawn != "after":
        both = calculation.both.bit_count()
        entries += [("◯", f"covered by A and by B ({both})", ink), ("▨", "shared ground", ink)]
        entries.append(("╌╌", "before", ink))
    if calculation is not None and drawn != "before":
        entries.append(("━", "after", muted))
    if calculation is not None and drawn == "change":
        entries += [("░", "new ground", muted), ("▒", "cut away", muted)]
    return legend(entries, colours.palette)


def two_settings(name: str, points: tuple[Point, ...], rules: tuple[Bounds, ...] | None) -> None:
    """A column for each setting: what is left at its end, and what that costs."""
    with card("The same rules at two settings"):
        st.markdown(
            "What a merge is judged by, and how much length weighs, decide how far merging goes. "
            "Fewer rules are easier to read; look at what that costs in answers."
        )
        for column, side in zip(st.columns(2, gap="medium"), SIDES, strict=True):
            with column:
                _side(name, points, rules, side)


def _side(
    name: str, points: tuple[Point, ...], rules: tuple[Bounds, ...] | None, side: str
) -> None:
    key = f"learn_side_judged_{side}"
    judged = one_of("A merge is judged", JUDGED, key, side, ask=st.selectbox)
    weight = st.select_slider(
        "Weight of length",
        sorted({*LENGTHS, WEIGHTS[judged]}),
        value=WEIGHTS[judged],
        key=f"learn_side_weight_{side}_{judged}",
    )
    lesson = lesson_of(name, points, rules, judged, weight)
    st.markdown(told_end(lesson))
    scene, left = lesson.scene, lesson.hierarchy.rules().rules
    view = PlaneView(scene, colours_for(scene), wording_for(scene), None, left)
    show(plane(view, height=HEIGHT), f"learn_side_{side}")


def told_end(lesson: Lesson) -> str:
    """What merging leaves, and how often it agrees with the black box, before and after."""
    hierarchy, reference = lesson.hierarchy, lesson.scene.reference
    rules, start = hierarchy.rules(), reference.agreement(lesson.scene.rules)
    conditions = counted(sum(map(len, rules)), "condition")
    agreed = reference.agreement(rules)
    return (
        f"{counted(len(hierarchy.steps), 'merge')}, {hierarchy.rejected:,} turned down. "
        f"**{counted(len(rules), 'rule')}** with {conditions} are left of "
        f"{len(lesson.scene.rules):,}. **{agreed} of {reference.size}** answers agree "
        f"({percent(agreed / reference.size)}), {start} before any merge."
    )
