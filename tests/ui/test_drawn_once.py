"""A step that somebody has seen is sent to the next person as it is, and not made again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from glocalx.workspace.run import Run
from tests.ui.reading import metrics, texts
from ui.merge import pictures, step

Page = Callable[..., AppTest]


def test_two_people_at_one_step(page: Page, finished_run: Run, monkeypatch: pytest.MonkeyPatch):
    made: Counter[str] = Counter()

    def counting(name: str, draw: Callable[..., Any]) -> Callable[..., Any]:
        def drawn(*args: Any, **options: Any) -> Any:
            made[name] += 1
            return draw(*args, **options)

        return drawn

    for place, name in (
        (pictures, "bic_plot"),
        (pictures, "merge_tree"),
        (step, "why_this_pair"),
        (step, "step_calculation"),
    ):
        monkeypatch.setattr(place, name, counting(name, getattr(place, name)))
    look = {"merge_calculation": "true"}
    one = page("merge.py", finished_run, step="20", **look)
    once = {"bic_plot": 1, "merge_tree": 1, "why_this_pair": 1, "step_calculation": 1}
    assert made == once
    other = page("merge.py", finished_run, step="20", **look)
    assert made == once
    assert texts(other) == texts(one)
    assert metrics(other) == metrics(one)
    assert len(other.get("html")) == len(one.get("html"))
    assert len(other.dataframe) == len(one.dataframe) > 0
    third = page("merge.py", finished_run, step="21", **look)
    assert set(made.values()) == {2}
    assert texts(third) != texts(one)
