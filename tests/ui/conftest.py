"""Pages without a browser: a workspace of their own, and runs in every state.

The workspace lies in the same place for most tests, and the finished run has the same id, so what
the pages have read of it is still there for the next test. A test that patches anything, or asks
for `apart`, gets a place of its own; one that changes the run's files all the same begins and ends
with nothing read.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from glocalx.pipeline.settings import DataSettings, RuleSettings, RunSettings
from glocalx.workspace.opened_run import OpenedRun
from glocalx.workspace.run import Run
from glocalx.workspace.sample_runs import open_sample, sample_settings
from glocalx.workspace.store import Workspace
from tests.patience import PATIENCE
from ui import session

ROOT = Path(__file__).parent.parent.parent
BROWSER = "tester"
OWNER = f"browser:{BROWSER}"
NASTY = "**b** [x](http://evil) <img src=x> $a$ :red[r]"


@pytest.fixture(scope="session", autouse=True)
def no_components() -> Iterator[None]:
    """No page uses a component of another package, for which every AppTest would read them all."""
    with pytest.MonkeyPatch.context() as patched:
        where = "streamlit.components.v2.manifest_scanner.scan_component_manifests"
        patched.setattr(where, list)
        yield


@pytest.fixture(scope="module")
def no_rivals_unasked() -> Iterator[None]:
    """Other methods are fitted only on demand, to save time."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("ui.theory.curve.AT_ONCE", 0)
        yield


@pytest.fixture(scope="session")
def shared_place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where most tests' workspace is, one after the other."""
    return tmp_path_factory.mktemp("pages") / "workspace"


@pytest.fixture
def apart() -> None:
    """For tests that change the files of the finished run."""


@pytest.fixture(scope="session")
def made_ahead(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """COMPAS with black box, local rules and hierarchy, to be copied and never touched."""
    return open_sample(Workspace(tmp_path_factory.mktemp("made_ahead")), OWNER, "compas")


@pytest.fixture
def workspace(
    shared_place: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> Iterator[Workspace]:
    """An empty workspace that the pages use."""
    own = {"monkeypatch", "apart"} & set(request.fixturenames)
    place = tmp_path / "workspace" if own else shared_place
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("GLOCALX_WORKSPACE", str(place))
        yield Workspace(place)
        _forget_server()
    shutil.rmtree(place)


def _forget_server() -> None:
    session.jobs().close()
    session.jobs.clear()
    session.workspace.clear()


@pytest.fixture
def placed(workspace: Workspace, shared_place: Path) -> Iterator[Callable[[Run], Run]]:
    """Puts a run that was made ahead into the workspace, under its own id."""
    there = []

    def place(ahead: Run) -> Run:
        there.append(ahead)
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr("glocalx.workspace.store.secrets.token_urlsafe", lambda _: ahead.id)
            run = workspace.create(OWNER, ahead.name, ahead.settings, figures=ahead.figures)
        for file in ahead.folder.iterdir():
            shutil.copy2(file, run.folder)
        return run

    yield place
    for ahead in there:
        _forget_if_touched(shared_place, ahead)


@pytest.fixture
def finished_run(placed: Callable[[Run], Run], made_ahead: Run) -> Run:
    """COMPAS, made ahead: black box, local rules and hierarchy are there."""
    return placed(made_ahead)


def _forget_if_touched(shared_place: Path, ahead: Run) -> None:
    folder = shared_place / "runs" / ahead.id
    if folder.exists() and _changes(folder) != _changes(ahead.folder):
        _forget_server()
        st.cache_resource.clear()


def _changes(folder: Path) -> dict[str, int]:
    """When each file was changed."""
    return {file.name: file.stat().st_mtime_ns for file in folder.iterdir()}


@pytest.fixture(scope="session")
def nasty_ahead(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A small table whose names try to be something else, all the way to merged rules."""
    rows = [f'{i % 9},"=c{i % 4}","{NASTY if i % 9 > 4 else "no *"}"' for i in range(200)]
    data = "\n".join([f'"{NASTY}","=1+1","out"', *rows]).encode()
    settings = RunSettings(
        data=DataSettings(file="table", name="t.csv", roles={"out": "target"}),
        rules=RuleSettings(records=12),
    )
    place = Workspace(tmp_path_factory.mktemp("nasty_ahead"))
    run = place.create(OWNER, NASTY, settings, {"table": data})
    for _ in OpenedRun(run).iter_to("merge"):
        pass
    return place.run(run.id)


@pytest.fixture
def nasty_run(workspace: Workspace, nasty_ahead: Run) -> Run:
    """That run, for one test."""
    return workspace.duplicate(nasty_ahead, OWNER)


@pytest.fixture
def new_run(workspace: Workspace) -> Callable[..., Run]:
    """A run on a sample on which nothing was done."""

    def make(sample: str = "compas", owner: str = OWNER) -> Run:
        return workspace.create(owner, sample, sample_settings(sample))

    return make


@pytest.fixture
def page(workspace: Workspace, made_ahead: Run, shared_place: Path) -> Callable[..., AppTest]:
    """A page, run once; nothing on it may be an exception."""

    def open_page(file: str, run: Run | None = None, **query: str) -> AppTest:
        test = AppTest.from_file(str(ROOT / "pages" / file), default_timeout=PATIENCE)
        test.session_state["browser"] = BROWSER
        if run is not None:
            _forget_if_touched(shared_place, made_ahead)
            test.query_params["run"] = run.id
        for name, value in query.items():
            test.query_params[name] = value
        test.run()
        assert not test.exception, test.exception
        return test

    return open_page
