"""A stranger's file in a child process, seen from the server.

The child is behind a fence and under limits on memory and time, and is spoken to in JSON and plain
arrays. If it crashes or takes too long that is a sentence for the user; the next question starts a
new one.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from glocalx.confined.children import ChildProcess
from glocalx.confined.wire import Arrays, BrokenWireError, Message, receive, send
from glocalx.errors import GLocalXError


@dataclass(frozen=True, slots=True)
class Limits:
    """What a stranger's file may use.

    Memory counts all address space of the child process beyond what the program and its libraries
    take. It is not enforced on systems that cannot (Windows).
    """

    memory_mb: int = 4096
    load_seconds: float = 60.0
    ask_seconds: float = 300.0


@dataclass(frozen=True, slots=True)
class HandedFile:
    """What a child process should hold: a file and how to load it.

    Parameters
    ----------
    name, kind
        What people call the file, and what it is: a model, a table, …
    loader
        The function that reads it, as `module:function`; see :mod:`glocalx.confined.child`.
    """

    name: str
    loader: str
    content: bytes = field(repr=False)
    options: dict[str, Any]
    limits: Limits = Limits()
    kind: str = "model"


class ConfinedError(GLocalXError):
    """What the child refused, in a sentence, with what else it said of it."""

    def __init__(self, sentence: str, carried: dict[str, Any]) -> None:
        super().__init__(sentence)
        self.carried = carried


class ConfinedFile:
    """Asks the child, and starts it when it is first needed or has died.

    It can be sent to another process, where it starts a child of its own. Threads take
    turns.
    """

    def __init__(self, file: HandedFile) -> None:
        self.file = file
        self.about: dict[str, Any] = {}
        self._lock = threading.Lock()
        self._child: ChildProcess | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return ConfinedFile, (self.file,)

    def start(self) -> dict[str, Any]:
        """Load the file now; what it tells about itself."""
        with self._lock:
            self._running()
            return self.about

    def ask(self, question: str, arrays: Arrays) -> Arrays:
        """One question, one answer."""
        message = Message({"question": question}, arrays)
        with self._lock:
            try:
                return self._asked(message)
            except _WarmProcessGoneError:  # not this file's fault
                return self._asked(message)

    def close(self) -> None:
        """End the child. A later question starts a new one."""
        with self._lock:
            self._drop()

    @property
    def process_id(self) -> int | None:
        return self._child.process.number if self._child else None

    def _asked(self, message: Message) -> Arrays:
        child = self._running()
        return self._exchange(child, message, self.file.limits.ask_seconds).arrays

    def _running(self) -> ChildProcess:
        if self._child is not None and self._child.alive:
            return self._child
        self._drop()
        self._child, reply = self._begun()
        self.about = _object(reply.header.get("about"))
        return self._child

    def _begun(self) -> tuple[ChildProcess, Message]:
        file = self.file
        self._child = ChildProcess(file.loader, file.limits.memory_mb)
        content = np.frombuffer(file.content, dtype=np.uint8)
        first = Message({"options": file.options}, {"content": content})
        return self._child, self._exchange(self._child, first, file.limits.load_seconds)

    def _exchange(self, child: ChildProcess, message: Message, seconds: float) -> Message:
        try:
            with child.killed_after(seconds) as late:
                send(child.questions, message)
                reply = receive(child.answers)
        except (BrokenWireError, OSError):
            orphaned = child.process.orphaned and not late.is_set()
            self._drop()
            if orphaned:
                raise _WarmProcessGoneError(self._ended_text(False, seconds)) from None
            raise GLocalXError(self._ended_text(late.is_set(), seconds)) from None
        except BaseException:
            self._drop()  # half a message may be left on the pipe
            raise
        if "error" in reply.header:
            raise self._failed(reply.header)
        return reply

    def _drop(self) -> None:
        if self._child is not None:
            self._child.end()
        self._child = None

    def _ended_text(self, late: bool, seconds: float) -> str:
        kind = self.file.kind
        if late:
            fewer = ", or fewer records" if kind == "model" else ""
            return (
                f"The {kind} “{self.file.name}” did not answer within {seconds:,.0f} seconds and "
                f"was stopped. Use a smaller {kind}{fewer}."
            )
        return (
            f"The {kind} “{self.file.name}” crashed: its process ended without an answer. The "
            f"file may be damaged, or need more than {self.file.limits.memory_mb:,} MB of memory."
        )

    def _failed(self, failure: dict[str, Any]) -> GLocalXError:
        error, said = str(failure["error"]), str(failure.get("said"))
        if failure.get("for_people"):
            return ConfinedError(said, _object(failure.get("carried")))
        kind, name = self.file.kind, self.file.name
        if error == "MemoryError" or "bad_alloc" in said or "allocate memory" in said:
            return GLocalXError(
                f"The {kind} “{name}” needs more than the {self.file.limits.memory_mb:,} MB of "
                f"memory it may use. Use a smaller {kind}."
            )
        trained = " and that the model was trained on columns like these" if kind == "model" else ""
        return GLocalXError(
            f"The {kind} “{name}” fails ({error}: {said}). Check that the file is whole{trained}."
        )


class _WarmProcessGoneError(GLocalXError):
    """The child was not to blame: it died with the warm process."""


def read_confined(file: HandedFile) -> Message:
    """Have a file read by a child that ends with that; what it tells."""
    reader = ConfinedFile(file)
    try:
        return reader._begun()[1]
    except _WarmProcessGoneError:
        return reader._begun()[1]
    finally:
        reader.close()


def _object(given: object) -> dict[str, Any]:
    return given if isinstance(given, dict) else {}
