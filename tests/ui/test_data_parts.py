"""What the page Data and model computes: edits, guesses, what a model's answers mean."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from glocalx.pipeline.column_edits import KINDS, ROLES, ColumnEdit
from glocalx.pipeline.settings import BoxSettings, DataSettings, RunSettings
from glocalx.table import Finding, Table, read_table
from glocalx.table.samples import load_sample
from glocalx.workspace.store import Workspace
from ui.data.box import described
from ui.data.changes import lost_stages
from ui.data.overview import late_columns, sorted_findings
from ui.data.roles import columns_frame, edits_from
from ui.data.split import explain_percent, not_used, with_shares


@pytest.fixture(scope="module")
def german() -> Table:
    return load_sample("german")


def _read(text: str) -> Table:
    return Table.of(read_table(text.encode(), "t.csv"))


def test_every_column_has_a_row_with_words_and_a_histogram(german: Table):
    frame = columns_frame(german)
    assert len(frame) == len(german.columns)
    assert set(frame["Kind"]) <= set(KINDS.values())
    assert set(frame["Role"]) <= set(ROLES.values())
    assert all(sum(counts) == german.size for counts in frame["Values"])


def test_edits_say_only_what_changed(german: Table):
    place = [column.name for column in german.columns].index("age")
    same = german.columns[place]
    rows = {place: {"Shown as": same.title, "Kind": "whole number", "Role": "Feature"}}
    assert edits_from(german, rows) == [ColumnEdit("age", role="feature")]
    assert edits_from(german, {place: {"Shown as": "  "}}) == [ColumnEdit("age", label="age")]
    assert "Feature" in ColumnEdit("age", role="feature").sentence


def test_warnings_come_first_and_nothing_twice():
    info, warning = (
        Finding("a", "info", None, "One."),
        Finding("b", "warning", None, "Two."),
    )
    assert sorted_findings([info, warning, info]) == [warning, info]


def test_late_columns_are_found():
    assert "is_recid" in late_columns(load_sample("compas"))


def test_shares_go_there_and_back():
    for train in range(10, 95, 5):
        for explain in range(10, 95, 5):
            data = with_shares(DataSettings(), train, explain)
            assert (round(100 * data.train), explain_percent(data)) == (train, explain)
            assert data.train + data.explain < 1


def test_lost_stages_are_those_with_results(tmp_path: Path):
    run = Workspace(tmp_path).create("x", "x", RunSettings())
    assert lost_stages(run, RunSettings(box=BoxSettings(kind="gb"))) == []


def test_a_box_is_described_in_a_line():
    trained = {"parameters": {"n_estimators": 100}, "trained_on": 5050}
    assert described({"name": "random forest", "trained": trained}) == (
        "Random forest, 100 trees, trained on 5,050 records"
    )
    assert described({"name": "m*.onnx"}) == "M\\*\\.onnx"


@pytest.mark.parametrize("source", ["model", "predictions"])
def test_what_a_brought_black_box_was_trained_on_is_not_known(source):
    assert not_used(RunSettings()) == "which nothing else has seen"
    brought = RunSettings().with_box(BoxSettings(source))
    assert not_used(brought) == "which no rule is made from; the model may have seen them"
    told = replace(brought, data=replace(brought.data, roles={"part": "seen"}))
    assert not_used(told) == "which neither the model nor any rule has seen"
