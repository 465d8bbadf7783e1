"""Playing back: where one stands while steps come and go."""

import time

import pytest

from ui.merge.play import SPEEDS, Playback
from ui.merge.transport import Way, status_line
from ui.transport import SliderPlace


@pytest.fixture
def clock(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    return now


def test_the_newest_step_is_followed():
    playback = Playback("run")
    assert playback.shown(3) == 3
    assert playback.shown(9) == 9
    assert playback.waits(9)


def test_a_step_that_is_still_to_come_is_waited_for():
    playback = Playback("run", at=10)
    assert playback.shown(4) == 4
    assert playback.waits(4)
    assert playback.shown(20) == 10
    assert not playback.waits(20)


def test_going_to_the_last_step_means_the_newest():
    playback = Playback("run", playing=True)
    playback.go_to(3, 9)
    assert playback.at == 3
    assert not playback.playing
    playback.go_to(9, 9)
    assert playback.at is None
    playback.go_to(-1, 9)
    assert playback.at == 0


def test_play_moves_on_with_time_and_stops_at_the_end(clock):
    playback = Playback("run", at=5)
    playback.play(9, finished=True)
    playback.tick(9, SPEEDS["1×"], finished=True)
    assert playback.at == 5  # something else was clicked: it was not time yet
    clock[0] += 0.8
    playback.tick(9, SPEEDS["1×"], finished=True)
    assert playback.at == 6
    clock[0] += 0.8
    playback.tick(9, SPEEDS["25×"], finished=True)
    assert playback.at is None
    assert not playback.playing


def test_play_waits_at_the_end_of_what_is_still_growing(clock):
    playback = Playback("run", at=0)
    playback.play(0, finished=False)
    clock[0] += 0.8
    playback.tick(2, SPEEDS["5×"], finished=False)
    assert playback.at == 2
    assert playback.playing


def test_a_late_page_skips_merges_unless_each_is_watched():
    assert [SPEEDS["5×"].due(seconds) for seconds in (0.4, 0.8, 1.7, 60)] == [0, 5, 10, 25]
    assert [SPEEDS["25×"].due(seconds) for seconds in (0.2, 0.4, 0.8)] == [0, 12, 24]
    assert [SPEEDS["1×"].due(seconds) for seconds in (0.4, 0.8, 8)] == [0, 1, 1]


def test_play_at_the_end_begins_anew():
    playback = Playback("run")
    playback.play(9, finished=True)
    assert playback.at == 0
    assert playback.playing


def test_play_from_the_newest_of_a_growing_run_goes_on_from_there():
    playback = Playback("run")
    playback.play(9, finished=False)
    assert playback.at == 9


def test_the_status_line_counts():
    assert status_line(3, Way(1_200, 1_300, True, False), 1, 1_000) == (
        "Step **3** of 1,200 · **1** theory left · **1,000** rules"
    )
    assert "of 7 so far" in status_line(3, Way(7, 1_300, False, True), 5, 9)


def test_the_slider_reaches_as_far_as_steps_may_come():
    assert Way(7, 1_300, False, True).length == 1_300
    assert Way(7, 1_300, False, False).length == 7


def test_a_slider_that_the_page_moves_is_a_new_one():
    slider = SliderPlace("steps")
    first = slider.at(3)
    assert slider.at(3) == first
    assert slider.at(4) != first
