"""A process kept warm: it has the libraries imported, and forks a child for every file.

Importing what reads a table or a model takes seconds; a fork takes milliseconds. The process runs
none of what a stranger sent, has one thread, and is asked through a socket by the process that
started it and by those that this one started (workers, processes of a pool), which find its name
in their environment. Children die with it and with whoever asked for them; it ends with whoever
started it. Its folder, in which each child has an empty one, goes with it.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import selectors
import shutil
import signal
import socket
import struct
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from glocalx.confined.child import find_loader, live
from glocalx.file_bytes import process_lives

MOST_REQUEST = 1 << 16
_FOLDER = "glocalx-warm-"  # and the number of the process, so that others see whether it lives
_CREDENTIALS = struct.Struct("iII")  # process, user, group


def main(listening: int, owner: int) -> None:
    """Serve until the owner has ended."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    sweep(Path(tempfile.gettempdir()))
    folder = tempfile.mkdtemp(prefix=f"{_FOLDER}{os.getpid()}-")
    try:
        _Server(socket.socket(fileno=listening), folder).serve(owner)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def sweep(place: Path) -> None:
    """Remove what killed processes of this kind and this user left behind."""
    for folder in place.glob(f"{_FOLDER}*-*"):
        process = folder.name.removeprefix(_FOLDER).partition("-")[0]
        with contextlib.suppress(OSError):
            own = folder.stat().st_uid == os.getuid() and process.isdecimal()
            if own and not process_lives(int(process)):
                shutil.rmtree(folder, ignore_errors=True)


def peer(connection: socket.socket) -> tuple[int, int]:
    """The process and the user at the other end."""
    told = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
    process, user, _ = _CREDENTIALS.unpack(told)
    return process, user


@dataclass(eq=False)
class _Client:
    """A process that asks for children; they are killed when it is gone."""

    connection: socket.socket
    gone: int  # readable once the process has ended
    children: dict[int, int] = field(default_factory=dict)  # a descriptor by process


class _Server:
    def __init__(self, listening: socket.socket, folder: str) -> None:
        self._listening = listening
        self._folder = folder
        self._process = os.getpid()
        self._selector = selectors.DefaultSelector()
        self._forked = 0
        self._over = False

    def serve(self, owner: int) -> None:
        self._watch(self._listening.fileno(), self._greet)
        self._watch(os.pidfd_open(owner), self._end)
        while not self._over:
            for key, _ in self._selector.select():
                if key.fd in self._selector.get_map():  # an earlier one may have let it go
                    key.data()

    def _watch(self, opened: int, then: Callable[[], None]) -> None:
        self._selector.register(opened, selectors.EVENT_READ, then)

    def _forget(self, opened: int) -> None:
        self._selector.unregister(opened)
        os.close(opened)

    def _end(self) -> None:
        self._over = True

    def _greet(self) -> None:
        connection, _ = self._listening.accept()
        process, user = peer(connection)
        try:
            if user != os.getuid():
                raise OSError("somebody else")
            client = _Client(connection, os.pidfd_open(process))
        except OSError:  # or it has ended meanwhile
            connection.close()
            return
        self._watch(connection.fileno(), lambda: self._hear(client))
        self._watch(client.gone, lambda: self._part(client))

    def _part(self, client: _Client) -> None:
        for child in list(client.children.values()):
            signal.pidfd_send_signal(child, signal.SIGKILL)
        self._selector.unregister(client.connection.fileno())
        client.connection.close()
        self._forget(client.gone)

    def _hear(self, client: _Client) -> None:
        try:
            said, given, _, _ = socket.recv_fds(client.connection, MOST_REQUEST, 2)
        except OSError:
            said, given = b"", []
        if not said:
            self._part(client)
            return
        task = json.loads(said)
        failed = self._imported(str(task["loader"]))
        if len(given) == 2 and not failed:
            self._fork(client, (given[0], given[1]), task)
        elif given:
            self._answer(client, {"error": failed})
        for opened in given:
            os.close(opened)

    def _imported(self, loader: str) -> str:
        """Import what reads such files, once for all children; what went wrong."""
        try:
            find_loader(loader)
        except Exception as error:
            return f"{type(error).__name__}: {error}"
        return ""

    def _fork(self, client: _Client, pipes: tuple[int, int], task: dict[str, Any]) -> None:
        self._forked += 1
        folder = os.path.join(self._folder, str(self._forked))
        os.mkdir(folder)
        gc.collect(0)
        gc.freeze()  # what all children share is not touched by their collectors
        process = os.fork()
        if not process:
            try:
                live(pipes, folder, self._process, task)
            finally:
                os._exit(0)
        child = os.pidfd_open(process)
        client.children[process] = child
        self._watch(child, lambda: self._bury(client, process, folder))
        self._answer(client, {"process": process}, child)

    def _bury(self, client: _Client, process: int, folder: str) -> None:
        os.waitpid(process, 0)
        self._forget(client.children.pop(process))
        shutil.rmtree(folder, ignore_errors=True)

    def _answer(self, client: _Client, said: dict[str, Any], *given: int) -> None:
        with contextlib.suppress(OSError):  # it is gone: its children are killed in a moment
            socket.send_fds(client.connection, [json.dumps(said).encode()], list(given))
