"""Play, pause, step, and a slider over all steps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from glocalx.words.phrases import counted
from ui.merge.play import SPEED, SPEEDS, Playback

MANY = 10


@dataclass(frozen=True, slots=True)
class Way:
    """What there is to go along.

    Parameters
    ----------
    steps
        How many there are so far.
    most
        How many there can be.
    finished, busy
        Whether merging has ended; whether it goes on right now.
    """

    steps: int
    most: int
    finished: bool
    busy: bool

    @property
    def length(self) -> int:
        """How far the slider reaches: all that may come, as long as something may."""
        return self.most if self.busy else self.steps


def transport(playback: Playback, way: Way, status: str, begin: Callable[[], None] | None) -> None:
    """The card with the buttons. `begin` lets merging begin, or go on; None: nobody may.

    Whatever asks for steps that are not there yet lets merging begin.
    """
    at = playback.shown(way.steps)
    more = not way.finished and not way.busy
    ahead = at < way.steps or way.busy or (more and begin is not None)

    def move(steps: int | None) -> None:
        wanted = None if steps is None else playback.shown(way.steps) + steps
        if more and begin is not None and (wanted is None or wanted > way.steps):
            begin()
        whole = way.finished or way.busy
        playback.go_to(way.length if wanted is None else wanted, way.length, finished=whole)
        if wanted is None:
            playback.at = None

    playing = playback.playing  # as the button says it: Streamlit may call a callback twice

    def toggle() -> None:
        if playing:
            playback.go_to(playback.shown(way.steps), way.steps, finished=way.finished)
            return
        if more and begin is not None:
            begin()
        playback.play(way.steps, finished=way.finished)

    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            _button("Start", "first_page", "Before the first merge", at == 0, move, -at)
            _button("Back", None, "One step back", at == 0, move, -1, shortcut="Left")
            _play_button(playback, way, at, toggle, possible=ahead or way.steps > 0)
            _button("Step", None, "One step on", not ahead, move, 1, shortcut="Right")
            _button(f"{MANY} steps", None, "Ten steps on", not ahead, move, MANY)
            _button("End", "last_page", "To the last step", not ahead, move, None)
            st.segmented_control(
                "Speed of playing",
                list(SPEEDS),
                default="1×",
                required=True,
                key=SPEED,
                label_visibility="collapsed",
                persist_state="session",
            )
            st.space("stretch")
            st.markdown(status, width="content")
        _slider(playback, way, at)


def _button(
    label: str,
    icon: str | None,
    help_text: str,
    disabled: bool,
    move: Callable[[int | None], None],
    steps: int | None,
    shortcut: str | None = None,
) -> None:
    st.button(
        label,
        key=f"merge_{label}",
        icon=f":material/{icon}:" if icon else None,
        help=help_text,
        disabled=disabled,
        on_click=move,
        args=(steps,),
        shortcut=shortcut,
    )


def _play_button(
    playback: Playback, way: Way, at: int, toggle: Callable[[], None], *, possible: bool
) -> None:
    at_end = way.finished and at >= way.steps
    st.button(
        "Pause" if playback.playing else "Play",
        key="merge_play",
        icon=":material/pause:" if playback.playing else ":material/play_arrow:",
        help="From the start again" if at_end and not playback.playing else None,
        type="secondary" if at_end else "primary",
        disabled=not possible,
        on_click=toggle,
        shortcut="P",
        width=140,
    )


def _slider(playback: Playback, way: Way, at: int) -> None:
    key = playback.slider_at(at)

    def scrub() -> None:
        if key == playback.slider_key:
            playback.place = st.session_state[key]
            playback.go_to(playback.place, way.length, finished=way.finished or way.busy)

    st.slider(
        "Step",
        0,
        max(way.length, 1),
        at,
        key=key,
        on_change=scrub,
        disabled=not way.length,
        label_visibility="collapsed",
    )


def status_line(at: int, way: Way, theories: int, rules: int) -> str:
    """Where one stands, in a line."""
    of = f"{way.steps:,} so far" if way.busy or not way.finished else f"{way.steps:,}"
    return (
        f"Step **{at:,}** of {of} · {_bold_count(theories, 'theory', 'theories')} left · "
        f"{_bold_count(rules, 'rule', 'rules')}"
    )


def _bold_count(number: int, one: str, many: str) -> str:
    figure, noun = counted(number, one, many).split(" ", 1)
    return f"**{figure}** {noun}"
