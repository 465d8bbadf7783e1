"""Models of other libraries on the pages: matched, asked, and explained by what they read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from glocalx.confined import fence
from glocalx.pipeline.settings import RuleSettings
from glocalx.workspace.exchange import run_from_upload
from glocalx.workspace.opened_run import OpenedRun
from glocalx.workspace.run import Run
from glocalx.workspace.store import Workspace
from tests.blackbox.brought_models import BROUGHT, INPUTS, LOANS, UNREAD, Brought
from tests.ui.conftest import OWNER
from tests.ui.reading import metrics, texts
from ui.session import may_bring_models

Page = Callable[..., AppTest]
FILE = "data_and_model.py"
BY_NAME = {each.name: each for each in BROUGHT}


def _opened(
    page: Page, workspace: Workspace, brought: Brought, **roles: str
) -> tuple[AppTest, Run]:
    """The page with the loans, and the model's file on it."""
    test, run = _asking_for_a_file(page, workspace, brought, **roles)
    given = (brought.file.name, brought.file.read_bytes(), "application/octet-stream")
    test.file_uploader(key=f"model_file_{test.session_state['data_version']}").set_value(
        given
    ).run()
    return test, run


def _asking_for_a_file(
    page: Page, workspace: Workspace, brought: Brought = BROUGHT[0], **roles: str
) -> tuple[AppTest, Run]:
    run = run_from_upload(workspace, OWNER, LOANS.name, LOANS.read_bytes())
    chosen = {brought.target: "target", "Sample": "seen", **roles}
    data = replace(run.settings.data, roles=chosen)
    run = workspace.save(run, settings=replace(run.settings, data=data))
    test = page(FILE, run)
    test.button_group(key="box_0").set_value("model").run()
    return test, run


def _said(test: AppTest) -> str:
    return texts(test).replace("\\", "")


def _inputs(test: AppTest) -> Any:
    """Where the columns of a model that does not name them are named."""
    return next(each for each in test.multiselect if "does not name them" in each.label)


@pytest.mark.parametrize("brought", BROUGHT, ids=lambda each: each.name)
def test_a_model_is_matched_used_and_explained_by_what_it_reads(
    page: Page, workspace: Workspace, monkeypatch: pytest.MonkeyPatch, brought: Brought
):
    monkeypatch.setattr("ui.work.start", lambda run, until: None)  # the work is done below
    test, run = _opened(page, workspace, brought)
    if brought.columns is not None:
        _inputs(test).set_value(list(brought.columns[:2])).run()
        assert "2 of 4 columns are named" in _said(test)
        assert not test.error
        _inputs(test).set_value(list(brought.columns)).run()
    else:
        pairs = ", ".join(f"{model} = {table}" for model, table in INPUTS.items())
        assert f"Matched: {pairs}." in _said(test)
    assert not test.error
    assert "Not read by the model: Filed on, Gender" in _said(test)
    test.button(key="use_model").click().run()
    assert not test.exception

    run = workspace.run(run.id)
    assert (run.settings.data.train, run.settings.data.explain) == (0.0, 0.7)
    rules = RuleSettings(records=40)
    run = workspace.save(run, settings=replace(run.settings, rules=rules))
    opened = OpenedRun(run)
    for _ in opened.iter_to("merge"):
        pass
    named = {name for rule in (*opened.rules, *opened.theory.rules) for name in rule.features}
    assert named <= set(brought.reads)

    test = page(FILE, run)
    assert "Not read by the model: Filed on, Gender" in _said(test)
    columns = next(each.value for each in test.dataframe if "Role" in each.value)
    told = columns.set_index("Column")["Model"]
    assert set(told[told == "not read by the model"].index) >= set(UNREAD)
    assert "Accuracy, held out" in metrics(test)
    assert "train the black box" not in _said(test)

    test = page("audit.py", run, by="Gender")
    groups = next(each.value for each in test.dataframe if "Verdict" in each.value)
    assert {"female", "male"} <= {str(name).split()[-1] for name in groups["Group"]}


def test_what_it_has_seen_is_not_called_held_out_unless_somebody_says(
    page: Page, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("ui.work.start", lambda run, until: None)
    test, run = _opened(page, workspace, BY_NAME["lightgbm"], Sample="ignored")
    test.button(key="use_model").click().run()
    run = workspace.run(run.id)
    for _ in OpenedRun(run).iter_to("model"):
        pass
    test = page(FILE, run)
    assert "Accuracy" in metrics(test)
    assert "Accuracy, held out" not in metrics(test)
    assert "on these 180 records, which it may have seen" in _said(test)


def test_what_cannot_be_matched_is_asked_and_the_question_goes_once_it_is_answered(
    page: Page, workspace: Workspace, monkeypatch: pytest.MonkeyPatch, tmp_path
):
    """Two columns could be the income, and none is called like the years."""
    table = pd.read_csv(LOANS).rename(columns={"Years at address": "Tenure"})
    table["Income (%)"] = 1.5 + table.index % 7
    table.to_csv(tmp_path / "loans.csv", index=False)
    monkeypatch.setattr("tests.ui.test_brought_model.LOANS", tmp_path / "loans.csv")
    test, run = _opened(page, workspace, BY_NAME["sklearn"])
    assert "names columns that the table does not have" in _said(test)
    assert not test.error
    asked = {each.label.replace("\\", ""): each for each in test.selectbox if " is" in each.label}
    assert set(asked) == {"“Income” is", "“years_at_address” is"}
    assert "Debt to income (%)" not in asked["“Income” is"].options
    assert asked["“years_at_address” is"].value is None
    asked["“Income” is"].set_value("Income (€ per month)")
    asked["“years_at_address” is"].set_value("Tenure").run()
    assert not test.error
    assert "Income = Income (€ per month)" in _said(test)
    assert "years_at_address = Tenure" in _said(test)
    test.button(key="use_model").click().run()
    assert dict(workspace.run(run.id).settings.box.renamed or {}) == {
        "Income": "Income (€ per month)",
        "years_at_address": "Tenure",
    }


def test_what_the_system_cannot_keep_a_file_from_is_told_before_one_is_brought(
    page: Page, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(fence, "landlock_version", lambda: 0)
    monkeypatch.setattr(fence, "can_filter", lambda: False)
    monkeypatch.setattr("ui.data.box_file.unprotected", fence.unprotected.__wrapped__)
    test, _ = _asking_for_a_file(page, workspace)
    assert (
        "This system has no means to fence in a file: a hostile one could read and write files of "
        "this server and use the network and start processes. Bring only files that you trust."
    ) in [warning.value for warning in test.warning]


@pytest.mark.parametrize(
    ("said", "signed_in_as", "may"),
    [
        ("", None, True),
        ("no", "ada@example.org", False),
        ("Ada@example.org, bob@example.org", "ada@example.org", True),
        ("ada@example.org", "eve@example.org", False),
        ("ada@example.org", None, False),
    ],
)
def test_whoever_runs_the_server_says_who_may_bring_models(
    monkeypatch: pytest.MonkeyPatch, said: str, signed_in_as: str | None, may: bool
):
    person = {"is_logged_in": True, "email": signed_in_as} if signed_in_as else {}
    monkeypatch.setattr("ui.session.st.user", SimpleNamespace(to_dict=lambda: person))
    monkeypatch.setenv("GLOCALX_MODELS", said)
    assert may_bring_models() == may


def test_nobody_brings_a_model_where_none_is_taken(
    page: Page, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("GLOCALX_MODELS", "no")
    test, _ = _asking_for_a_file(page, workspace)
    assert "You may bring no model to this server." in texts(test)
    assert not test.file_uploader
