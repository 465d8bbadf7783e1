"""Pages without a browser: a workspace of their own, and runs in every state."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from glocalx.workspace.prepared import open_sample, sample_settings
from glocalx.workspace.run import Run
from glocalx.workspace.store import Workspace

ROOT = Path(__file__).parent.parent.parent
BROWSER = "tester"
OWNER = f"browser:{BROWSER}"


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workspace]:
    """An empty workspace that the pages use."""
    monkeypatch.setenv("GLOCALX_WORKSPACE", str(tmp_path / "workspace"))
    st.cache_resource.clear()
    yield Workspace(tmp_path / "workspace")
    from ui.session import jobs

    jobs().close()
    st.cache_resource.clear()


@pytest.fixture
def finished_run(workspace: Workspace) -> Run:
    """COMPAS, made ahead: black box, local rules and hierarchy are there."""
    return open_sample(workspace, OWNER, "compas")


@pytest.fixture
def new_run(workspace: Workspace) -> Callable[..., Run]:
    """A run on a sample on which nothing was done."""

    def make(sample: str = "compas", owner: str = OWNER) -> Run:
        return workspace.create(owner, sample, sample_settings(sample))

    return make


@pytest.fixture
def page(workspace: Workspace) -> Callable[..., AppTest]:
    """A page, run once; nothing on it may be an exception."""

    def open_page(file: str, run: Run | None = None, **query: str) -> AppTest:
        test = AppTest.from_file(str(ROOT / "pages" / file), default_timeout=60)
        test.session_state["browser"] = BROWSER
        if run is not None:
            test.query_params["run"] = run.id
        for name, value in query.items():
            test.query_params[name] = value
        test.run()
        assert not test.exception, test.exception
        return test

    return open_page
