"""Cells: what is measured, that it goes on where it was stopped, and the command."""

import json
from dataclasses import replace

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from glocalx.__main__ import main
from glocalx.baselines.tree import tree_matrix
from glocalx.estimator import GLocalX
from glocalx.pipeline.settings import SelectionSettings
from glocalx.pipeline.theories import chosen_theory
from glocalx.rules.branches import TreeColumns
from glocalx.selection import DEFAULT_PRICE
from study import running
from study.cell_work import work_on
from study.explained_cell import ExplainedCell
from study.methods import METHODS
from study.plan import StudyCell, StudySettings
from study.results import Study
from study.rivals import iter_rivals
from study.running import iter_cells, read_cell

TINY = replace(StudySettings.quick(), most_train=300, most_explained=60, shares=(50,), trials=2)
GERMAN = StudyCell("german", "rf", 0)
EXTRAS = {"ripper", "brcg", "bayesian-list"}


@pytest.fixture(scope="module")
def made():
    return work_on(GERMAN, TINY)


@pytest.fixture(scope="module")
def work():
    return ExplainedCell.of(GERMAN, TINY)


def test_every_method_is_measured_but_the_extras(made):
    expected = {method.key for method in METHODS}
    expected -= EXTRAS | {f"{key}-whole" for key in EXTRAS}
    assert set(made["methods"]) == expected
    assert made["records"] == {"train": 300, "explain": 60, "test": 90}
    for figures in made["methods"].values():
        assert 0 < figures["fidelity"] <= 1
        assert figures["delta"] == pytest.approx(figures["fidelity"] - figures["accuracy"])
    small = [key for key in made["methods"] if key.startswith(("budget", "small", "cpar-rows-"))]
    assert all(made["methods"][key]["size"] <= 10 for key in small)
    json.dumps(made, allow_nan=False)


def test_budget_is_what_the_estimator_gives_and_the_papers_way_stands_beside_it(made, work):
    methods = made["methods"]
    found = chosen_theory(
        work.road.hierarchy, work.road.reference, SelectionSettings(price=DEFAULT_PRICE)
    ).fidelity(work.held_out)
    assert methods["budget"]["fidelity"] == found
    assert made["fewer rules"]["100"][0]["budget"]["fidelity"] == found
    assert made["by size"]["10"]["budget"] == found
    assert made["by size"]["10"]["alpha"] == methods["alpha"]["fidelity"]
    model = GLocalX(budget=10, bic_on="all", price=None).fit(
        work.explain, work.reference.labels, rules=work.rules, schema=work.schema
    )
    assert methods["budget-printed"]["fidelity"] == model.theory_.fidelity(work.held_out)
    assert methods["glx"]["fidelity"] == model.set_params(together=False).reselect(
        alpha=2
    ).theory_.fidelity(work.held_out)


def test_the_trees_are_those_of_scikit_learn(made, work):
    columns = TreeColumns(work.schema)
    inside, outside = (
        tree_matrix(columns, reference.records) for reference in (work.reference, work.held_out)
    )
    for key, leaves, depth in (
        ("tree", None, None),
        ("small-tree", 10, None),
        ("pruned-tree", None, 4),
    ):
        tree = DecisionTreeClassifier(max_leaf_nodes=leaves, max_depth=depth, random_state=0)
        tree.fit(inside, work.reference.labels.astype(str))
        agrees = tree.predict(outside) == work.held_out.labels.astype(str)
        assert made["methods"][key]["fidelity"] == pytest.approx(np.mean(agrees))
        assert made["methods"][key]["size"] == tree.get_n_leaves()


def test_rivals_can_have_the_same_labels(work):
    generous = replace(work, settings=replace(TINY, same_labels=True))
    frame, labels = generous.labels_for_rivals
    assert len(frame) == len(labels) == 360
    assert list(labels[60:]) == list(work.box.labels(work.train))
    assert work.labels_for_rivals[0] is work.explain
    fewer, more = (
        next(each for each in iter_rivals(cell) if each.key == "tree") for cell in (work, generous)
    )
    assert len(more.theory.rules) > len(fewer.theory.rules)
    assert "same_labels" not in TINY.to_dict()
    assert generous.settings.to_dict()["same_labels"] is True


def _timeless(content):
    if isinstance(content, dict):
        return {key: _timeless(value) for key, value in content.items() if key != "seconds"}
    return content


@pytest.fixture
def worked(monkeypatch):
    """The cells that were worked on, and not taken from their files."""
    cells = []

    def stand_in(cell, settings):
        cells.append(cell)
        return {"seconds": {"all": 1.5}, "methods": {}}

    monkeypatch.setattr(running, "work_on", stand_in)
    return cells


def test_it_goes_on_where_it_was_stopped(tmp_path, worked):
    cells = [StudyCell("german", "rf", seed) for seed in range(4)]
    steps = iter_cells(cells, TINY, tmp_path)
    next(steps)
    next(steps)
    steps.close()
    first = list(worked)
    assert 2 <= len(first) < 4
    done = list(iter_cells(cells, TINY, tmp_path))
    assert [step.done for step in done] == [1, 2, 3, 4]
    assert sorted(worked) == sorted(cells)  # none twice
    assert [step.seconds for step in done[: len(first)]] == [None] * len(first)
    assert done[-1].expected_left == 0
    assert not list(tmp_path.glob(".*"))


def test_other_settings_and_broken_files_are_worked_on_anew(tmp_path, worked):
    list(iter_cells([GERMAN], TINY, tmp_path))
    other = replace(TINY, trials=3)
    assert read_cell(tmp_path, GERMAN, TINY) is not None
    assert read_cell(tmp_path, GERMAN, other) is None
    list(iter_cells([GERMAN], other, tmp_path))
    (tmp_path / GERMAN.file_name).write_text("{", encoding="utf-8")
    list(iter_cells([GERMAN], other, tmp_path))
    assert worked == [GERMAN] * 3


def test_an_incomplete_study_is_not_rendered(tmp_path):
    with pytest.raises(Exception, match="not complete: “German credit, RF, seed 0”"):
        Study.read(tmp_path, [GERMAN], TINY)


def test_the_command_writes_a_report_and_does_nothing_twice(tmp_path, monkeypatch, capsys, made):
    monkeypatch.setattr(StudySettings, "quick", classmethod(lambda cls: TINY))
    command = [
        "reproduce",
        "--quick",
        "--datasets",
        "german",
        "--jobs",
        "1",
        "--out",
        str(tmp_path),
    ]
    assert main(command) == 0
    shown = capsys.readouterr()
    assert "1 of 1  German credit, RF, seed 0:" in shown.err
    assert "study.html" in shown.out
    page = (tmp_path / "study.html").read_text(encoding="utf-8")
    assert "reproduce --datasets german --quick --out DIR" in page
    assert str(tmp_path) not in page
    on_file = json.loads((tmp_path / "cells" / GERMAN.file_name).read_text(encoding="utf-8"))
    assert _timeless({key: on_file[key] for key in made}) == _timeless(made)  # whenever it runs
    assert main(command) == 0
    assert "was there already" in capsys.readouterr().err


def test_a_wrong_name_is_one_sentence(tmp_path, capsys):
    assert main(["reproduce", "--datasets", "titanic", "--out", str(tmp_path)]) == 2
    assert "The study has no data set “titanic”" in capsys.readouterr().err
