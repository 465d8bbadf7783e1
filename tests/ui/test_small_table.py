"""A table of a few rows, made by hand: from the file to the theory, and nothing called held out."""

from __future__ import annotations

from collections.abc import Callable

from streamlit.testing.v1 import AppTest

from glocalx.workspace.exchange import run_from_upload
from glocalx.workspace.opened_run import OpenedRun
from glocalx.workspace.store import Workspace
from tests.pipeline.test_small_tables import TABLES
from tests.ui.conftest import OWNER
from tests.ui.reading import metrics, texts

Page = Callable[..., AppTest]


def test_from_twelve_rows_to_a_theory(page: Page, workspace: Workspace):
    run = run_from_upload(workspace, OWNER, "by hand.csv", TABLES["twelve.csv"].encode())
    test = page("data_and_model.py", run)
    assert "no model to train" in texts(test)
    test.button(key="choose_target").click().run()
    assert not test.exception
    run = workspace.run(run.id)
    assert run.settings.box.source == "labels"
    for _ in OpenedRun(run).iter_to("merge"):
        pass
    said = texts(page("data_and_model.py", run))
    assert "Nothing is held out" in said
    assert "the nearest record gives its label" in said
    assert "Accuracy" not in said
    theory = page("global_theory.py", run)
    assert metrics(theory)["Fidelity"] == "100.0 %"
    assert "Nothing is held out" in texts(theory)
    assert "Held out:" not in texts(theory)
    for name in ("audit.py", "compare.py", "merge.py", "local_rules.py"):
        other = page(name, run)
        assert not other.exception, name
        said = [line for line in texts(other).splitlines() if "held-out" in line]
        assert all("budget" in line for line in said), name  # of ten other tables
