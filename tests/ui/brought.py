"""Runs of a small table that somebody has just brought, for the page Data and model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from streamlit.testing.v1 import AppTest

from glocalx.workspace.exchange import run_from_upload
from glocalx.workspace.run import Run
from glocalx.workspace.store import Workspace
from tests.ui.conftest import OWNER

Page = Callable[..., AppTest]
FILE = "data_and_model.py"


def people_table(rows: int = 120, header: str = "age,job,said,answer") -> bytes:
    lines = [header]
    for i in range(rows):
        job = ("clerk", "chief", "none")[i % 3]
        answer = "deny" if (i % 7 < 2) else "accept"
        said = "deny" if (i % 7 < 2) != (i % 11 == 0) else "accept"
        lines.append(f"{20 + i % 45},{job},{said},{answer}")
    return "\n".join(lines).encode()


def brought(workspace: Workspace, data: bytes | None = None, **chosen: object) -> Run:
    run = run_from_upload(workspace, OWNER, "people.csv", data or people_table())
    if chosen:
        settings = replace(run.settings, data=replace(run.settings.data, **chosen))
        run = workspace.save(run, settings=settings)
    return run


def with_target(workspace: Workspace, data: bytes | None = None) -> Run:
    return brought(workspace, data, roles={"answer": "target"})


def version(test: AppTest) -> int:
    return int(test.session_state["data_version"])
