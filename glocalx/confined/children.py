"""Child processes, seen from whoever asks for one: forked by a warm process where that is possible.

The warm process is started once and shared with all processes that this one starts: its name is in
their environment. Where it is gone, or the system has no descriptors of processes, that is made up
for.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import weakref
from collections.abc import Callable, Iterator
from multiprocessing.connection import wait as wait_for
from pathlib import Path
from typing import Any, BinaryIO

from glocalx.confined.fork_server import MOST_REQUEST, peer
from glocalx.errors import GLocalXError

_ADDRESS = "GLOCALX_FORK_SERVER"
_TRIES = 3
_PACKAGE = str(Path(__file__).resolve().parents[1])

# The package is set up bare: what its own __init__ imports would cost every start seconds.
_START = """
import json, sys, types
sys.path[:] = json.loads(sys.argv[1])
package = types.ModuleType("glocalx")
package.__path__ = [sys.argv[2]]
sys.modules["glocalx"] = package
"""
_SERVE = """
from glocalx.errors import GLocalXError
from glocalx.confined.fork_server import main
main(int(sys.argv[3]), int(sys.argv[4]))
"""
_LIVE = """
from glocalx.confined.child import live
live((int(sys.argv[3]), int(sys.argv[4])), sys.argv[5], int(sys.argv[6]), json.loads(sys.argv[7]))
"""


class ChildProcess:
    """A process with its pipes; killed when this object is gone.

    Parameters
    ----------
    loader
        What it reads files with; see :mod:`glocalx.confined.child`.
    memory_mb
        What it may use beyond what the program itself takes.
    """

    def __init__(self, loader: str, memory_mb: int) -> None:
        theirs_in, ours_out = os.pipe()
        ours_in, theirs_out = os.pipe()
        task = {"loader": loader, "memory_mb": memory_mb}
        try:
            start: Callable[..., _Forked | _Spawned] = _forked if _can_fork() else _Spawned
            self.process = start((theirs_in, theirs_out), task)
        except BaseException:
            os.close(ours_in)
            os.close(ours_out)
            raise
        finally:
            os.close(theirs_in)
            os.close(theirs_out)
        self.questions: BinaryIO = os.fdopen(ours_out, "wb")
        self.answers: BinaryIO = os.fdopen(ours_in, "rb")
        streams = (self.questions, self.answers)
        self.end = weakref.finalize(self, _end, self.process, streams, os.getpid())

    @property
    def alive(self) -> bool:
        return self.end.alive and self.process.alive

    @contextlib.contextmanager
    def killed_after(self, seconds: float) -> Iterator[threading.Event]:
        """Kill the child after so many seconds; the event tells whether it came to that."""
        late, process = threading.Event(), self.process

        def kill() -> None:
            late.set()
            process.kill()

        timer = threading.Timer(seconds, kill)
        timer.daemon = True
        timer.start()
        try:
            yield late
        finally:
            timer.cancel()


def warm_up(*loaders: str) -> None:
    """Have what these need imported before anybody waits for it; returns at once."""
    if _can_fork():
        _connection().warm(loaders)


class _Forked:
    """A child of the warm process, held by a descriptor that no other process can take over."""

    def __init__(self, number: int, descriptor: int, connection: _Connection) -> None:
        self.number = number
        self._connection = connection
        self._descriptor = descriptor
        self._lock = threading.Lock()

    @property
    def alive(self) -> bool:
        return not wait_for([self._descriptor], 0)

    @property
    def orphaned(self) -> bool:
        """Whether the process that forked it is gone, and this one with it for no other reason."""
        return not self._connection.alive

    def wait(self) -> None:
        wait_for([self._descriptor])

    def kill(self) -> None:
        with self._lock, contextlib.suppress(ProcessLookupError):
            if self._descriptor >= 0:
                signal.pidfd_send_signal(self._descriptor, signal.SIGKILL)

    def let_go(self) -> None:
        with self._lock:
            os.close(self._descriptor)
            self._descriptor = -1


class _Spawned:
    """A process started for one file alone, in a folder of its own."""

    def __init__(self, pipes: tuple[int, int], task: dict[str, Any]) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="glocalx-", ignore_cleanup_errors=True)
        given = (*map(str, pipes), self._folder.name, str(os.getpid()), json.dumps(task))
        self._process = _started(_LIVE, given, pipes)
        self.number = self._process.pid

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    @property
    def orphaned(self) -> bool:
        return False

    def wait(self) -> None:
        self._process.wait()

    def kill(self) -> None:
        self._process.kill()

    def let_go(self) -> None:
        self._folder.cleanup()


class _Connection:
    """To the warm process; threads take turns."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._socket = _found() or _begun()

    @property
    def alive(self) -> bool:
        open_still = self._socket.fileno() >= 0
        return open_still and not wait_for([self._socket], 0)  # it says nothing unasked

    def close(self) -> None:
        with self._lock:
            self._socket.close()

    def leave(self) -> None:
        """In a fork: the lock may be held by a thread that is not here."""
        self._lock = threading.Lock()
        self._socket.close()

    def warm(self, loaders: tuple[str, ...]) -> None:
        with self._lock, contextlib.suppress(OSError):
            for loader in loaders:
                self._socket.send(json.dumps({"loader": loader}).encode())

    def fork(self, pipes: tuple[int, int], task: dict[str, Any]) -> _Forked:
        with self._lock:
            socket.send_fds(self._socket, [json.dumps(task).encode()], pipes)
            said, given, _, _ = socket.recv_fds(self._socket, MOST_REQUEST, 1)
        if not said:
            raise ConnectionResetError
        answer = json.loads(said)
        if "error" in answer:
            raise ImportError(answer["error"])
        return _Forked(int(answer["process"]), given[0], self)


_connections: list[_Connection] = []
_connecting = threading.Lock()


def _connection() -> _Connection:
    with _connecting:
        if _connections and not _connections[0].alive:
            _connections.pop().close()
        if not _connections:
            _connections.append(_Connection())
        return _connections[0]


def _forget_connection() -> None:
    """A fork of this process must not speak on the same socket."""
    global _connecting
    _connecting = threading.Lock()
    while _connections:
        _connections.pop().leave()


def _close_connection() -> None:
    while _connections:
        _connections.pop().close()


def _can_fork() -> bool:
    return sys.platform.startswith("linux") and hasattr(os, "pidfd_open")


def _forked(pipes: tuple[int, int], task: dict[str, Any]) -> _Forked:
    for _ in range(_TRIES):
        with contextlib.suppress(OSError):  # it was killed a moment ago: a new one is started
            return _connection().fork(pipes, task)
    raise GLocalXError("The process that reads files was ended again and again. Try again.")


def _found() -> socket.socket | None:
    """A connection to the warm process of whoever started this one."""
    name = os.environ.get(_ADDRESS)
    if not name:
        return None
    made = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    try:
        made.connect(f"\0{name}")
        if peer(made)[1] == os.getuid():
            return made
    except OSError:
        pass
    made.close()
    return None


def _begun() -> socket.socket:
    """Start the warm process; it ends with this one."""
    name = f"glocalx-{secrets.token_hex(16)}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listening:
        listening.bind(f"\0{name}")
        listening.listen()
        made = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        made.connect(f"\0{name}")
        place = listening.fileno()
        process = _started(_SERVE, (str(place), str(os.getpid())), (place,))
    os.environ[_ADDRESS] = name
    atexit.register(_ended, process, os.getpid())
    return made


def _started(
    script: str, given: tuple[str, ...], passed: tuple[int, ...]
) -> subprocess.Popen[bytes]:
    path = json.dumps([os.path.abspath(entry) for entry in sys.path])
    return subprocess.Popen(
        [sys.executable, "-I", "-B", "-c", _START + script, path, _PACKAGE, *given],
        cwd="/",
        env=_environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        pass_fds=passed,
        start_new_session=True,  # a Ctrl-C is for whoever started it
    )


def _environment() -> dict[str, str]:
    """As little as is needed, one thread, and no reports to anyone.

    Without the switches the published builds of onnxruntime (seen with 1.31) keep an identifier
    of the machine and send usage data to their maker. They must be set before the import.
    """
    kept = {name: os.environ[name] for name in ("PATH", "TMPDIR") if name in os.environ}
    counts = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
    return {
        **kept,
        **dict.fromkeys(counts, "1"),
        **dict.fromkeys(("ORT_DISABLE_TELEMETRY", "ORT_TELEMETRY_DISABLED"), "1"),
    }


def _end(process: _Forked | _Spawned, streams: tuple[BinaryIO, BinaryIO], owner: int) -> None:
    if owner == os.getpid():  # and not a fork of that process
        process.kill()
        process.wait()
        process.let_go()
    for stream in streams:
        with contextlib.suppress(OSError):
            stream.close()


def _ended(process: subprocess.Popen[bytes], owner: int) -> None:
    if owner == os.getpid():
        process.terminate()
        process.wait()


atexit.register(_close_connection)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_connection)
