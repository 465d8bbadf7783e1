"""A column that alone tells the answer: said before rules are written, left out, taken back in."""

from __future__ import annotations

from io import StringIO

import numpy as np
import pandas as pd
import pytest
import skops.io
from sklearn.linear_model import LogisticRegression

from glocalx.pipeline.settings import BoxSettings, DataSettings, RunSettings
from glocalx.workspace.opened_run import OpenedRun
from tests.ui.conftest import OWNER
from tests.ui.reading import labels, metrics, texts
from ui import work

DATA, RULES = "data_and_model.py", "local_rules.py"
LEAK = "**risk** score"


def leaking_table() -> str:
    """Grades that follow from a score, which stands in the table, too."""
    rng = np.random.default_rng(0)
    score, age = rng.random(400), rng.integers(18, 80, 400)
    rows = [f"{a},{s:.3f},{'high' if s > 0.6 else 'low'}" for a, s in zip(age, score, strict=True)]
    return "\n".join([f"age,{LEAK},grade", *rows])


@pytest.fixture
def leak(workspace):
    settings = RunSettings(
        data=DataSettings(file="table", name="grades.csv", roles={"grade": "target"})
    )
    run = workspace.create(OWNER, "grades", settings, {"table": leaking_table().encode()})
    train(run)
    return run


def train(run):
    for _ in OpenedRun(run).iter_to("model"):
        pass


@pytest.mark.parametrize("file", [DATA, RULES])
def test_it_is_named_before_rules_are_written_and_left_out_by_a_click(
    page, leak, workspace, monkeypatch, file
):
    begun = []
    monkeypatch.setattr(work, "start", lambda run, until: begun.append(until))
    at = page(file, leak)
    (said,) = (each.value for each in at.warning)
    assert r"“\*\*risk\*\* score” alone tells the black box’s answer for 100" in said
    at.button(key=f"leave_out {LEAK}").click().run()
    assert workspace.run(leak.id).settings.data.roles == {"grade": "target", LEAK: "ignored"}
    assert begun == ["model"]
    if file == DATA:
        train(workspace.run(leak.id))
        at = page(file, leak)  # somebody opens the run on another day
        assert "is left out" in texts(at)
        assert "alone tells" not in texts(at)
        assert "Accuracy, held out" in metrics(at)
        at.button(key=f"take_in {LEAK}").click().run()
        assert workspace.run(leak.id).settings.data.roles[LEAK] == "feature"
        assert "is left out" not in texts(at)
        train(workspace.run(leak.id))
        assert "alone tells" in texts(page(file, leak))


def test_where_rules_would_be_lost_it_is_asked_first(page, leak, workspace):
    for _ in OpenedRun(leak).iter_to("rules"):
        pass
    at = page(DATA, leak)
    at.button(key=f"leave_out {LEAK}").click().run()
    assert "Change this run" in labels(at)
    assert LEAK not in workspace.run(leak.id).settings.data.roles


def test_columns_that_only_help_are_not_named(page, finished_run):
    at = page(DATA, finished_run)
    assert "alone tells" not in texts(at)


def test_a_column_that_a_brought_model_reads_cannot_be_left_out(page, workspace):
    """It is told, and the model gets it all the same."""
    table = leaking_table().replace(LEAK, "score")
    frame = pd.read_csv(StringIO(table))
    model = LogisticRegression().fit(frame[["age", "score"]], frame["grade"])
    data = DataSettings(file="table", name="grades.csv", roles={"grade": "target"})
    box = BoxSettings("model", file="model", name="grades.skops")
    files = {"table": table.encode(), "model": skops.io.dumps(model)}
    settings = RunSettings(data=data).with_box(box)
    run = workspace.create(OWNER, "brought", settings, files)
    for _ in OpenedRun(run).iter_to("model"):
        pass
    at = page(DATA, run)
    (said,) = (each.value for each in at.warning if "alone tells" in each.value)
    assert said.startswith("“score” alone tells the black box’s answer for 9")
    assert "The model that you brought reads it, so it cannot be left out here." in texts(at)
    assert not [each for each in at.button if str(each.key).startswith("leave_out")]
