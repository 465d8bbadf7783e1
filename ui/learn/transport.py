"""From pair to pair: one on, one back, a slider, and the next one of a kind."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from glocalx.merging.landmarks import LANDMARKS, Landmark
from glocalx.words.phrases import counted
from ui.learn.lesson import Lesson
from ui.learn.state import LessonPlace

JUMPS: dict[Landmark, tuple[str, str]] = {
    "join": ("join", "J"),
    "cut": ("cut", "X"),  # Streamlit keeps C and R to itself
    "refusal": ("refusal", "N"),
    "fidelity drop": ("fidelity drop", "D"),
}


def transport(lesson: Lesson, place: LessonPlace) -> None:
    last = len(lesson.pairs)

    def go(to: int) -> None:
        place.at = min(max(to, 0), last)

    with st.container(border=True):
        with st.container(horizontal=True, gap="small"):
            _button("Start", "first_page", go, 0, off=place.at == 0)
            _button("Back", None, go, place.at - 1, off=place.at == 0, shortcut="Left")
            _button("Step", None, go, place.at + 1, off=place.at >= last, shortcut="Right")
            _button("End", "last_page", go, last, off=place.at >= last)
        key = place.slider_at()

        def slid() -> None:
            if key == place.slider_key:
                place.at = place.stands = st.session_state[key]

        st.slider(
            "Pair",
            0,
            max(last, 1),
            place.at,
            key=key,
            on_change=slid,
            disabled=not last,
            label_visibility="collapsed",
        )
        merges = lesson.pair(place.at).merges_before if place.at else 0
        left = len(lesson.scene.rules) - merges
        st.markdown(
            f"Pair **{place.at}** of {last} · **{left}** "
            f"{'theory' if left == 1 else 'theories'} left · "
            f"{counted(len(lesson.hierarchy.rules(merges)), 'rule')}"
        )
        with st.container(horizontal=True, gap="small", vertical_alignment="center"):
            st.markdown("Next", width="content")
            for kind in LANDMARKS:
                label, key = JUMPS[kind]
                found = lesson.after(place.at, kind)
                st.button(
                    label,
                    key=f"learn_next_{kind}",
                    disabled=found is None,
                    help=f"No {label} after this pair." if found is None else None,
                    on_click=go,
                    args=(found or 0,),
                    shortcut=key,
                )


def _button(
    label: str,
    icon: str | None,
    go: Callable[[int], None],
    to: int,
    *,
    off: bool,
    shortcut: str | None = None,
) -> None:
    st.button(
        label,
        key=f"learn_{label}",
        icon=f":material/{icon}:" if icon else None,
        disabled=off,
        on_click=go,
        args=(to,),
        shortcut=shortcut,
    )
