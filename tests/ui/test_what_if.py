"""What if this record were otherwise, and the next one on which rules and black box differ."""

from __future__ import annotations

import pytest

from tests.bits import records_in
from tests.ui.reading import address, button, texts
from ui import work
from ui.opened import explained_of, theory_of

pytestmark = pytest.mark.usefixtures("no_rivals_unasked")
PAGE = "global_theory.py"


def test_without_the_black_box_it_can_be_trained_again(page, finished_run, monkeypatch):
    begun = []
    monkeypatch.setattr(work, "start", lambda run, until: begun.append(until))
    at = page(PAGE, finished_run)
    button(at, "Train the black box again").click().run()
    assert begun == ["model"]


def test_what_if_trains_the_black_box_that_is_not_here_once_and_unasked(
    page, finished_run, monkeypatch
):
    begun = []
    monkeypatch.setattr(work, "start", lambda run, until: begun.append(until))
    at = page(PAGE, finished_run, asked_record="1")
    assert not begun
    at.toggle(key="what_if").set_value(True).run()
    at.number_input(key="what_if 0 0 age").set_value(22).run()
    assert begun == ["model"]
    assert "not here yet" in texts(at)


def test_other_values_can_flip_the_answer_and_be_put_back(page, finished_run, monkeypatch):
    monkeypatch.setattr(work, "start", lambda run, until: None)
    held_out = explained_of(finished_run).held_out.records
    *_, left = theory_of(finished_run, finished_run.settings.selection).iter_decided(held_out)
    place = next(records_in(left))
    at = page(PAGE, finished_run, asked_record=str(place + 1))
    assert "**No rule applies**" in texts(at)
    at.toggle(key="what_if").set_value(True).run()
    at.number_input(key=f"what_if {place} 0 age").set_value(22)
    at.number_input(key=f"what_if {place} 0 priors_count").set_value(14)
    at.selectbox(key=f"what_if {place} 0 two_year_recid").set_value("yes").run()
    assert "Because rule **" in texts(at)
    at.button(key="what_if_reset").click().run()
    assert "**No rule applies**" in texts(at)


def test_a_value_can_be_left_empty(page, finished_run, monkeypatch):
    monkeypatch.setattr(work, "start", lambda run, until: None)
    at = page(PAGE, finished_run, asked_record="1")
    at.toggle(key="what_if").set_value(True).run()
    stay = at.number_input(key="what_if 0 0 length_of_stay")
    assert stay.value is not None
    stay.set_value(None).run()
    assert not at.exception
    assert at.number_input(key="what_if 0 0 length_of_stay").value is None
    at.button(key="what_if_reset").click().run()
    assert at.number_input(key="what_if 0 1 length_of_stay").value is not None


def test_the_next_record_on_which_rules_and_black_box_differ(page, finished_run):
    at = page(PAGE, finished_run)
    at.button(key="next_difference").click().run()
    place = at.number_input(key="asked_record").value
    assert place > 1
    assert address(at, "asked_record") == [str(place)]
    said = [each.value for each in at.markdown if each.value.startswith((":blue", ":orange"))]
    rules, box = said[1:3]  # after what holds otherwise
    assert ("High" in rules) != ("High" in box)
