"""The page of runs."""

import io
from dataclasses import replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pandas as pd
import skops.io
from sklearn.tree import DecisionTreeClassifier

from glocalx.merging.search import MergeSettings
from glocalx.pipeline.settings import BoxSettings
from glocalx.workspace.exchange import export_run, import_run
from tests.ui.conftest import OWNER
from tests.ui.reading import labels, texts
from tests.workspace.conftest import small_settings, small_table
from tests.workspace.test_durable import change_row
from ui.runs_list import best_page, rules_text, short_runs_frame, when, zone_of


def select(test, *rows):
    """Select rows of the only table."""
    table = test.dataframe[0]
    test.session_state[table.key] = {"selection": {"rows": list(rows), "columns": [], "cells": []}}
    return test.run()


def test_nothing_yet_says_what_to_do(page):
    test = page("runs.py")
    assert "No runs yet" in texts(test)
    assert "Go to Start" in labels(test)


def test_only_own_runs_are_listed_with_how_far_they_are(page, finished_run, new_run):
    new_run("german")
    new_run("adult", owner="browser:somebody")
    frame = page("runs.py").dataframe[0].value
    states = dict(zip(frame["Run"], frame["State"], strict=True))
    assert states == {finished_run.name: "finished", "german": "no black box yet"}
    (rules,) = frame.loc[frame["State"] == "finished", "Rules"]
    assert rules == f"{finished_run.figures['local_rules']:,} → {finished_run.figures['rules']}"


def test_a_selected_run_can_be_opened_copied_exported_and_renamed(page, workspace, finished_run):
    test = select(page("runs.py"), 0)
    assert {"Open", "Copy, to try other settings", "Delete", "Rename"} <= set(labels(test))
    assert test.get("download_button")
    assert finished_run.id in test.code[0].value
    test.text_input[0].set_value("[Mine](x)")
    test.button(key="FormSubmitter:rename-Rename").click().run()
    assert workspace.run(finished_run.id).name == "[Mine](x)"
    assert not test.exception


def headings(test):
    return [heading.value for heading in test.header]


def test_a_run_stays_selected_when_it_moves_to_the_top(page, workspace, new_run):
    third, _, _ = (new_run(name) for name in ("compas", "german", "adult"))
    test = select(page("runs.py"), 2)
    test.text_input(key=f"name_{third.id}").set_value("Renamed")
    test.button(key="FormSubmitter:rename-Rename").click().run()
    assert test.dataframe[0].value["Run"].tolist() == ["Renamed", "adult", "german"]
    assert "Renamed" in headings(test)
    assert "Renamed" in headings(test.run())
    assert "adult" in headings(select(test, 1))


def test_runs_stay_selected_when_another_one_moves(page, workspace, new_run):
    runs = [new_run(name) for name in ("compas", "german", "adult")]
    test = select(page("runs.py"), 1)
    assert "german" in headings(test)
    workspace.save(runs[0], name="changed elsewhere")
    assert "german" in headings(test.run())
    workspace.delete(runs[1])
    assert {"german", "adult", "changed elsewhere"}.isdisjoint(headings(test.run()))


def shown(page, run):
    frame = page("runs.py").dataframe[0].value
    (row,) = frame[frame["Run"] == run.name].to_dict("records")
    return row["Rules"], row["Fidelity"], row["Black box"]


def test_figures_of_other_settings_are_not_shown(page, workspace, finished_run):
    settings, local = finished_run.settings, f"{finished_run.figures['local_rules']:,}"
    rules, fidelity, box = shown(page, finished_run)
    assert rules.startswith(f"{local} → ")
    assert fidelity > 85
    assert box == "random forest"
    merged = replace(settings, merge=MergeSettings(batch_size=7))
    workspace.save(finished_run, settings=merged)
    assert shown(page, finished_run) == (f"{local} local", None, "random forest")
    workspace.save(finished_run, settings=replace(settings, box=BoxSettings(kind="svm")))
    assert shown(page, finished_run) == ("–", None, "–")
    workspace.save(finished_run, settings=settings)
    assert shown(page, finished_run)[0].startswith(f"{local} → ")


def test_an_empty_name_is_refused_with_a_sentence(page, finished_run):
    test = select(page("runs.py"), 0)
    test.text_input[0].set_value("  ")
    test.button(key="FormSubmitter:rename-Rename").click().run()
    assert "needs a name" in test.error[0].value


def test_two_runs_can_be_compared(page, finished_run, new_run):
    new_run("german")
    assert "Compare the two" in labels(select(page("runs.py"), 0, 1))


def test_an_exported_run_is_brought_back(page, workspace, finished_run):
    data = export_run(finished_run)
    workspace.delete(finished_run)
    test = page("runs.py")
    test.file_uploader[0].set_value(("run.zip", data, "application/zip")).run()
    (brought,) = workspace.runs(OWNER)
    assert brought.settings == finished_run.settings
    assert brought.missing("merge") == []


def test_the_model_of_a_brought_run_is_asked_after_consent(page, workspace):
    people = pd.read_csv(io.BytesIO(small_table()))
    tree = DecisionTreeClassifier(max_depth=2).fit(people[["age"]], people["answer"])
    types = ("sklearn.tree._tree.Tree",)
    box = BoxSettings("model", file="model", name="m.skops", trusted=types, columns=("age",))
    files = {"table": small_table(), "model": skops.io.dumps(tree)}
    sent = workspace.create("elsewhere", "x", replace(small_settings(), box=box), files)
    run = import_run(workspace, OWNER, export_run(sent))
    test = page("data_and_model.py", run)
    assert types[0] in [code.value for code in test.code]
    assert workspace.run(run.id).settings.box.trusted == ()
    test.checkbox[0].check().run()
    assert not test.exception
    assert workspace.run(run.id).settings.box.trusted == types
    assert not test.checkbox


def test_a_broken_file_is_refused_with_a_sentence(page, workspace):
    test = page("runs.py")
    test.file_uploader[0].set_value(("run.zip", b"PK nonsense", "application/zip")).run()
    assert "not a run" in test.error[0].value
    assert workspace.runs(OWNER) == []


def test_names_of_runs_are_shown_as_they_are(page, workspace, finished_run):
    workspace.save(finished_run, name=":red[x] <b>$y$")
    test = select(page("runs.py"), 0)
    assert not test.exception
    assert any(r"\:red\[x\] \<b\>\$y\$" in text.value for text in test.header)


def test_start_and_runs_say_the_same(page, finished_run, new_run):
    fresh = new_run("german")
    here, start = page("runs.py").dataframe[0].value, page("start.py").dataframe[0].value
    assert here["Changed"].tolist() == start["When"].tolist()
    assert start["Rules"].tolist() == ["no black box yet", here["Rules"][1]]
    assert rules_text(fresh) == "–"
    assert short_runs_frame([], 0, None).empty


def test_where_a_run_goes_on(finished_run, new_run):
    assert best_page(finished_run).endswith("global_theory.py")
    assert best_page(new_run("german")).endswith("data_and_model.py")


def test_times_are_those_of_the_browser():
    tokyo = zone_of("Asia/Tokyo")
    now = datetime(2026, 11, 16, 23, 30, tzinfo=ZoneInfo("UTC"))
    said = [
        when((now - timedelta(hours=hours)).timestamp(), now.timestamp(), zone)
        for hours in (2, 10)
        for zone in (ZoneInfo("UTC"), tokyo)
    ]
    assert said == ["today 21:30", "today 06:30", "today 13:30", "yesterday"]
    assert zone_of("Nowhere/../x") is None
    assert zone_of(None) is None


def test_a_run_that_cannot_be_read_is_shown_and_can_be_exported_or_deleted(
    page, workspace, new_run
):
    """It hid all others behind the framework's own error page."""
    good, strange = new_run("german"), new_run("compas")
    change_row(workspace, strange, settings='{"data": {"colour": "red"}}')
    test = page("runs.py")
    assert not test.exception
    assert list(test.dataframe[0].value["Run"]) == [good.name]
    assert "this version does not know" in texts(test)
    test.button(key=f"delete_{strange.id}").click().run()
    assert "will be gone for good" in texts(test)
    assert not page("start.py").exception


def test_a_link_shows_results_or_the_table_too_and_can_be_taken_back(page, workspace, finished_run):
    theirs = workspace.duplicate(finished_run, "browser:somebody")
    at = page("global_theory.py", theirs)
    assert "Its table and its single records stay with whoever" in texts(at)
    assert "Make a copy" not in labels(at)
    workspace.save(theirs, link="table")
    assert "Make a copy" in labels(page("global_theory.py", theirs))
    workspace.save(theirs, link="nothing")
    assert "is not here" in texts(page("global_theory.py", theirs))
    assert workspace.run(theirs.id).link == "nothing"


def test_the_owner_says_what_a_link_gives(page, workspace, new_run):
    run = new_run("german")
    test = select(page("runs.py"), 0)
    assert run.id in test.code[0].value
    test.selectbox[0].select("nothing").run()
    assert workspace.run(run.id).link == "nothing"
    assert page("data_and_model.py", run).title
