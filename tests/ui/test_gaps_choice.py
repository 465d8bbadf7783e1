"""What becomes of missing values is chosen on the data page."""

from __future__ import annotations

import pytest

from glocalx.pipeline.settings import DataSettings, RunSettings
from tests.ui.conftest import OWNER
from tests.ui.reading import texts

DATA = "data_and_model.py"


def opened(workspace, gaps, every=9):
    """A small table; every so often an age is missing."""
    rows = [f"{age if age % every else ''},{'yes' if age > 40 else 'no'}" for age in range(20, 70)]
    data = DataSettings(file="table", name="t.csv", roles={"ok": "target"}, gaps=gaps)
    table = "\n".join(["age,ok", *rows]).encode()
    return workspace.create(OWNER, "gaps", RunSettings(data=data), {"table": table})


@pytest.mark.parametrize("chosen", ["fill", "keep"])
def test_they_are_kept_or_filled_as_one_says(page, workspace, chosen):
    other = "keep" if chosen == "fill" else "fill"
    run = opened(workspace, other)
    at = page(DATA, run)
    (choice,) = (each for each in at.radio if each.label == "Missing values")
    assert choice.value == other
    choice.set_value(chosen).run()
    assert workspace.run(run.id).settings.data.gaps == chosen
    said = "they were replaced by the mean" if chosen == "fill" else "rules can speak of that"
    assert said in texts(at)


def test_a_table_without_gaps_has_no_such_choice(page, workspace):
    at = page(DATA, opened(workspace, "keep", every=1_000))
    assert "Missing values" not in [each.label for each in at.radio]
