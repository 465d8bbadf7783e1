"""The page Learn without a browser: every number on it is that of the library."""

import re
from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from glocalx.lessons.exercises import exercises
from glocalx.lessons.glossary import GLOSSARY
from glocalx.lessons.presets import COLOURS, SCENES, Point, drawn
from glocalx.lessons.told import lines, verdict
from glocalx.lessons.worked import LOANS, CutExample, JoinExample
from glocalx.merging.told import stops
from glocalx.plots import OutcomeColours
from glocalx.words.wording import Wording
from tests.ui.reading import address, button, texts
from ui.learn.board import POINTS, SIDES
from ui.learn.bounds import SET
from ui.learn.lesson import settings_for
from ui.learn.plane_board import clicked_place
from ui.text import bold, plain


@pytest.fixture(scope="module")
def loan():
    scene = SCENES["loan"](0)
    return scene, scene.merged()


def _loan(page, **query: str) -> AppTest:
    return page("learn.py", scene="Loan of the paper", **query)


def test_guess_first_then_every_number(page, loan):
    scene, hierarchy = loan
    test = _loan(page)
    assert "8 local rules" in texts(test)
    button(test, "Step").click().run()
    assert "Guess first" in texts(test)
    assert "BIC =" not in texts(test)
    walk = stops(hierarchy)
    right = "Turned down" if not walk[0].accepted else "Accepted"
    button(test, right).click().run()
    said = texts(test)
    found = walk[0].calculation(hierarchy, scene.reference)
    assert plain(verdict(found)) in said
    for line in lines(found):
        assert plain(line.merged) in said
        assert plain(line.side_by_side) in said
    assert "You were right" in said
    assert "1 of 1 right so far" in said
    assert address(test, "pair") == ["1"]


def test_a_link_shows_a_pair_and_jumps_lead_to_what_they_name(page, loan):
    scene, hierarchy = loan
    walk = stops(hierarchy)
    test = _loan(page, pair=str(len(walk)))
    assert f"Pair **{len(walk)}** of {len(walk)}" in texts(test)
    assert button(test, "Step").disabled
    assert button(test, "cut").disabled
    button(test, "Start").click().run()
    button(test, "cut").click().run()
    at = int(re.search(r"Pair \*\*(\d+)\*\*", texts(test))[1])
    found = walk[at - 1].calculation(hierarchy, scene.reference)
    assert any(cut.after != cut.before for cut in found.resolution.cuts)
    button(test, "Just show it").click().run()
    assert "gives way where they overlap" in texts(test)
    assert re.search(r"It covered \d+ and covers \d+ now", texts(test))
    assert "right so far" not in texts(test)


def test_bounds_that_were_set_are_merged_and_bad_ones_get_a_sentence(page):
    test = _loan(page)
    ends = (25.0, None, 10_000.0, None, "deny")
    test.session_state[SET] = {"loan": (ends, (30.0, 50.0, 9_000.0, None, "accept"))}
    test.run()
    assert "2 local rules" in texts(test)
    test.session_state[SET] = {"loan": (ends, (30.0, 20.0, None, None, "accept"))}
    test.run()
    assert "holds nothing" in texts(test)
    assert button(test, "Back to the scene’s own rules").disabled is False


def test_the_same_rules_at_two_settings(page, loan):
    scene, _ = loan
    test = _loan(page)
    for judged, weight in (("all", 0.1), ("whole", settings_for("whole").complexity_weight)):
        hierarchy = scene.merged(settings_for(judged, weight))
        said = f"**{reference_agreement(scene, hierarchy)} of {scene.reference.size}** answers"
        assert said in texts(test)
    key = "learn_side_weight_all_all"
    test.select_slider(key=key).set_value(5.0).run()
    assert not test.exception
    hierarchy = scene.merged(settings_for("all", 5.0))
    assert f"{len(hierarchy.steps)} merge" in texts(test)
    assert f"**{reference_agreement(scene, hierarchy)} of {scene.reference.size}**" in texts(test)


def reference_agreement(scene, hierarchy):
    return scene.reference.agreement(hierarchy.rules())


def test_drawn_points(page):
    test = page("learn.py", scene="Draw your own")
    assert "No points yet" in texts(test)
    test.session_state[POINTS] = (Point(1.0, 1.0, "Blue"),)
    test.run()
    assert "at least 3 of each colour" in texts(test)
    points = [Point(x, y, c) for x in (1.0, 2.0, 4.0) for y, c in ((1.0, "Blue"), (8.0, "Orange"))]
    test.session_state[POINTS] = tuple(points)
    test.run()
    rules = len(drawn(points).rules)
    assert f"{rules} local rule" in texts(test)


def test_an_address_that_nobody_knows_shows_the_first_scene(page):
    test = page("learn.py", scene="nowhere", pair="x", judged="?")
    assert "Pair **0** of" in texts(test)


def test_an_address_that_names_nothing_shows_the_first_scene(page):
    test = page("learn.py", scene="", part="")
    assert not test.exception
    assert "Pair **0** of" in texts(test)


def test_worked_examples_come_out_as_printed_and_follow_their_sliders(page):
    def said_of(rule) -> str:
        return bold(Wording(LOANS).condition("age", rule.premise("age")))

    test = page("learn.py", part="Worked examples")
    joined, sliced = JoinExample().worked().result, CutExample().worked().after
    assert said_of(joined) in texts(test)
    assert said_of(sliced) in texts(test)
    assert "The printed result differs in two places" in texts(test)
    slider = next(each for each in test.slider if each.key == "learn_JoinExample_second_age")
    slider.set_value(30).run()
    assert said_of(joined) not in texts(test)
    assert said_of(JoinExample(second_age=30).worked().result) in texts(test)
    button(test, "Back to the paper’s values").click().run()
    assert said_of(joined) in texts(test)


def test_a_case_runs_when_it_is_opened(page):
    test = page("learn.py", part="Where it misleads")
    assert "What to check" not in texts(test)
    toggle = next(each for each in test.toggle if each.key.endswith("hardly useful"))
    toggle.set_value(True).run()
    assert plain("Of the 6 rare records it finds 0.") in texts(test)
    assert "What to check" in texts(test)


def test_exercises_have_their_answers_and_terms_their_formulas(page, loan):
    scene, hierarchy = loan
    test = page("learn.py", part="Exercises")
    for each in exercises(hierarchy, scene.reference, Wording(scene.schema)):
        assert plain(each.question) in texts(test)
        assert plain(each.answer) in texts(test)
    test = page("learn.py", part="Glossary")
    for term in GLOSSARY:
        assert plain(term.meaning) in texts(test)


@pytest.mark.parametrize("sent", [None, [], [1.0], [1.0, None], ["1", 2.0], [float("nan"), 1.0], 3])
def test_what_a_browser_may_send_for_a_place_is_no_place(sent, monkeypatch):
    board = SimpleNamespace(place=sent)
    monkeypatch.setattr("ui.learn.plane_board._plane_board", lambda **_: board)
    colours = OutcomeColours.of(COLOURS)
    assert clicked_place("board", SIDES, (), colours, "A plane") is None
    board.place = [2, 3.5]
    assert clicked_place("board", SIDES, (), colours, "A plane") == (2.0, 3.5)
