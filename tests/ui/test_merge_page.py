"""The Merge page in every state of a run."""

import json
import re

import pytest

from glocalx.merging.told import ToldSteps
from glocalx.workspace.jobs import JobState
from glocalx.workspace.run import PROGRESS
from tests.ui.reading import button, texts
from ui.merge.settings import fold_of
from ui.opened import merged_of


def slider(at):
    return next(found for found in at.slider if found.key.startswith("merge_slider"))


def step_shown(at):
    found = re.search(r"Step \*\*([\d,]+)\*\* of", texts(at))
    return int(found[1].replace(",", ""))


def steps_of(run):
    return run.figures["merges"]


def rules_of(run):
    return run.figures["different_rules"]


@pytest.fixture
def begun(monkeypatch):
    """Work is noted, not done: what was asked for."""
    asked = []
    monkeypatch.setattr("ui.work.start", lambda run, until: asked.append(until))
    return asked


@pytest.fixture
def unmerged_run(workspace, finished_run):
    """Local rules are there, nothing is merged under these settings."""
    finished_run.file("merge").unlink()
    return finished_run


@pytest.fixture
def half_run(finished_run):
    """A hierarchy of 40 merges whose work was stopped in the middle of a line."""
    path = finished_run.file("merge")
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:41]) + lines[41][:30])
    return finished_run


def told_so_far(run):
    """How many of its merges changed a rule."""
    return len(ToldSteps.of(merged_of(run)))


def test_without_a_run_the_page_says_where_to_start(page):
    at = page("merge.py")
    assert "No run is open yet" in texts(at)


def test_without_local_rules_it_says_what_is_missing(page, new_run):
    at = page("merge.py", new_run())
    assert "No local rules yet" in texts(at)
    assert button(at, "Go to Local rules")


def test_waiting_rules_and_step_begins_the_work(page, unmerged_run, begun):
    at = page("merge.py", unmerged_run)
    assert f"{rules_of(unmerged_run):,} different rules" in texts(at)
    assert "Press **Play**, or **Step**" in texts(at)
    assert step_shown(at) == 0
    assert button(at, "Back").disabled
    assert button(at, "Choose the global theory").disabled
    button(at, "Step").click().run()
    assert begun == ["merge"]
    assert not at.exception


def test_play_begins_the_work_and_plays(page, unmerged_run, begun):
    at = page("merge.py", unmerged_run)
    button(at, "Play").click().run()
    assert begun == ["merge"]
    assert not at.exception


def test_a_job_that_waits_for_another_says_so(page, unmerged_run, monkeypatch):
    monkeypatch.setattr("glocalx.workspace.jobs.Jobs.state", lambda *_: JobState("waiting"))
    at = page("merge.py", unmerged_run)
    assert step_shown(at) == 0
    assert not button(at, "Step").disabled


def test_half_way_shows_what_there_is_and_offers_to_go_on(page, half_run, begun):
    facts = {"state": "stopped", "stage": "merge", "until": "merge"}
    (half_run.folder / PROGRESS).write_text(json.dumps(facts))
    at = page("merge.py", half_run)
    done = told_so_far(half_run)
    assert 0 < done < 40
    assert step_shown(at) == done
    assert f"{done} so far" in texts(at)
    assert "What was made is kept" in texts(at)
    assert "The end" not in texts(at)
    button(at, "Step").click().run()
    assert begun == ["merge"]
    assert step_shown(at) == done  # the next one has yet to come


def test_after_a_failure_its_sentence_is_shown(page, half_run):
    sentence = "There was not enough memory. Explain fewer records."
    facts = {"state": "failed", "stage": "merge", "until": "merge", "sentence": sentence}
    (half_run.folder / PROGRESS).write_text(json.dumps(facts))
    at = page("merge.py", half_run)
    assert "not enough memory" in at.error[0].value
    assert step_shown(at) == told_so_far(half_run)


def test_a_finished_run_opens_at_its_end(page, finished_run):
    at = page("merge.py", finished_run)
    assert step_shown(at) == steps_of(finished_run)
    assert "**The end.** " in texts(at)
    assert button(at, "Step").disabled
    assert not button(at, "Choose the global theory").disabled


def test_the_step_in_the_address_is_shown_and_kept(page, finished_run):
    at = page("merge.py", finished_run, step="100")
    assert step_shown(at) == 100
    assert "Step 100" in texts(at)
    button(at, "10 steps").click().run()
    assert step_shown(at) == 110
    assert at.query_params["step"] == "110"
    button(at, "Back").click().run()
    assert step_shown(at) == 109
    slider(at).set_value(7).run()
    assert step_shown(at) == 7
    assert at.query_params["run"] == finished_run.id


def test_start_and_end(page, finished_run):
    at = page("merge.py", finished_run, step="100")
    button(at, "Start").click().run()
    assert step_shown(at) == 0
    assert "Before the first merge" in texts(at)
    assert button(at, "Back").disabled
    button(at, "End").click().run()
    assert step_shown(at) == steps_of(finished_run)
    assert "step" not in at.query_params


@pytest.mark.parametrize("said", ["-3", "lots", "99999"])
def test_a_strange_step_in_the_address_does_no_harm(page, finished_run, said):
    at = page("merge.py", finished_run, step=said)
    assert 0 <= step_shown(at) <= steps_of(finished_run)


def test_every_step_can_be_drawn(page, finished_run):
    at = page("merge.py", finished_run, step="1")
    last = steps_of(finished_run)
    for step in (1, 2, last // 4, last // 2, last - 10, last - 1, last):
        slider(at).set_value(step).run()
        assert not at.exception
        assert step_shown(at) == step


def test_the_whole_tree_and_by_distance(page, finished_run):
    at = page("merge.py", finished_run, step="200")
    at.toggle(key="merge_whole").set_value(True).run()
    assert not at.exception
    assert "All steps" in texts(at)


def test_somebody_else_can_look_at_all_and_begin_nothing(page, unmerged_run, workspace, begun):
    other = workspace.duplicate(unmerged_run, "browser:somebody-else")
    at = page("merge.py", other)
    assert "has yet to merge" in texts(at)
    assert button(at, "Step").disabled
    assert button(at, "Play").disabled
    assert button(opened(at, fold_of(other)), "Merge with these").disabled
    assert begun == []


def test_somebody_else_can_play_what_is_there(page, finished_run, workspace):
    other = workspace.duplicate(finished_run, "browser:somebody-else")
    at = page("merge.py", other, step="20")
    assert "somebody else’s run" in texts(at)
    assert step_shown(at) == 20
    for title in ("From start to end", "Was each merge worth it?"):
        assert title in texts(at)
    button(at, "Step").click().run()
    assert step_shown(at) == 21


def opened(at, fold):
    """The page with one of its folds open: what is in it is drawn only then."""
    at.session_state[fold] = True
    return at.run()


def settings_widget(at, kind, start):
    return next(found for found in getattr(at, kind) if str(found.key).startswith(start))


def test_other_settings_merge_again_from_the_start(page, finished_run, begun, workspace):
    at = page("merge.py", finished_run)
    assert not [each for each in at.number_input if "seed" in str(each.key)]  # it would cost
    opened(at, fold_of(finished_run))
    assert button(at, "Merge again").disabled
    settings_widget(at, "number_input", "merge_seed").set_value(7).run()
    merges = f"{steps_of(finished_run):,} merges"
    assert f"replaces the present hierarchy ({merges})" in texts(at)
    button(at, "Merge again").click().run()
    assert not at.exception
    assert begun == ["merge"]
    assert workspace.run(finished_run.id).settings.merge.seed == 7
    assert step_shown(at) == 0
    assert "Merge again" not in [each.label for each in at.button]  # nothing hides the new merge


def test_a_copy_keeps_the_run_as_it_is(page, finished_run, begun, workspace, monkeypatch):
    went = []
    monkeypatch.setattr("ui.merge.settings.go", lambda page, run: went.append(run))
    at = opened(page("merge.py", finished_run), fold_of(finished_run))
    settings_widget(at, "number_input", "merge_patience").set_value(3).run()
    button(at, "Merge a copy").click().run()
    assert workspace.run(finished_run.id).settings.merge.patience is None
    assert went[0].settings.merge.patience == 3
    assert went[0].id != finished_run.id


def test_the_rules_of_a_theory_open_in_a_window(page, finished_run):
    at = page("merge.py", finished_run)
    look = next(found for found in at.button if found.label.startswith("See all"))
    look.click().run()
    assert not at.exception
    assert "the most reliable first" in texts(at)


def test_a_point_of_the_tree_opens_without_a_mouse(page, finished_run):
    at = page("merge.py", finished_run, step="60")
    points = next(each for each in at.selectbox if each.label == "See the rules of a point")
    told = ToldSteps.of(merged_of(finished_run))
    assert points.options[0] == f"Step 60: {told.steps[59].kind}"
    assert len(points.options) == 50
    points.set_value(56).run()
    assert not at.exception
    assert button(at, "Go to step 56")
    rules = merged_of(finished_run).theory(told.steps[55].theory).rules
    assert f"**{len(rules)} rule" in texts(at)
    again = next(each for each in at.selectbox if each.label == "See the rules of a point")
    assert again.value is None


def test_one_local_rule_has_nothing_to_merge(page, finished_run):
    path = finished_run.file("rules")
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:2], lines[-1]]))
    at = with_no_merge(page, finished_run)
    assert "only 1 local rule" in at.info[0].value


def with_no_merge(page, run):
    """The page of a run whose merge ended before its first step."""
    run.file("merge").write_text(
        json.dumps(
            {
                "format": "glocalx/hierarchy-journal",
                "version": 1,
                "key": run.settings.key("merge"),
                "settings": run.settings.merge.to_dict(),
                "fingerprint": "",
            }
        )
        + "\n"
        + json.dumps({"finished": True, "endings": {"0": []}})
        + "\n"
    )
    return page("merge.py", run)


def test_nothing_worth_merging_is_said(page, finished_run):
    at = with_no_merge(page, finished_run)
    assert step_shown(at) == 0
    left = f"{rules_of(finished_run):,} theories are left"
    assert f"**The end.** {left}, and no two of them share a record." in texts(at)
    assert button(at, "Play").disabled


def test_a_damaged_hierarchy_is_a_sentence(page, finished_run):
    path = finished_run.file("merge")
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[0] + b'{"nonsense": 1}\n' + lines[-1])
    at = page("merge.py", finished_run)
    assert at.error


def test_another_run_in_the_same_session_starts_anew(page, finished_run, workspace):
    at = page("merge.py", finished_run, step="9")
    copy = workspace.duplicate(finished_run, finished_run.owner)
    del at.query_params["step"]
    at.query_params["run"] = copy.id
    at.run()
    assert step_shown(at) == steps_of(finished_run)


def test_back_in_the_browser_goes_to_the_step_in_the_address(page, finished_run, monkeypatch):
    at = page("merge.py", finished_run, step="30")
    button(at, "Step").click().run()
    at.query_params["step"] = "30"
    at.run()
    assert step_shown(at) == 31  # an address that the browser sent before it learnt of the new one
    monkeypatch.setattr("ui.merge.play.OLD_ADDRESS_SECONDS", 0)
    at.query_params["step"] = "30"
    at.run()
    assert step_shown(at) == 30
