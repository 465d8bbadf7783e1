"""What parameters do: the same rules, merged at two settings side by side."""

from __future__ import annotations

import streamlit as st

from glocalx.lessons.presets import Point
from glocalx.merging.search import WEIGHTS
from glocalx.plots import PlaneView, plane
from glocalx.words.figures import percent
from glocalx.words.phrases import counted
from ui.layout import card, one_of, show
from ui.learn.lesson import JUDGED, Bounds, Lesson, colours_for, lesson_of, wording_for

LENGTHS = (0.0, 0.02, 0.1, 0.5, 1.0, 2.0, 5.0)
SIDES = ("all", "whole")
HEIGHT = 320


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
