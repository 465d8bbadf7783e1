"""A real server and a real browser."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.find_chromium import find_chromium

ROOT = Path(__file__).parent.parent.parent
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


class Server:
    """A running dashboard with a workspace of its own, which can be killed and started again."""

    def __init__(self, workspace: Path) -> None:
        self.workspace = workspace
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.address = f"http://localhost:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self, *options: str) -> None:
        command = [sys.executable, "-m", "ui.serve"]
        self._process = subprocess.Popen(
            [*command, "--server.headless=true", f"--server.port={self.port}", *options],
            cwd=ROOT,
            env={**os.environ, "GLOCALX_WORKSPACE": str(self.workspace)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        _wait_for(f"{self.address}/_stcore/health")

    def kill(self) -> None:
        """End it without a warning, as a crash would."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(timeout=10)


@pytest.fixture(scope="session")
def dashboard(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A running dashboard for all tests, each of which brings a browser of its own."""
    running = Server(tmp_path_factory.mktemp("workspace"))
    running.start()
    yield running
    running.kill()


@pytest.fixture(scope="session")
def server(dashboard: Server) -> str:
    """The address of a running dashboard."""
    return dashboard.address


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    """A dashboard for one test alone, which it may kill."""
    running = Server(tmp_path / "workspace")
    running.start()
    yield running
    running.kill()


def _wait_for(address: str, seconds: float = 120) -> None:
    until = time.monotonic() + seconds
    while True:
        try:
            with urllib.request.urlopen(address, timeout=2):
                return
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.1)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
        yield running
        running.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page that fails the test if it called any other host or logged an error."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    opened = context.new_page()
    strangers: list[str] = []
    opened.on("request", lambda request: _note_stranger(request.url, strangers))
    yield opened
    context.close()
    assert not strangers, f"the page called {strangers}"


def _note_stranger(url: str, strangers: list[str]) -> None:
    if not url.startswith(("http://localhost:", "ws://localhost:", "data:", "blob:")):
        strangers.append(url)
