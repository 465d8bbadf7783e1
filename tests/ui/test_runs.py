"""The page of runs."""

from glocalx.workspace.exchange import export_run
from tests.ui.conftest import OWNER


def labels(test):
    return [button.label for button in test.button]


def select(test, *rows):
    """Select rows of the only table."""
    table = test.dataframe[0]
    test.session_state[table.key] = {"selection": {"rows": list(rows), "columns": [], "cells": []}}
    return test.run()


def test_nothing_yet_says_what_to_do(page):
    test = page("runs.py")
    assert any("No runs yet" in text.value for text in test.markdown)
    assert "Go to Start" in labels(test)


def test_only_own_runs_are_listed_with_how_far_they_are(page, finished_run, new_run):
    new_run("german")
    new_run("adult", owner="browser:somebody")
    frame = page("runs.py").dataframe[0].value
    states = dict(zip(frame["Run"], frame["State"], strict=True))
    assert states == {finished_run.name: "finished", "german": "no black box yet"}
    (rules,) = frame.loc[frame["State"] == "finished", "Rules"]
    assert rules == f"{finished_run.figures['different_rules']:,} → {finished_run.figures['rules']}"


def test_a_selected_run_can_be_opened_copied_exported_and_renamed(page, workspace, finished_run):
    test = select(page("runs.py"), 0)
    assert {"Open", "Copy, to try other settings", "Delete", "Rename"} <= set(labels(test))
    assert test.get("download_button")
    assert finished_run.id in test.code[0].value
    test.text_input[0].set_value("[Mine](x)")
    test.button(key="FormSubmitter:rename-Rename").click().run()
    assert workspace.run(finished_run.id).name == "[Mine](x)"
    assert not test.exception


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


def test_a_broken_file_is_refused_with_a_sentence(page, workspace):
    test = page("runs.py")
    test.file_uploader[0].set_value(("run.zip", b"PK nonsense", "application/zip")).run()
    assert "not a run" in test.error[0].value
    assert workspace.runs(OWNER) == []


def test_names_of_runs_are_shown_as_they_are(page, workspace, finished_run):
    workspace.save(finished_run, name=":red[x] <b>$y$")
    test = select(page("runs.py"), 0)
    assert not test.exception
    assert any(r"\:red\[x\] \<b\>\$y\$" in text.value for text in test.subheader)
