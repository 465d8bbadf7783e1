"""Where on the way from local rules to theories the person stands, and how that moves.

The merge itself runs ahead in another process. Here the steps that exist are played back: the
person stands at a step, or at the newest one, which moves as long as merging goes on.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field

import streamlit as st

from glocalx.workspace.run import Run
from ui.address import put_in_address
from ui.transport import SliderPlace

OLD_ADDRESS_SECONDS = 5
MOST_LATE = 5
STATE, SPEED, ADDRESS = "merge_playback", "merge_speed", "step"


@dataclass(frozen=True, slots=True)
class Speed:
    """So many merges at a time, and how often."""

    merges: int
    seconds: float

    def due(self, elapsed: float) -> int:
        """How many merges to go on after some seconds.

        None before it is time. Whoever watches every merge misses none; faster ones are skipped
        where the page is late, so that playing keeps its speed.
        """
        if elapsed < 0.6 * self.seconds:
            return 0
        late = min(max(round(elapsed / self.seconds), 1), MOST_LATE)
        return self.merges * late if self.merges > 1 else 1


SPEEDS = {"1×": Speed(1, 0.8), "5×": Speed(5, 0.8), "25×": Speed(12, 0.4)}


@dataclass(slots=True)
class Playback:
    """One person's place in one hierarchy.

    Parameters
    ----------
    of
        The run and its settings; for others one starts anew.
    at
        The step that is wanted; None: the newest. It may not be there yet.
    playing
        Whether it moves by itself.
    moved
        When it last did.
    written, replaced
        What the address said last, and before that; it may be reported for a while.
    rewritten
        When it was written.
    slider
        The slider over all steps.
    """

    of: str
    at: int | None = None
    playing: bool = False
    moved: float = 0.0
    written: str | None = None
    replaced: str | None = None
    rewritten: float = 0.0
    slider: SliderPlace = field(default_factory=lambda: SliderPlace("merge_slider"))

    def shown(self, steps: int) -> int:
        """The step to show of those that are there."""
        return steps if self.at is None else min(self.at, steps)

    def waits(self, steps: int) -> bool:
        """Whether the wanted step is still to come, or always the newest is wanted."""
        return self.at is None or self.at > steps

    def go_to(self, step: int, steps: int, *, finished: bool = True) -> None:
        """Stand still at a step; the last one there is means: the newest."""
        self.playing = False
        self.at = None if step >= steps and finished else max(step, 0)

    def play(self, steps: int, *, finished: bool) -> None:
        """Go on by itself, from the start if the end was reached."""
        here = self.shown(steps)
        self.at = 0 if finished and here >= steps else here
        self.playing, self.moved = True, time.monotonic()

    def tick(self, steps: int, speed: Speed, *, finished: bool) -> None:
        """Move on if it is time to; at the very end stop."""
        due = speed.due(time.monotonic() - self.moved)
        if not self.playing or not due:
            return
        self.moved = time.monotonic()
        self.at = min(self.shown(steps) + due, steps)
        if finished and self.at >= steps:
            self.playing, self.at = False, None


def playback_of(run: Run) -> Playback:
    """Where the person stands: where they were, or as the address says, or at the newest step."""
    of = _identity(run)
    found = st.session_state.get(STATE)
    if not isinstance(found, Playback) or found.of != of:
        said = st.query_params.get(ADDRESS)
        first = not isinstance(found, Playback) or not found.of.startswith(f"{run.id} ")
        found = Playback(of, _step(said) if first else None, written=said)
        st.session_state[STATE] = found
    return found


def arrive(run: Run) -> None:
    """Go where the address says if somebody changed it: a link, or back in the browser.

    Only for whole runs of the page: a fragment may carry an old address. For a few seconds a
    whole run may do so too, if the browser asked for it before it learnt of the new one.
    """
    playback, said = playback_of(run), st.query_params.get(ADDRESS)
    old = time.monotonic() - playback.rewritten < OLD_ADDRESS_SECONDS
    if said == playback.written or (old and said == playback.replaced):
        return
    playback.written = said
    was_here = playback.slider.key in st.session_state
    if said is not None or was_here:  # from another page one comes back to where one was
        playback.at, playback.playing = _step(said), False


def start_over(run: Run, *, playing: bool) -> None:
    """Stand at the start of a run, to see it from there."""
    said = st.query_params.get(ADDRESS)
    now = time.monotonic()
    st.session_state[STATE] = Playback(_identity(run), 0, playing, now, said)


def _identity(run: Run) -> str:
    return f"{run.id} {run.settings.key('merge')}"


def write_address(playback: Playback, steps: int) -> None:
    """Put the step into the address; not while playing, or going back would take for ever."""
    if playback.playing or (playback.at is not None and playback.at > steps):
        return
    said = None if playback.at is None else str(playback.at)
    if said != playback.written:
        playback.replaced, playback.written = playback.written, said
        playback.rewritten = time.monotonic()
    put_in_address(ADDRESS, said)


def speed_chosen() -> Speed:
    """As chosen beside the buttons."""
    return SPEEDS.get(st.session_state.get(SPEED) or "1×", SPEEDS["1×"])


def _step(said: str | None) -> int | None:
    """The step in an address; what is no number counts as none."""
    try:
        return None if said is None else max(int(said), 0)
    except ValueError:
        return None
