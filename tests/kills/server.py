"""A server without its pages: it works on one run to the end, and saves all the time beside it.

It is a fork of whoever tries to kill it, and so is the process that forks its workers: it serves as
the real one does, without importing everything anew. The warm process and its children are real.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

from glocalx.confined.children import warm_up
from glocalx.confined.handed_file import HandedFile, read_confined
from glocalx.errors import GLocalXError
from glocalx.table.confined_table import TABLE_LOADER
from glocalx.workspace import worker, workers
from glocalx.workspace.exchange import export_run, import_run
from glocalx.workspace.jobs import Jobs
from glocalx.workspace.run import Run
from glocalx.workspace.store import Workspace
from tests.kills.processes import name_process

LAST = "resamples"
SLOW = 0.3
KILLED = ("its process ended without an answer", "was ended again and again")


def forked(live: Callable[[], None]) -> int:
    """A process that does this and ends."""
    process = os.fork()
    if process:
        return process
    code = 1
    try:
        live()
        code = 0
    finally:
        sys.stderr.flush()
        os._exit(code)


class Forker(workers._Warm):
    """The process that forks workers, seen from the server."""

    def __init__(self) -> None:
        self._asking, theirs = socket.socketpair()
        with theirs:
            self._process = _Fork(forked(lambda: _fork_workers(theirs)))  # type: ignore[assignment]


class _Fork:
    """What :class:`subprocess.Popen` would be."""

    def __init__(self, process: int) -> None:
        self._process = process
        self._code: int | None = None

    def poll(self, wait: int = os.WNOHANG) -> int | None:
        if self._code is None:
            ended, status = os.waitpid(self._process, wait)
            self._code = status if ended else None
        return self._code

    def kill(self) -> None:
        if self.poll() is None:
            os.kill(self._process, signal.SIGKILL)

    def wait(self) -> None:
        self.poll(0)


def _fork_workers(asked: socket.socket) -> None:
    """With nothing open but where it is asked: who listens to the server must hear its end."""
    name_process("forker")
    os.dup2(asked.detach(), 0)
    os.closerange(3, os.sysconf("SC_OPEN_MAX"))
    workers.serve(socket.socket(fileno=0), worker.live)


def serve(folder: Path, main: str, side: str, seed: int) -> None:
    """Until the work on the main run is done."""
    name_process("server")
    random = Random(seed)
    warm_up(TABLE_LOADER)  # workers find the same warm process, as they do in a real server
    workspace = Workspace(folder)
    workers._Warm = Forker  # type: ignore[misc]
    jobs = Jobs(workspace, at_once=1)
    while True:
        run = workspace.run(main)
        state = jobs.state(run)
        if state.state == "done":
            return
        if not state.busy:
            jobs.start(run, LAST)
        _save_something(workspace, workspace.run(side), random)


def _save_something(workspace: Workspace, side: Run, random: Random) -> None:
    """What people do on pages, one after the other; a sentence is an answer, too."""
    try:
        match random.randrange(7):
            case 0:
                rows = b"".join(b"%d,x,no\n" % random.randrange(99) for _ in range(50))
                workspace.save(side, files={"table": b"age,job,answer\n" + rows})
            case 1:
                workspace.save(side, name=f"Side {random.randrange(99)}")
            case 2:
                workspace.delete(workspace.duplicate(side, "me"))
            case 3:
                workspace.delete(import_run(workspace, "me", export_run(side)))
            case 4:
                workspace.runs("me")
            case _:
                read_confined(_slow_file(random.random() * SLOW))
    except GLocalXError as error:
        if not any(said in str(error) for said in KILLED):
            raise
    time.sleep(random.random() * 0.02)


def _slow_file(seconds: float) -> HandedFile:
    """A child that is there long enough to be met by whoever kills."""
    return HandedFile("slow", "tests.confined.hostile:slow", b"", {"seconds": seconds})
