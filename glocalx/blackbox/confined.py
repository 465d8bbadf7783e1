"""A child process that holds one model, seen from the server.

The child lives in an empty temporary folder, under limits on memory and time, and is spoken to
in JSON and plain arrays. If it crashes or takes too long that is a sentence for the user; the
next question starts a new one.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tempfile
import threading
import weakref
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, cast

import numpy as np

from glocalx.blackbox.columns import OpenColumnsError
from glocalx.blackbox.wire import Arrays, BrokenWireError, Message, receive, send
from glocalx.errors import GLocalXError

_PACKAGE = str(Path(__file__).resolve().parents[1])

# The package is set up bare: what its own __init__ imports would cost every child seconds.
_START = """
import json, sys, types
sys.path[:] = json.loads(sys.argv[1])
package = types.ModuleType("glocalx")
package.__path__ = [sys.argv[2]]
sys.modules["glocalx"] = package
from glocalx.blackbox.child import main
main()
"""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a stranger's model may use.

    Memory counts all address space of the child process, of which Python and the libraries take
    some 700 MB. It is not enforced on systems that cannot (Windows).
    """

    memory_mb: int = 4096
    load_seconds: float = 60.0
    ask_seconds: float = 300.0
    threads: int = 1


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """What a child process should hold: a checked file and how to load it."""

    name: str
    format: str
    content: bytes = field(repr=False)
    options: dict[str, Any]
    limits: Limits


class ConfinedModel:
    """Asks the child, and starts it when it is first needed or has died.

    It can be sent to another process, where it starts a child of its own. Threads take
    turns.
    """

    def __init__(self, file: CheckedFile) -> None:
        self.file = file
        self.about: dict[str, Any] = {}
        self._lock = threading.Lock()
        self._child: _Child | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return ConfinedModel, (self.file,)

    def start(self) -> dict[str, Any]:
        """Load the model now; what it tells about itself."""
        with self._lock:
            self._running()
            return self.about

    def ask(self, question: str, arrays: Arrays) -> Arrays:
        """One question, one answer."""
        with self._lock:
            child = self._running()
            message = Message({"question": question}, arrays)
            return self._exchange(child, message, self.file.limits.ask_seconds).arrays

    def close(self) -> None:
        """End the child. A later question starts a new one."""
        with self._lock:
            self._drop()

    @property
    def process_id(self) -> int | None:
        return self._child.process.pid if self._child else None

    def _running(self) -> _Child:
        if self._child is not None and self._child.process.poll() is None:
            return self._child
        self._drop()
        self._child = _Child(self.file.limits.threads)
        file = self.file
        first = Message(
            {"format": file.format, "options": file.options, "memory_mb": file.limits.memory_mb},
            {"content": np.frombuffer(file.content, dtype=np.uint8)},
        )
        reply = self._exchange(self._child, first, file.limits.load_seconds)
        self.about = dict(reply.header["about"])
        return self._child

    def _exchange(self, child: _Child, message: Message, seconds: float) -> Message:
        try:
            with child.killed_after(seconds) as late:
                send(child.questions, message)
                reply = receive(child.answers)
        except (BrokenWireError, OSError):
            self._drop()
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
        if late:
            return (
                f"The model “{self.file.name}” did not answer within {seconds:,.0f} seconds and "
                "was stopped. Use a smaller model, or fewer records."
            )
        return (
            f"The model “{self.file.name}” crashed: its process ended without an answer. The "
            f"file may be damaged, or need more than {self.file.limits.memory_mb:,} MB of memory."
        )

    def _failed(self, failure: dict[str, Any]) -> GLocalXError:
        text = self._failed_text(failure)
        asked = failure.get("open")
        return OpenColumnsError(text, **asked) if asked else GLocalXError(text)

    def _failed_text(self, failure: dict[str, Any]) -> str:
        error, said = str(failure["error"]), str(failure["said"])
        if failure.get("for_people"):
            return said
        if error == "MemoryError" or "bad_alloc" in said or "allocate memory" in said:
            return (
                f"The model “{self.file.name}” needs more than the "
                f"{self.file.limits.memory_mb:,} MB of memory it may use. Use a smaller model."
            )
        return (
            f"The model “{self.file.name}” fails ({error}: {said}). Check that the file is whole "
            "and that the model was trained on columns like these."
        )


class _Child:
    """The process, its pipes and its empty folder; all gone when this object is."""

    def __init__(self, threads: int) -> None:
        folder = tempfile.TemporaryDirectory(prefix="glocalx-model-", ignore_cleanup_errors=True)
        path = json.dumps([os.path.abspath(entry) for entry in sys.path])
        self.process = subprocess.Popen(
            [sys.executable, "-I", "-B", "-c", _START, path, _PACKAGE],
            cwd=folder.name,
            env=_environment(threads, folder.name),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self.questions = cast(BinaryIO, self.process.stdin)
        self.answers = cast(BinaryIO, self.process.stdout)
        self.end = weakref.finalize(self, _end, self.process, folder)

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


def _environment(threads: int, folder: str) -> dict[str, str]:
    """As little as the child needs, no more threads than allowed, and no reports to anyone.

    Without the switches the published builds of onnxruntime (seen with 1.31) keep an identifier
    of the machine and send usage data to their maker. They must be set before the import.
    """
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
    counts = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
    return {
        **kept,
        **dict.fromkeys(counts, str(threads)),
        **dict.fromkeys(("ORT_DISABLE_TELEMETRY", "ORT_TELEMETRY_DISABLED"), "1"),
        "HOME": folder,
        "TMPDIR": folder,
    }


def _end(process: subprocess.Popen[bytes], folder: tempfile.TemporaryDirectory[str]) -> None:
    process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            with contextlib.suppress(OSError):
                stream.close()
    folder.cleanup()
