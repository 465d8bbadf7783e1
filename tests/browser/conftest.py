"""A real server and a real browser.

One server for all tests but those that kill theirs or need other options, one finished run for all
that only look at it, and two windows, whose pages load Streamlit's own files once: a wide one, and
a phone elsewhere. Every test gets a page without cookies, as on a first visit.
"""

from __future__ import annotations

import secrets
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from glocalx.workspace.run import Run
from glocalx.workspace.sample_runs import open_sample
from glocalx.workspace.store import Workspace
from tests.browser.serving import Server, kept_warm, launch, window
from tests.patience import PATIENCE

expect.set_options(timeout=1000 * PATIENCE)


@pytest.fixture(scope="session")
def dashboard(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A running dashboard for all tests."""
    running = Server(tmp_path_factory.mktemp("workspace"))
    running.start()
    yield running
    running.kill()


@pytest.fixture(autouse=True)
def told_by_the_server(request: pytest.FixtureRequest) -> Iterator[None]:
    """A test that fails shows what the server wrote meanwhile: a page says only that it failed."""
    names = [each for each in ("dashboard", "own_server") if each in request.fixturenames]
    servers: list[Server] = [request.getfixturevalue(name) for name in names]
    yield
    for server in servers:
        sys.stderr.write(server.new_log())


@pytest.fixture(scope="session")
def compas(dashboard: Server) -> Run:
    """The finished run on COMPAS that tests look at and never change."""
    return _finished(dashboard)


@pytest.fixture
def own_compas(dashboard: Server) -> Run:
    """A finished run on COMPAS of somebody who has no other, for one test alone."""
    return _finished(dashboard)


def _finished(server: Server) -> Run:
    return open_sample(Workspace(server.workspace), f"browser:{secrets.token_hex(8)}", "compas")


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    """A dashboard for one test alone, which it may kill."""
    running = Server(tmp_path / "workspace")
    running.start()
    yield running
    running.kill()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        running = launch(playwright)
        yield running
        running.close()


@pytest.fixture(scope="session")
def screen(browser: Browser, dashboard: Server) -> BrowserContext:
    return kept_warm(window(browser, 1440), dashboard)


@pytest.fixture(scope="session")
def phone(browser: Browser, dashboard: Server) -> BrowserContext:
    return kept_warm(window(browser, 420), dashboard)


@pytest.fixture
def page(screen: BrowserContext) -> Iterator[Page]:
    """A page that fails the test if it called any other host or its scripts failed."""
    yield from _page(screen)


@pytest.fixture
def elsewhere(phone: BrowserContext) -> Iterator[Page]:
    """Such a page of somebody else, on a phone."""
    yield from _page(phone)


def _page(context: BrowserContext) -> Iterator[Page]:
    opened = context.new_page()
    wrong: list[str] = []
    opened.on("request", lambda request: _note_stranger(request.url, wrong))
    opened.on("pageerror", lambda error: wrong.append(str(error)))
    yield opened
    opened.close()
    context.clear_cookies()
    assert wrong == []


def _note_stranger(url: str, wrong: list[str]) -> None:
    if not url.startswith(("http://localhost:", "ws://localhost:", "data:", "blob:")):
        wrong.append(f"called {url}")
