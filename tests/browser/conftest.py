"""A real server and a real browser."""

from __future__ import annotations

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


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The address of a running dashboard."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", "app.py"]
    process = subprocess.Popen(
        [*command, "--server.headless=true", f"--server.port={port}"],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _wait_for(f"http://localhost:{port}/_stcore/health")
        yield f"http://localhost:{port}"
    finally:
        process.terminate()
        process.wait(timeout=10)


def _wait_for(address: str, seconds: float = 30) -> None:
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
