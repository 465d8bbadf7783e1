"""Steering on the Global theory page: pin, remove, change, bar, undo; all of it kept."""

from __future__ import annotations

import pytest

from glocalx.files.steering import fitting_steering
from glocalx.rules.steering import ChangeRule
from glocalx.workspace.opened_run import OpenedRun
from tests.ui.conftest import OWNER
from tests.ui.reading import labels, metrics, texts
from ui.opened import explained_of, theory_of

pytestmark = pytest.mark.usefixtures("no_rivals_unasked")
PAGE = "global_theory.py"


def steering_kept(workspace, run):
    saved = workspace.run(run.id)
    return fitting_steering(saved.settings.selection.steering, explained_of(saved).schema)


def press(at, key):
    at.button(key=key).click().run()
    assert not at.exception, at.exception


def test_a_pinned_rule_survives_another_budget_and_undo_takes_it_back(
    page, finished_run, workspace
):
    at = page(PAGE, finished_run, mode="steer")
    assert "Nothing yet." in texts(at)
    last = theory_of(finished_run).rules[6]
    press(at, "pin 6 0")
    assert list(steering_kept(workspace, finished_run).by_hand) == [last]
    assert "pinned" in texts(at)
    at.slider(key="theory_budget").set_value(2).run()
    assert last in theory_of(workspace.run(finished_run.id)).rules
    assert metrics(at)["Rules"] == "3"
    assert workspace.run(finished_run.id).figures["rules"] == 3
    at.select_slider(key="theory_price").set_value("0.1").run()
    assert last in theory_of(workspace.run(finished_run.id)).rules
    assert list(steering_kept(workspace, finished_run).by_hand) == [last]

    again = page(PAGE, finished_run)  # a reload: what was kept is there, also to be undone
    assert "pinned" in texts(again)
    assert "Changed by hand. By hand: 1 rule pinned." in texts(again).replace("\\", "")
    press(at, "undo 1")
    assert not steering_kept(workspace, finished_run)
    press(at, "redo 2")
    assert list(steering_kept(workspace, finished_run).by_hand) == [last]


def test_a_removed_rule_can_be_put_back(page, finished_run, workspace):
    at = page(PAGE, finished_run, mode="steer")
    gone = theory_of(finished_run).rules[0]
    press(at, "remove 0 0")
    assert metrics(at)["Rules"] == "6"
    assert "removed by hand" in texts(at)
    assert steering_kept(workspace, finished_run).removed == (gone,)
    press(at, "put back 0 1")
    assert metrics(at)["Rules"] == "7"


def test_a_threshold_is_moved_live_and_kept_and_the_audit_uses_it(page, finished_run, workspace):
    at = page(PAGE, finished_run, mode="steer")
    place, rule = next(
        (i, each)
        for i, each in enumerate(theory_of(finished_run).rules)
        if "priors_count" in each.features
    )
    press(at, f"change {place} 0")
    assert "Nothing is changed yet." in texts(at)
    control = next(each for each in at.segmented_control if each.label == "Condition")
    control.set_value("priors_count").run()
    slider = next(each for each in at.slider if "the rule holds from" in each.label)
    slider.set_value((3, 20)).run()
    assert "Agrees, all rules" in metrics(at)
    assert not steering_kept(workspace, finished_run)  # only looked at so far
    keep = next(each for each in at.button if each.label == "Keep the change")
    keep.click().run()
    assert not at.exception, at.exception
    (step,) = steering_kept(workspace, finished_run).steps
    assert isinstance(step, ChangeRule)
    assert step.rule == rule
    premise = step.to.premise("priors_count")
    assert (premise.low, premise.high) == (3, 21)
    assert "changed by hand" in texts(at)
    saved = workspace.run(finished_run.id)
    assert step.to in theory_of(saved).rules
    audit = page("audit.py", saved)
    assert "By hand: 1 rule changed." in texts(audit).replace("\\", "")


def test_a_feature_is_barred_after_its_effect_was_seen(page, finished_run, workspace):
    at = page(PAGE, finished_run, mode="steer")
    at.selectbox(key="bar 0").set_value("race").run()
    assert "Labelled records:" in texts(at)
    press(at, "Bar it 0")
    saved = workspace.run(finished_run.id)
    assert all("race" not in rule.features for rule in theory_of(saved).rules)
    assert "1 change by hand" in texts(at)
    press(at, "BarFeature 0 1")
    assert not steering_kept(workspace, finished_run)


def test_a_direction_names_the_rules_that_break_it(page, finished_run, workspace):
    at = page(PAGE, finished_run, mode="steer")
    at.selectbox(key="direction feature 0").set_value("priors_count").run()
    assert "keeps to it already" in texts(at) or "break it now" in texts(at)
    press(at, "Say it 0")
    steering = steering_kept(workspace, finished_run)
    assert not steering.breaking(theory_of(workspace.run(finished_run.id)).rules)
    assert "keep to it." in texts(at)


def test_somebody_else_reads_what_is_by_hand_and_cannot_steer(page, finished_run, workspace):
    at = page(PAGE, finished_run, mode="steer")
    press(at, "remove 0 0")
    foreign = workspace.duplicate(workspace.run(finished_run.id), f"{OWNER}-other")
    other = page(PAGE, foreign, mode="steer")
    assert "1 rule removed" in texts(other)
    assert "Undo" not in labels(other)
    assert metrics(other)["Rules"] == "6"


def test_a_button_finds_out_which_rules_return_and_says_so_on_every_card(
    page, finished_run, workspace, apart
):
    at = page(PAGE, finished_run)
    assert "Would other records have given the same rules?" in texts(at)
    for _ in OpenedRun(finished_run).iter_to("resamples"):  # what the button does, in here
        pass
    at.run()
    assert sum("of 10 resamples." in each.value for each in at.caption) == 7
    before = texts(at).count("never return")
    at.slider(key="nearly").set_value(0.9).run()
    assert "never return" in texts(at)
    assert texts(at).count("never return") >= before


def test_how_much_to_read_is_counted_in_conditions_too(page, finished_run, monkeypatch):
    monkeypatch.setattr("ui.theory.curve.AT_ONCE", 10_000)  # the tree is in the picture, too
    at = page(PAGE, finished_run)
    conditions = sum(map(len, theory_of(finished_run).rules))
    at.segmented_control(key="reading").set_value("condition").run()
    assert not at.exception, at.exception
    assert "How much must be read?" in texts(at)
    slider = at.select_slider(key="theory_conditions")
    assert slider.value == 8  # rules, of which one is left out again
    assert slider.options == ["3", "5", "8", "9", "12", "14", str(conditions)]
    drawn = "".join(each.proto.spec for each in at.get("plotly_chart"))
    assert f"{conditions} conditions, " in drawn
    assert "Conditions to read" in drawn
    assert '"decision tree"' in drawn
    slider.set_value(3).run()
    assert metrics(at)["Rules"] == "3"


def test_a_feature_barred_from_the_start_is_merged_without(page, finished_run, workspace, apart):
    at = page(PAGE, finished_run, mode="steer")
    at.selectbox(key="bar 0").set_value("race").run()
    at.checkbox(key="from start 0").check().run()
    with pytest.MonkeyPatch.context() as patched:
        asked: list[str] = []
        patched.setattr("ui.work.start", lambda run, until: asked.append(until))
        press(at, "bar first 0")
    saved = workspace.run(finished_run.id)
    assert "merge" in asked
    assert saved.missing("merge") == ["merge"]
    opened = OpenedRun(saved)
    for _ in opened.iter_merge():
        pass
    assert saved.done("merge")
    assert all("race" not in rule.features for rule in opened.hierarchy.every_rule())
    again = page(PAGE, workspace.run(finished_run.id))
    assert "No rule may name Race." in texts(again).replace("\\", "")
