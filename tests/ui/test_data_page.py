"""The page Data and model in each of its states."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from glocalx.pipeline.settings import BoxSettings, DataSettings, RunSettings
from glocalx.workspace.run import PROGRESS, Run
from glocalx.workspace.store import Workspace
from tests.ui.brought import FILE, Page, brought, people_table, version, with_target
from tests.ui.conftest import OWNER
from tests.ui.reading import button, texts

HOSTILE = (
    "<img src=x onerror=alert(1)>",
    "[x](javascript:1)",
    ":red[x]",
    "$x$",
    "=1+1",
    "| a | b |",
)


def test_without_a_run_it_says_what_to_do(page: Page):
    test = page(FILE)
    assert "No run is open yet" in texts(test)
    assert not test.metric


def test_a_new_table_is_asked_for_its_outcome_first(page: Page, workspace: Workspace):
    test = page(FILE, brought(workspace))
    assert test.header[0].value == "Which column is the outcome to explain?"
    assert test.selectbox(key="target_column").value == "answer"
    assert "deny" in texts(test)
    assert not test.metric


def test_choosing_the_outcome_opens_the_page(page: Page, workspace: Workspace):
    run = brought(workspace)
    test = page(FILE, run)
    test.button(key="choose_target").click().run()
    assert not test.exception
    assert workspace.run(run.id).settings.data.roles == {"answer": "target"}
    assert [each.label for each in test.metric][:3] == ["Records", "Columns used", "Outcome"]
    assert "Not trained yet" in texts(test)
    assert test.button(key="next_step").label == "Write local rules"


def test_an_outcome_with_too_many_values_is_refused(page: Page, workspace: Workspace):
    rows = "\n".join(f"{i},kind {i * 3 % 101},{'yes' if i % 2 else 'no'}" for i in range(120))
    run = brought(workspace, f"number,decile,answer\n{rows}".encode())
    test = page(FILE, run)
    test.selectbox(key="target_column").set_value("decile")
    test.button(key="choose_target").click().run()
    (error,) = test.error
    assert "101 different values" in error.value
    assert not workspace.run(run.id).settings.data.roles


def test_a_finished_run_shows_how_good_the_black_box_is(page: Page, finished_run: Run):
    test = page(FILE, finished_run)
    numbers = {each.label: each for each in test.metric}
    assert numbers["Records"].value == "7,214"
    assert numbers["Accuracy, held out"].value.endswith(" %")
    assert "points" in numbers["Accuracy, held out"].delta
    assert numbers["Found High risk cases"].delta == "41 of 126"
    assert "including its mistakes" in texts(test)
    assert "Cross-validated accuracy" in texts(test)
    assert "known only after the decision" in texts(test)
    assert "307 of 7\\,214 values" in texts(test)
    assert test.button(key="next_step").label == "See the local rules"
    assert len(test.get("plotly_chart")) == 1


def test_an_edit_is_kept_and_survives_reruns(page: Page, workspace: Workspace):
    run = with_target(workspace)
    test = page(FILE, run)
    from glocalx.pipeline.column_edits import with_edits
    from ui.data.roles import edits_from
    from ui.opened import table_of

    table = table_of(run)
    edits = edits_from(table, {0: {"Shown as": "Years of age", "Role": "Leave out"}})
    workspace.save(run, settings=with_edits(run.settings, table, edits))
    for _ in range(2):
        test.run()
        assert not test.exception
    assert dict(workspace.run(run.id).settings.data.labels) == {"age": "Years of age"}
    assert next(each for each in test.metric if each.label == "Columns used").value == "2 of 3"


def test_a_change_that_costs_results_is_asked_about(
    page: Page, workspace: Workspace, finished_run: Run
):
    test = page(FILE, finished_run)
    test.button(key="leave_out_late").click().run()
    assert not test.exception
    assert workspace.run(finished_run.id).settings == finished_run.settings
    assert "will have to be made again" in texts(test)
    button(test, "Leave it as it was").click().run()
    assert workspace.run(finished_run.id).settings == finished_run.settings
    assert "will have to be made again" not in texts(test)


def test_a_change_can_be_made_all_the_same(page: Page, workspace: Workspace, finished_run: Run):
    test = page(FILE, finished_run)
    test.button(key="leave_out_late").click().run()
    button(test, "Change this run").click().run()
    changed = workspace.run(finished_run.id)
    assert changed.settings.data.roles["is_recid"] == "ignored"
    assert changed.missing("merge") == ["model", "rules", "merge"]
    assert not test.exception
    assert "known only after" not in texts(test)


def test_a_copy_takes_the_change_and_the_run_stays(
    page: Page, workspace: Workspace, finished_run: Run
):
    test = page(FILE, finished_run)
    test.button(key="leave_out_late").click().run()
    button(test, "Make a copy with the change").click().run()
    assert workspace.run(finished_run.id).settings == finished_run.settings
    copy = next(run for run in workspace.runs(OWNER) if run.id != finished_run.id)
    assert copy.settings.data.roles["is_recid"] == "ignored"


def test_another_split_is_saved(page: Page, workspace: Workspace):
    run = with_target(workspace)
    test = page(FILE, run)
    test.slider(key="train_0").set_value(50).run()
    data = workspace.run(run.id).settings.data
    assert (data.train, data.explain) == (0.5, 0.35)
    test.number_input(key=f"seed_{version(test)}").set_value(7).run()
    assert workspace.run(run.id).settings.data.seed == 7
    assert "**60** train" in texts(test)


def test_drawn_records_can_be_explained_instead(page: Page, workspace: Workspace):
    run = with_target(workspace)
    test = page(FILE, run)
    assert not test.toggle(key="drawn_0").value
    test.toggle(key="drawn_0").set_value(True).run()
    assert workspace.run(run.id).settings.data.drawn is True
    key = f"drawn_{version(test)}"
    assert test.toggle(key=key).value
    test.toggle(key=key).set_value(False).run()
    assert workspace.run(run.id).settings == run.settings


def test_a_change_on_an_old_page_does_not_undo_one_of_another_window(
    page: Page, workspace: Workspace, finished_run: Run
):
    test = page("data_and_model.py", finished_run)
    settings = finished_run.settings
    elsewhere = replace(settings, box=replace(settings.box, kind="svm"))
    workspace.save(finished_run, settings=elsewhere)
    test.number_input(key="seed_0").set_value(7).run()
    assert "changed in another window" in "".join(error.value for error in test.error)
    assert workspace.run(finished_run.id).settings == elsewhere
    other_rules = replace(elsewhere, selection=replace(elsewhere.selection, value=3))
    workspace.save(finished_run, settings=other_rules)
    test.number_input(key=f"seed_{version(test)}").set_value(7).run()
    assert workspace.run(finished_run.id).settings.data.seed == 7
    assert workspace.run(finished_run.id).settings.selection.value == 3


def test_a_large_table_is_sampled_and_that_is_said(page: Page, workspace: Workspace):
    run = with_target(workspace, people_table(400))
    test = page(FILE, run)
    test.number_input(key="most_rows_0").set_value(200).run()
    assert not test.exception
    assert test.metric[0].value == "200"
    assert "200 of 400 records are used" in texts(test)


def test_too_few_records_are_refused_in_a_sentence(page: Page, workspace: Workspace):
    run = with_target(workspace, b"age,answer\n1,yes\n2,no\n")
    test = page(FILE, run)
    (error,) = test.error
    assert "too few" in error.value


def test_the_outcome_people_ask_about_costs_nothing(
    page: Page, workspace: Workspace, finished_run: Run
):
    test = page(FILE, finished_run)
    test.button_group(key="positive_0").set_value("Medium or Low").run()
    assert workspace.run(finished_run.id).settings.data.positive == "Medium or Low"
    assert not workspace.run(finished_run.id).missing("merge")
    assert "Found Lower risk cases" in [each.label for each in test.metric]


def test_another_kind_of_model_is_chosen(page: Page, workspace: Workspace):
    run = with_target(workspace)
    test = page(FILE, run)
    test.button_group(key="box_0").set_value("gb").run()
    assert workspace.run(run.id).settings.box == BoxSettings(kind="gb")
    test.button_group(key=f"preset_{version(test)}").set_value("paper").run()
    assert workspace.run(run.id).settings.box == BoxSettings(kind="gb", preset="paper")


def test_predictions_are_a_column(page: Page, workspace: Workspace):
    run = with_target(workspace)
    test = page(FILE, run)
    test.button_group(key="box_0").set_value("predictions").run()
    test.selectbox(key="predictions_column").set_value("said")
    test.button(key="use_predictions").click().run()
    settings = workspace.run(run.id).settings
    assert settings.data.roles == {"answer": "target", "said": "predictions"}
    assert settings.box.source == "predictions"
    assert "only its answers" in texts(test)


def test_work_that_goes_on_locks_the_page(page: Page, workspace: Workspace, monkeypatch):
    from glocalx.workspace.jobs import Jobs, JobState

    going = JobState("running", "model", "model", 3, 13, 20.0)
    monkeypatch.setattr(Jobs, "state", lambda self, run: going)
    test = page(FILE, with_target(workspace))
    assert test.slider(key="train_0").disabled
    assert test.button(key="next_step").disabled
    assert "Cancel it first" in texts(test)
    assert test.button(key="cancel_work")


def test_work_that_failed_says_why(page: Page, workspace: Workspace):
    run = with_target(workspace)
    said = {"state": "failed", "stage": "model", "sentence": "The model is *odd*."}
    (run.folder / PROGRESS).write_text(json.dumps(said), encoding="utf-8")
    test = page(FILE, run)
    assert test.error[0].value == "The model is \\*odd\\*\\."


def test_somebody_elses_run_can_be_read_and_not_changed(page: Page, new_run):
    test = page(FILE, new_run("german", owner="browser:somebody"))
    assert "somebody else’s run" in texts(test)
    widgets = (*test.slider, *test.number_input, *test.button_group)
    assert widgets
    assert all(each.disabled for each in widgets)
    assert test.button(key="next_step").disabled
    assert test.button(key="make_box").disabled


def test_a_table_that_is_gone_is_one_sentence(page: Page, workspace: Workspace):
    settings = RunSettings(data=DataSettings(file="table", name="gone.csv"))
    test = page(FILE, workspace.create(OWNER, "gone", settings))
    (error,) = test.error
    assert "is no longer there" in error.value


@pytest.mark.parametrize("chosen", [False, True])
def test_hostile_names_are_shown_as_they_are(page: Page, workspace: Workspace, chosen: bool):
    names = [f'"{name}"' for name in HOSTILE]
    rows = [
        ",".join([str(i % 5), *(HOSTILE[(i + j) % 3] for j in range(4)), f'"{HOSTILE[i % 2]}"'])
        for i in range(60)
    ]
    data = "\n".join([",".join(names), *rows]).encode()
    roles = {HOSTILE[-1]: "target"} if chosen else {}
    run = brought(workspace, data, roles=roles, labels={HOSTILE[0]: HOSTILE[2]})
    test = page(FILE, run)
    assert test.metric or not chosen
    shown = texts(test).split("\n")
    shown += [text for each in test.metric for text in (each.label, each.value, each.help or "")]
    for text in shown:
        for bare in (r"(?<!\\)<img", r"(?<!\\)\]\(javascript", r":red(?<!\\)\[", r"(?<!\\)\$x"):
            assert not re.search(bare, text), text


def _houses() -> bytes:
    rows = (f"{1 + n % 6},{n % 3},{100_000 + 1_777.5 * n}" for n in range(100))
    return "\n".join(("rooms,baths,price", *rows)).encode()


def test_an_outcome_of_numbers_is_cut_into_bands_and_elsewhere(page: Page, workspace: Workspace):
    def read(test: AppTest) -> str:
        return texts(test).replace("\\", "")

    run = brought(workspace, _houses())
    test = page(FILE, run)
    test.selectbox(key="target_column").select("price").run()
    assert "below 190,000: 51 (51 %), 190,000 and more: 49 (49 %)" in read(test)
    test.button(key="choose_target").click().run()
    assert not test.exception
    run = workspace.run(run.id)
    assert run.settings.data.bands == (190_000.0,)
    assert "below 190,000" in read(test)
    number = version(test) if "data_version" in test.session_state else 0
    test.text_input(key=f"band_cuts_again_{number}").set_value("150,000; 250 000 x").run()
    assert "“x” is not a number to cut at" in read(test)
    test.text_input(key=f"band_cuts_again_{number}").set_value("150,000; 250000").run()
    test.button(key="cut_elsewhere").click().run()
    assert workspace.run(run.id).settings.data.bands == (150_000.0, 250_000.0)
    assert "150,000 to below 250,000" in read(test)
