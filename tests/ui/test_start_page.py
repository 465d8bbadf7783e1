"""The Start page in each of its states."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from glocalx.workspace.exchange import export_run
from glocalx.workspace.opened_run import OpenedRun
from glocalx.workspace.run import Run
from glocalx.workspace.store import Workspace
from sample_data.make_runs import make_showcase
from tests.ui.conftest import OWNER
from tests.ui.reading import texts
from ui import work
from ui.merge.words import StepWords
from ui.opened import colours_of, merged_of, told_of, wording_of
from ui.start.showcase import read_showcase

Page = Callable[..., AppTest]
TABLE = b"age,job,answer\n31,clerk,yes\n28,chief,no\n44,none,yes\n"


def _bring(test: AppTest, name: str, data: bytes) -> AppTest:
    """Upload a file; going to another page ends the test of this one."""
    test.file_uploader(key="table_file").set_value((name, data, "application/octet-stream")).run()
    return test


def test_it_says_what_this_is_and_offers_three_ways(page: Page):
    test = page("start.py")
    assert test.title[0].value.startswith("See how a black box decides")
    assert [each.value.split(": ")[1] for each in test.header] == [
        "Try a sample",
        "Bring your own file",
        "Go on with an earlier run",
    ]
    assert "short list of rules" in texts(test)
    assert test.button(key="open_run").disabled
    assert "Nothing yet" in texts(test)


def test_the_picture_has_its_rules_as_sentences(page: Page):
    test = page("start.py")
    shown = read_showcase()
    assert shown is not None
    numbered = [each.value for each in test.markdown if each.value.startswith((":orange", ":blue"))]
    assert len(numbered) == len(shown.rules)
    assert "Otherwise" in numbered[-1]
    assert len(test.get("plotly_chart")) == 1


def test_the_picture_is_that_of_the_prepared_run(finished_run: Run):
    """If this fails, make it again: python -m sample_data.make_runs"""
    assert make_showcase(finished_run) == read_showcase()


def test_a_missing_or_broken_picture_does_no_harm(tmp_path: Path):
    broken = tmp_path / "start.json"
    assert read_showcase(broken) is None
    broken.write_text('{"local_rules": 1}', encoding="utf-8")
    read_showcase.cache_clear()
    assert read_showcase(broken) is None


def test_a_sample_in_the_address_that_is_not_there_is_said(page: Page):
    (said,) = page("start.py", sample="[x](y)").info
    assert "asks for the sample “\\[x\\]" in said.value
    assert not page("start.py", sample="German credit").info
    assert not page("start.py", sample="").exception


@pytest.mark.parametrize("name", ["compas", "german"])
def test_a_sample_opens_as_a_run_and_its_model_is_trained(
    page: Page, workspace: Workspace, name: str, monkeypatch: pytest.MonkeyPatch
):
    begun = []
    monkeypatch.setattr(work, "start", lambda run, until: begun.append((run.id, until)))
    test = page("start.py")
    test.button_group(key="sample").set_value(name)
    test.button(key="open_sample").click().run()
    (run,) = workspace.runs(OWNER)
    assert run.settings.data.sample == name
    assert not run.missing("merge") if name == "compas" else run.missing("model")
    assert begun == [(run.id, "model")]


def test_opening_a_sample_again_makes_no_second_run(
    page: Page, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(work, "start", lambda run, until: None)
    for _ in range(2):
        page("start.py").button(key="open_sample").click().run()
    assert len(workspace.runs(OWNER)) == 1


def test_loans_made_by_hand_are_merged_at_once_and_opened_once(
    page: Page, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
):
    begun = []
    monkeypatch.setattr(work, "start", lambda run, until: begun.append((run.id, until)))
    for name in ("start.py", "learn.py"):
        page(name).button(key="open_loans").click().run()
    (run,) = workspace.runs(OWNER)
    assert begun == [(run.id, "merge")] * 2
    for _ in OpenedRun(run).iter_to("merge"):
        pass
    cuts = [step for step in told_of(run, merged_of(run)).steps if step.cuts]
    test = page("merge.py", run, step=str(cuts[0].number))
    words = StepWords(wording_of(run), colours_of(run))
    assert words.cut(cuts[0].cuts[0]) in texts(test)
    assert "gives way where they overlap" in texts(test)
    drawn = "Before: age is at most 34; After: age is at most 24"
    assert any(drawn in each.proto.body for each in test.get("html"))


def test_a_table_becomes_a_run(page: Page, workspace: Workspace):
    _bring(page("start.py"), "loans 2024.csv", TABLE)
    (run,) = workspace.runs(OWNER)
    assert (run.name, run.settings.data.name) == ("loans 2024", "loans 2024.csv")
    assert (run.folder / "table").read_bytes() == TABLE


def test_an_exported_run_opens_whatever_it_is_called(
    page: Page, workspace: Workspace, finished_run
):
    packed = export_run(finished_run)
    workspace.delete(finished_run)
    _bring(page("start.py"), "from a colleague.bin", packed)
    (run,) = workspace.runs(OWNER)
    assert not run.missing("merge")


def _zipped(**files: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return packed.getvalue()


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("empty.csv", b"", "is empty"),
        ("header.csv", b"a,b\n", "no rows"),
        ("one.csv", b"a\n1\n2\n", "one column only"),
        ("picture.png", b"\x89PNG\r\n\x1a\n" + bytes(range(256)), "not a table"),
        ("noise.csv", bytes(range(256)) * 40, "not a table"),
        ("model.pkl", b"\x80\x04\x95" + b"x" * 50, "pickle"),
        ("rules.json", b'[{"a": 1}]', "JSON"),
        ("torn.zip", b"PK\x03\x04" + b"\0" * 60, "torn"),
        ("photos.zip", _zipped(a=b"1"), "neither a workbook nor a run"),
        ("run.zip", _zipped(**{"run.json": b"[]"}), "not a run that GLocalX exported"),
        ("ragged.csv", b"a,b\n1,2\n3,4,5\n", "ow"),
    ],
)
def test_a_refused_file_gets_one_sentence_and_makes_no_run(
    page: Page, workspace: Workspace, name: str, data: bytes, said: str
):
    test = _bring(page("start.py"), name, data)
    assert not test.exception
    (error,) = test.error
    assert said in error.value.replace("\\", "")
    assert not workspace.runs(OWNER)


def test_a_file_that_is_too_large_is_refused(workspace: Workspace, monkeypatch):
    from glocalx.errors import GLocalXError
    from glocalx.workspace import exchange as upload

    monkeypatch.setattr(upload, "MOST_MEGABYTES", 1)
    with pytest.raises(GLocalXError, match="the limit is 1 MB"):
        upload.run_from_upload(workspace, OWNER, "big.csv", b"a,b\n" + b"1,2\n" * 2**19)


@pytest.mark.parametrize(
    "name", ["<img src=x onerror=alert(1)>", "[x](javascript:1)", ":red[x]", "$x$", "`x`"]
)
def test_hostile_file_names_are_shown_as_they_are(page: Page, name: str):
    (error,) = _bring(page("start.py"), name, b"a\n1\n").error
    for mark in "<>[]$`":
        assert error.value.count(mark) == error.value.count(f"\\{mark}"), error.value


def test_earlier_runs_are_listed_and_one_can_be_opened(page: Page, finished_run: Run):
    test = page("start.py")
    table = test.dataframe[0].value
    assert table["Run"].tolist() == ["COMPAS risk scores"]
    assert "→" in table["Rules"][0]
    assert table["When"][0].startswith("today")
    assert test.button(key="open_run").disabled


def test_the_runs_of_others_are_not_listed(page: Page, new_run):
    new_run(owner="browser:somebody")
    assert not page("start.py").dataframe


def test_the_selected_run_is_the_one_that_opens(page: Page, workspace: Workspace, new_run):
    compas, german = new_run("compas"), new_run("german")
    test = page("start.py")
    test.session_state[test.dataframe[0].key] = {
        "selection": {"rows": [1], "columns": [], "cells": []}
    }
    test.run()
    workspace.save(compas, name="moved to the top")
    test.button(key="open_run").click().run()
    assert test.session_state["run"] == compas.id
    assert german.id in {run.id for run in workspace.runs(OWNER)}
