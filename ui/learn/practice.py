"""Exercises on a scene with answers that stay hidden, a hand-out, and the glossary."""

from __future__ import annotations

import streamlit as st

from glocalx.lessons.exercises import exercises
from glocalx.lessons.glossary import GLOSSARY
from glocalx.lessons.handout import handout
from ui.layout import card, download
from ui.learn.lesson import JUDGED, SHIPPED, Lesson, colours_for, lesson_of, wording_for
from ui.text import plain


def practice() -> None:
    """Questions about one of the scenes."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        scene = st.pills(
            "Scene",
            list(SHIPPED),
            default="loan",
            required=True,
            format_func=SHIPPED.__getitem__,
            key="learn_practice_scene",
            label_visibility="collapsed",
        )
        judged = st.selectbox(
            "A merge is judged",
            list(JUDGED),
            format_func=JUDGED.__getitem__,
            key="learn_practice_judged",
            width=240,
        )
    lesson = lesson_of(scene, (), None, judged)
    wording = wording_for(lesson.scene)
    with card(f"Exercises: {SHIPPED[scene]}"):
        st.markdown(
            "Work them out by hand; the records are on the page Playground. Every answer is "
            "computed from the same run."
        )
        found = exercises(lesson.hierarchy, lesson.scene.reference, wording)
        for place, each in enumerate(found, start=1):
            st.markdown(f"**{place}.** {plain(each.question)}")
            with st.expander(f"Answer {place}"):
                st.markdown(plain(each.answer))
        st.dataframe(lesson.scene.frame.assign(answer=lesson.scene.reference.labels), height=240)
    download(
        "Hand-out, one file for offline",
        lambda: _file(lesson, SHIPPED[scene]),
        f"lesson-{scene}.html",
        "text/html",
        key="learn_handout",
    )


def _file(lesson: Lesson, title: str) -> bytes:
    scene = lesson.scene
    text = handout(title, scene, lesson.hierarchy, wording_for(scene), colours_for(scene))
    return text.encode()


def glossary() -> None:
    """Every word of the method, with its formula."""
    with card("Glossary"):
        for term in GLOSSARY:
            formula = f"  \n`{term.formula}`" if term.formula else ""
            st.subheader(plain(term.name), anchor=term.anchor)
            st.markdown(f"{plain(term.meaning)}{formula}")
