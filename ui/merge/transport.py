"""Play, pause, step, and a slider over all steps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from glocalx.words.phrases import counted
from ui.layout import act_button, one_of
from ui.merge.play import SPEED, SPEEDS, Playback
from ui.transport import place_slider

MANY = 10
PLAY_HELP = (
    "The page changes by itself until you press this again. Nothing slides or fades where your "
    "device asks for less motion; **Step** goes one at a time."
)


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


@dataclass(frozen=True, slots=True)
class Transport:
    """Leads somebody along the steps.

    Whatever asks for steps that are not there yet lets merging begin.

    Parameters
    ----------
    begin
        Lets merging begin, or go on; None: nobody may.
    """

    playback: Playback
    way: Way
    begin: Callable[[], None] | None

    @property
    def at(self) -> int:
        return self.playback.shown(self.way.steps)

    @property
    def more(self) -> bool:
        """Whether merging could go on and does not."""
        return not self.way.finished and not self.way.busy

    @property
    def ahead(self) -> bool:
        """Whether there is a step after the present one, or one may be made."""
        return self.at < self.way.steps or self.way.busy or (self.more and self.begin is not None)

    def move(self, steps: int | None) -> None:
        """So many steps on, or back; None: to the end."""
        way, playback = self.way, self.playback
        wanted = None if steps is None else self.at + steps
        if self.more and self.begin is not None and (wanted is None or wanted > way.steps):
            self.begin()
        self.go_to(way.length if wanted is None else wanted)
        if wanted is None:
            playback.at = None

    def go_to(self, step: int) -> None:
        """Stand at a step."""
        way = self.way
        self.playback.go_to(step, way.length, finished=way.finished or way.busy)

    def play(self, *, going: bool) -> None:
        """Play, or pause where it is `going`: as the button says it, which may be told twice."""
        if going:
            self.playback.go_to(self.at, self.way.steps, finished=self.way.finished)
            return
        if self.more and self.begin is not None:
            self.begin()
        self.playback.play(self.way.steps, finished=self.way.finished)


def transport_card(transport: Transport, status: str) -> None:
    """All buttons, the speed, where one stands, and the slider."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        at, move, ahead = transport.at, transport.move, transport.ahead
        act_button("Start", "merge_Start", move, -at, disabled=at == 0, icon="first_page")
        back_play_step(transport)
        act_button(f"{MANY} steps", "merge_many", move, MANY, disabled=not ahead)
        act_button("End", "merge_End", move, None, disabled=not ahead, icon="last_page")
        look = {"label_visibility": "collapsed", "persist_state": "session"}
        one_of("Speed of playing", tuple(SPEEDS), SPEED, "1×", **look)
        st.space("stretch")
        st.markdown(status, width="content")
    step_slider(transport)


def back_play_step(transport: Transport) -> None:
    """The three buttons that have keys."""
    at, move, ahead = transport.at, transport.move, transport.ahead
    playing, way = transport.playback.playing, transport.way
    at_end = way.finished and at >= way.steps
    act_button("Back", "merge_Back", move, -1, disabled=at == 0, shortcut="Left")
    st.button(
        "Pause" if playing else "Play",
        key="merge_play",
        icon=":material/pause:" if playing else ":material/play_arrow:",
        help="From the start again" if at_end and not playing else PLAY_HELP,
        type="secondary" if at_end else "primary",
        disabled=not (ahead or way.steps > 0),
        on_click=transport.play,
        kwargs={"going": playing},
        shortcut="P",
        width=140,
    )
    act_button("Step", "merge_Step", move, 1, disabled=not ahead, shortcut="Right")


def step_slider(transport: Transport) -> None:
    playback = transport.playback
    place_slider("Step", playback.slider, transport.at, transport.way.length, transport.go_to)


def status_line(at: int, way: Way, theories: int, rules: int) -> str:
    """Where one stands, in a line."""
    return f"Step **{at:,}** of {of_steps(way)} · {left_line(theories, rules)}"


def of_steps(way: Way) -> str:
    return f"{way.steps:,} so far" if way.busy or not way.finished else f"{way.steps:,}"


def left_line(theories: int, rules: int) -> str:
    """How many theories and rules are left."""
    return (
        f"{_bold_count(theories, 'theory', 'theories')} left · "
        f"{_bold_count(rules, 'rule', 'rules')}"
    )


def _bold_count(number: int, one: str, many: str) -> str:
    figure, noun = counted(number, one, many).split(" ", 1)
    return f"**{figure}** {noun}"
