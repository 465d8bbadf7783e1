"""A workspace, and runs on a small table."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from glocalx.extraction.settings import ExtractionSettings
from glocalx.pipeline.settings import BoxSettings, DataSettings, RuleSettings, RunSettings
from glocalx.workspace.run import Run
from glocalx.workspace.store import Workspace


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace(tmp_path / "workspace")


def small_table(rows: int = 400) -> bytes:
    """People with an age, a job and an answer that depends on both."""
    random = np.random.default_rng(0)
    age = random.integers(18, 80, rows)
    job = random.choice(["clerk", "chief", "none"], rows)
    answer = np.where((age > 40) & (job != "none"), "yes", "no")
    lines = [f"{a},{j},{y}" for a, j, y in zip(age, job, answer, strict=True)]
    return "\n".join(["age,job,answer", *lines]).encode()


def small_settings(records: int = 60) -> RunSettings:
    return RunSettings(
        data=DataSettings(file="table", name="people.csv", roles={"answer": "target"}),
        box=BoxSettings(kind="svm"),
        rules=RuleSettings(
            extraction=ExtractionSettings(neighbours=100, refine=False), records=records
        ),
    )


@pytest.fixture
def small_run(workspace: Workspace) -> Callable[..., Run]:
    """A run on 400 people, on which nothing was done."""

    def make(records: int = 60, owner: str = "me") -> Run:
        return workspace.create(owner, "People", small_settings(records), {"table": small_table()})

    return make
