"""The tour on the Start page: offered to whoever is new, left at once, never offered again."""

from __future__ import annotations

from collections.abc import Callable

from streamlit.testing.v1 import AppTest

from glocalx.workspace.run import Run
from tests.ui.reading import labels, texts
from ui.start.tour import STOPS

Page = Callable[..., AppTest]


def test_it_goes_from_stop_to_stop_and_is_left_at_any(page: Page):
    test = page("start.py")
    assert "First time here?" in texts(test)
    test.button(key="tour_begin").click().run()
    assert f"1 of {len(STOPS)}: {STOPS[0][0]}" in texts(test)
    assert test.button(key="tour_back").disabled
    for _ in STOPS[1:]:
        test.button(key="tour_next").click().run()
    assert f"{len(STOPS)} of {len(STOPS)}: {STOPS[-1][0]}" in texts(test)
    test.button(key="tour_back").click().run()
    assert "Leave the tour" in labels(test)
    test.button(key="tour_leave").click().run()
    assert "First time here?" not in texts(test)
    assert "tour_next" not in {each.key for each in test.button}
    test.button(key="tour_again").click().run()
    assert STOPS[0][0] in texts(test)
    assert not test.exception


def test_one_click_leaves_it_and_whoever_worked_here_is_not_asked(page: Page, finished_run: Run):
    test = page("start.py")
    assert "First time here?" not in texts(test)
    assert "Show me around" in labels(test)
    assert finished_run.name  # it is in the list below
