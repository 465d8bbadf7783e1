"""A record is found by what its file calls it."""

from __future__ import annotations

import numpy as np
import pytest

from glocalx.pipeline.settings import DataSettings, RuleSettings, RunSettings
from glocalx.workspace.opened_run import OpenedRun
from tests.ui.conftest import OWNER
from tests.ui.reading import texts
from ui.named_records import identifiers_of
from ui.opened import shared_of


@pytest.fixture
def loans(workspace):
    rng = np.random.default_rng(0)
    age, fee = rng.integers(18, 80, 200), rng.random(200)
    rows = [
        f"L-{7 * i + 1000},{a},{f:.3f},{'yes' if a > 50 and f < 0.8 else 'no'}"
        for i, (a, f) in enumerate(zip(age, fee, strict=True))
    ]
    settings = RunSettings(
        data=DataSettings(file="table", name="loans.csv", roles={"denied": "target"}),
        rules=RuleSettings(records=30),
    )
    table = "\n".join(["Loan *no*,age,fee,denied", *rows]).encode()
    run = workspace.create(OWNER, "loans", settings, {"table": table})
    for _ in OpenedRun(run).iter_to("merge"):
        pass
    return run


def test_both_pages_find_it_and_show_its_name(page, loans, monkeypatch):
    monkeypatch.setattr("ui.theory.curve.AT_ONCE", 0)
    names = identifiers_of(loans)["Loan *no*"]
    parts = shared_of(loans).parts
    held, explained = parts.test[4], parts.explain[2]
    at = page("global_theory.py", loans)
    at.text_input(key=f"find held-out {loans.id}").set_value(names[held]).run()
    assert at.number_input(key="asked_record").value == 5
    assert rf"Loan \*no\* **{names[held].replace('-', chr(92) + '-')}**" in texts(at)
    assert "denied\\: " in texts(at)  # the answers are called with their column
    at.text_input(key=f"find held-out {loans.id}").set_value(names[explained]).run()
    assert at.number_input(key="asked_record").value == 5
    assert "but not among the held\\-out" in at.toast[0].value or "not among" in at.toast[0].value

    at = page("local_rules.py", loans)
    at.text_input(key=f"find explained {loans.id}").set_value(names[explained]).run()
    assert at.number_input(key="record").value == 3


def test_a_table_without_names_has_no_such_field(page, finished_run):
    at = page("local_rules.py", finished_run)
    assert not any(each.key.startswith("find ") for each in at.text_input if each.key)
