"""A dashboard that runs, and a browser to look at it: for tests, pictures and benchmarks."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import suppress
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Playwright

from glocalx.workspace.run import read_progress
from glocalx.workspace.store import Workspace
from tests.browser.find_chromium import find_chromium
from tests.patience import ANOTHER_TRY, PATIENCE

ROOT = Path(__file__).parent.parent.parent
UNSEEN = (  # what a window loads beside its page, a page itself; and what playwright leaves out
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxFullPopup",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsUpgrades",
    "OptimizationHints",
    "PaintHolding",
)
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--process-per-site",  # a page finds Streamlit's and plotly's scripts compiled
    "--in-process-gpu",
    "--js-flags=--no-opt,--no-maglev",  # a page is gone before what they make faster pays
    "--disable-features=" + ",".join(UNSEEN),
]
COOKIE = "glocalx_browser"


class Server:
    """A running dashboard with a workspace of its own, which can be killed and started again."""

    def __init__(self, workspace: Path) -> None:
        self.workspace = workspace
        self.log = workspace.with_name(f"{workspace.name}.log")
        self._told = 0
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.address = f"http://localhost:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self, *options: str) -> None:
        """Start it, and return as soon as it answers."""
        command = [sys.executable, "-m", "ui.serve"]
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [*command, "--server.headless=true", f"--server.port={self.port}", *options],
                cwd=ROOT,
                env={**os.environ, "GLOCALX_WORKSPACE": str(self.workspace)},
                stdout=log,
                stderr=log,
            )
        while not self._answers():
            if self._process.poll() is not None:
                raise RuntimeError("The dashboard ended before it answered.")
            time.sleep(0.1)  # between two looks; there is nothing that would tell

    def _answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.address}/_stcore/health", timeout=ANOTHER_TRY):
                return True
        except OSError:
            return False

    def kill(self) -> None:
        """End it without a warning, as a crash would."""
        if self._process is not None:
            children = self._children()
            self._process.kill()
            self._process.wait(PATIENCE)
            _signal(children, signal.SIGCONT)

    def new_log(self) -> str:
        """What it has written since this was last asked: the trace of what a page hides."""
        written = self.log.read_bytes() if self.log.exists() else b""
        told, self._told = self._told, len(written)
        return written[told:].decode(errors="replace")

    def folder_of(self, run: str) -> Path:
        return Workspace(self.workspace).folder_of(run)

    def hold_work(self, run: str) -> None:
        """Let the work on a run stand still once some of it is done, so that it can be seen."""
        while not (read_progress(self.folder_of(run)) or {}).get("done"):
            time.sleep(0.01)  # between two looks, shorter than the work on one record
        _signal(self._children(), signal.SIGSTOP)

    def _children(self) -> list[int]:
        """The processes that do the work and the one that forks them; files are still read."""
        assert self._process is not None
        warm = [each for each in _children_of(self._process.pid) if _is_worker(each)]
        return [*warm, *(worker for each in warm for worker in _children_of(each))]


def _children_of(number: int) -> list[int]:
    with suppress(OSError):  # it has ended
        tasks = Path(f"/proc/{number}/task").iterdir()  # whichever thread began them
        return [int(each) for task in tasks for each in (task / "children").read_text().split()]
    return []


def _is_worker(number: int) -> bool:
    with suppress(OSError):  # it has ended
        return b"glocalx.workspace.worker" in Path(f"/proc/{number}/cmdline").read_bytes()
    return False


def _signal(processes: list[int], sign: signal.Signals) -> None:
    for number in processes:
        with suppress(ProcessLookupError):  # it has ended
            os.kill(number, sign)


def launch(playwright: Playwright) -> Browser:
    """The browser in which everything is opened."""
    return playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)


def window(browser: Browser, width: int, **options: Any) -> BrowserContext:
    """A window in which nothing fades or slides: it costs more than all that is shown."""
    size = {"width": width, "height": 900}
    opened = browser.new_context(viewport=size, reduced_motion="reduce", **options)
    opened.set_default_timeout(1000 * PATIENCE)
    opened.add_init_script(path=Path(__file__).with_name("watch_runs.js"))
    return opened


def kept_warm(opened: BrowserContext, server: Server) -> BrowserContext:
    """The window with a page that stays open: the process that draws all its pages does not end."""
    opened.new_page().goto(f"{server.address}/_stcore/health")
    return opened
