"""Damaged files read one after the other in a fork of this process, by the same loaders.

A child process for each costs more than reading such a small file, and so does waiting for its
answer on a busy machine. What a file does here proves nothing against it: whatever is neither read
nor refused, is late or ends the fork is tried again in a confined child of its own, see
:mod:`tests.fuzz.outcomes`.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import resource
import select
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any
from unittest import mock

from glocalx.confined import handed_file
from glocalx.confined.child import Loaded, _failure, find_loader
from glocalx.confined.handed_file import ConfinedFile
from glocalx.confined.wire import Message, receive, send

SECONDS = 30.0  # of the clock, for one file
MEMORY = 6 * 2**30
UNKNOWN = "unknown", ""


class _Here:
    """What stands for the child process: it loads and answers in this one."""

    alive = True

    def __init__(self, loader: str, memory_mb: int) -> None:
        self._loader = find_loader(loader)
        self._loaded: Loaded | None = None

    def end(self) -> None:
        self._loaded = None

    def reply(self, message: Message) -> Message:
        try:
            return self._answered(message)
        except Exception as error:
            return Message(_failure(error), {})

    def _answered(self, message: Message) -> Message:
        if self._loaded is not None:
            assert self._loaded.answer is not None
            return Message({}, self._loaded.answer(message.header["question"], message.arrays))
        content: Any = message.arrays["content"]
        self._loaded = self._loader(content.tobytes(), message.header["options"])
        return Message({"about": self._loaded.about}, self._loaded.arrays)


def _exchange(self: ConfinedFile, child: _Here, message: Message, seconds: float) -> Message:
    reply = _over_the_wire(child.reply(_over_the_wire(message)))
    if "error" in reply.header:
        raise self._failed(reply.header)
    return reply


def _over_the_wire(message: Message) -> Message:
    wire = io.BytesIO()
    send(wire, message)
    wire.seek(0)
    return receive(wire)


def iter_here(
    tried: Callable[[int], tuple[str, str]], numbers: Iterable[int]
) -> Iterator[tuple[int, str, str]]:
    """Each number with what came of it; :data:`UNKNOWN` for one that ended the fork or was late."""
    left = list(numbers)
    while left:
        for number, kind, said in _in_a_fork(tried, tuple(left)):
            yield number, kind, said
            del left[0]
        if left:
            yield left.pop(0), *UNKNOWN


def _in_a_fork(
    tried: Callable[[int], tuple[str, str]], numbers: Sequence[int]
) -> Iterator[tuple[int, str, str]]:
    """As far as the fork gets."""
    heard, told = os.pipe()
    process = os.fork()
    if not process:
        try:
            os.close(heard)
            nowhere = os.open(os.devnull, os.O_WRONLY)
            for stream in (1, 2):  # what a library prints, as in a confined child
                os.dup2(nowhere, stream)
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            with os.fdopen(told, "w", encoding="ascii") as lines:
                _try_all(tried, numbers, lines)
        finally:
            os._exit(0)
    os.close(told)
    try:
        for number, line in zip(numbers, _lines(heard), strict=False):
            kind, said = json.loads(line)
            yield number, kind, said
    finally:
        os.close(heard)
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)


def _lines(opened: int) -> Iterator[bytes]:
    """Lines as they come, as long as one comes in time."""
    held = b""
    while select.select([opened], [], [], SECONDS)[0]:
        more = os.read(opened, 1 << 16)
        if not more:
            return
        *whole, held = (held + more).split(b"\n")
        yield from whole


def _try_all(
    tried: Callable[[int], tuple[str, str]], numbers: Sequence[int], lines: io.TextIOWrapper
) -> None:
    with (
        mock.patch.object(handed_file, "ChildProcess", _Here),
        mock.patch.object(ConfinedFile, "_exchange", _exchange),
    ):
        for number in numbers:
            lines.write(json.dumps(tried(number)) + "\n")
            lines.flush()
