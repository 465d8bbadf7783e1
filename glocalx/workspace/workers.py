"""Processes that do the work of runs, forked from one that has everything imported.

Importing what trains, extracts and merges takes seconds; a fork takes milliseconds. The process
kept warm belongs to this one and ends with it; it works on nothing itself. A worker hears from
whoever began it through a pipe, and says through another one who it is and how it ended.
"""

from __future__ import annotations

import atexit
import gc
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import wait as wait_for

CAN_FORK = sys.platform.startswith("linux")  # elsewhere a warm process does the work itself, once
_KILLED = -int(signal.SIGKILL)


class Worker:
    """A process that works on one run, seen from whoever began it.

    Parameters
    ----------
    hears
        Where it is told things; to close it is the sign to stop.
    says
        Where it says its number first and its code last; at its end once it has ended.
    """

    def __init__(self, hears: int, says: int) -> None:
        self._hears, self._says = hears, says
        self._said = b""
        self._lock = threading.Lock()

    @property
    def process_id(self) -> int | None:
        """Its number; None as long as the warm process is not warm yet."""
        self._listen()
        number, known, _ = self._said.partition(b"\n")
        return int(number) if known else None

    @property
    def code(self) -> int | None:
        """How it ended; None while it works."""
        self._listen()
        if self._says >= 0:
            return None
        told = self._said.split(b"\n")[1:2]
        return int(told[0]) if told and told[0] else _KILLED

    def tell(self, line: str) -> None:
        """A line that it hears, if it is still there."""
        with suppress(OSError):
            os.write(self._hears, line.encode() + b"\n")

    def let_go(self) -> None:
        """The sign to stop, if it still works."""
        with self._lock:
            if self._hears >= 0:
                os.close(self._hears)
            self._hears = -1

    def wait(self, seconds: float) -> bool:
        """Whether it has ended after at most so many seconds."""
        until = time.monotonic() + seconds
        while self.code is None and (left := until - time.monotonic()) > 0:
            wait_for([self._says], left)
        return self.code is not None

    def kill(self) -> None:
        """End it at once, and wait until it has ended."""
        number = self.process_id
        if number is not None and self.code is None:
            with suppress(ProcessLookupError):
                _kill(number)
            while self.code is None:
                wait_for([self._says])
        self.let_go()  # not before: it would end by itself, as if nothing had been wrong
        if number is None:
            with self._lock:
                self._close()  # who cannot say its number does not begin

    def _listen(self) -> None:
        with self._lock:
            while self._says >= 0 and wait_for([self._says], 0):
                said = os.read(self._says, 1024)
                self._said += said
                if not said:
                    self._close()

    def _close(self) -> None:
        os.close(self._says)
        self._says = -1


def _kill(number: int) -> None:
    """Kill a process and wait for its end: its pipes are closed a moment before it has ended."""
    if not CAN_FORK:
        os.kill(number, signal.SIGKILL)
        return
    process = os.pidfd_open(number)
    try:
        signal.pidfd_send_signal(process, signal.SIGKILL)
        wait_for([process])
    finally:
        os.close(process)


class _Warm:
    """The process that has everything imported, and the socket at which it waits."""

    def __init__(self) -> None:
        self._asking, theirs = socket.socketpair()
        command = [sys.executable, "-m", "glocalx.workspace.worker"]
        quiet = {**os.environ, "PYTHONWARNINGS": "ignore"}
        with theirs:
            self._process = subprocess.Popen(
                command, stdin=theirs.fileno(), env=quiet, start_new_session=True
            )

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def begin(self) -> Worker:
        theirs, hears = os.pipe()
        says, theirs_too = os.pipe()
        try:
            socket.send_fds(self._asking, [b"!"], [theirs, theirs_too])
        except OSError:
            os.close(hears)
            os.close(says)
            raise
        finally:
            os.close(theirs)
            os.close(theirs_too)
        return Worker(hears, says)

    def end(self) -> None:
        """Those whom it forked go on; what it was asked for and has not begun is forgotten."""
        self._asking.close()
        self._process.kill()
        self._process.wait()


_warm: list[_Warm] = []
_warming = threading.Lock()


def warm_up() -> None:
    """Have everything imported before anybody waits for it; returns at once."""
    with _warming:
        _living()


def begin() -> Worker:
    """A worker that waits for its task: a line, see :mod:`glocalx.workspace.worker`."""
    with _warming:
        try:
            return _living().begin()
        except OSError:  # it was killed a moment ago
            return _living().begin()
        finally:
            if not CAN_FORK:
                _warm.clear()  # it is the worker


def _living() -> _Warm:
    if _warm and not _warm[0].alive:
        _warm.pop().end()
    if not _warm:
        _warm.append(_Warm())
    return _warm[0]


def _end() -> None:
    while _warm:
        _warm.pop().end()


def serve(asked: socket.socket, work: Callable[[int], int]) -> None:
    """In the warm process: fork a worker whenever one is asked for, until nobody can ask."""
    if CAN_FORK:
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for them here
        gc.collect()
        gc.freeze()  # what all workers share is not touched by their collectors
    while True:
        said, given, _, _ = socket.recv_fds(asked, 1, 2)
        if not said:
            return
        if not CAN_FORK or not os.fork():
            asked.close()
            _live(given[0], given[1], work)
        for opened in given:
            os.close(opened)


def _live(hears: int, says: int, work: Callable[[int], int]) -> None:
    """In the worker: say who it is, do the work, say how it ended."""
    code = 1
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        for opened in (hears, says):
            os.set_inheritable(opened, False)
        os.write(says, f"{os.getpid()}\n".encode())
        code = work(hears)
    finally:
        with suppress(OSError):  # nobody listens any more
            os.write(says, f"{code}\n".encode())
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)  # a reading thread must not hold up the end


atexit.register(_end)
