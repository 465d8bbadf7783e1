"""Exercises with hidden answers, a hand-out, cases where rules mislead, and the glossary."""

from __future__ import annotations

from itertools import groupby

import streamlit as st

from glocalx.lessons.exercises import exercises
from glocalx.lessons.glossary import GLOSSARY
from glocalx.lessons.handout import handout
from glocalx.lessons.misleading import CASES, Misled
from glocalx.lessons.scene import Scene
from glocalx.words.wording import Wording
from ui.layout import card, download
from ui.learn.lesson import SHIPPED, Lesson, ask_scene, colours_for, lesson_of, wording_for
from ui.terms import term_link
from ui.text import plain


def practice() -> None:
    """Questions about one of the scenes."""
    scene, judged = ask_scene(SHIPPED, "loan", ("learn_practice_scene", "learn_practice_judged"))
    lesson = lesson_of(scene, (), None, judged)
    wording = wording_for(lesson.scene)
    with card(f"Exercises: {SHIPPED[scene]}"):
        st.markdown(
            "Work them out by hand, from the records below; every answer is computed from the same "
            f"run. Some ask for the {term_link('BIC')}."
        )
        _records(lesson.scene, wording)
        found = enumerate(exercises(lesson.hierarchy, lesson.scene.reference, wording), start=1)
        for about, asked in groupby(found, key=lambda numbered: numbered[1].about):
            if about:
                st.divider()
                st.markdown(f"**{plain(about)}**")
            for number, each in asked:
                st.markdown(f"{number}. {plain(each.question)}")
                with st.expander(f"Answer {number}"):
                    st.markdown(plain(each.answer))
    hand_out(lesson, SHIPPED[scene])


def _records(scene: Scene, wording: Wording) -> None:
    """Every record with the answer of the black box, counted from 1 as everywhere."""
    sides = (scene.across.feature, scene.up.feature)
    st.dataframe(
        {
            "Record": range(1, scene.reference.size + 1),
            **{wording.name(side): scene.frame[side].tolist() for side in sides},
            "Black box": [wording.outcome(label) for label in scene.reference.labels.tolist()],
        },
        hide_index=True,
        height=240,
        column_config={
            wording.name(side): st.column_config.NumberColumn(format="localized") for side in sides
        },
    )


def hand_out(lesson: Lesson, title: str) -> None:
    """A button for the lesson as a file."""
    scene, hierarchy = lesson.scene, lesson.hierarchy
    wording, colours = wording_for(scene), colours_for(scene)
    download(
        "Hand-out, one file for offline",
        lambda: handout(title, scene, hierarchy, wording, colours).encode(),
        f"lesson-{scene.name}.html",
        "text/html",
        key="learn_handout",
        help="Points, local rules, records, exercises with hidden answers, and the glossary.",
    )


@st.cache_resource(max_entries=len(CASES), show_spinner="Running the case …")
def _ran(title: str) -> Misled:
    return CASES[title].run()


def where_it_misleads() -> None:
    """A card for each case."""
    st.markdown(
        "Think first, then run the case: rules are made, merged and counted when you ask for it."
    )
    with st.grid(2, min_column_width=380, gap="medium"):
        for title in CASES:
            with st.container():
                st.fragment(_case)(title)


def _case(title: str) -> None:
    case = CASES[title]
    with card(title, height="stretch"):
        st.markdown(plain(case.told_before))
        st.markdown(f"**{plain(case.ask)}**")
        if not st.toggle("Run the case", key=f"learn_case_{title}"):
            return
        found = _ran(title)
        for sentence in found.told:
            st.markdown(plain(sentence))
        st.info(f"**What to check.** {plain(found.check)}", icon=":material/fact_check:")


def glossary() -> None:
    """Every word of the method, with its formula."""
    with card("Glossary"):
        for term in GLOSSARY:
            formula = f"  \n`{term.formula}`" if term.formula else ""
            st.subheader(plain(term.name), anchor=term.anchor)
            st.markdown(f"{plain(term.meaning)}{formula}")
