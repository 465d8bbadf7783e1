"""One child for many damaged files: the same fence, the same loaders, without a fork for each.

A fork costs more than reading such a small file. What a file does to a child that read others
before it proves nothing against the file: whatever is neither read nor refused is tried again in
a child of its own, see :mod:`tests.fuzz.outcomes`.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Iterator
from typing import Any, BinaryIO, ClassVar
from unittest import mock

from glocalx.blackbox import onnx_loader, recognition, skops_loader
from glocalx.confined import handed_file
from glocalx.confined.child import Loaded, _failure, _reply, find_loader
from glocalx.confined.children import ChildProcess
from glocalx.confined.wire import Message, receive, send
from glocalx.files import confined_rules
from glocalx.table import confined_table
from glocalx.workspace import run_file

IMPORTED = (onnx_loader, recognition, skops_loader, confined_rules, confined_table, run_file)
FILES = 250  # and then a new child
SECONDS = 30.0
_LOADER = f"{__name__}:stay"


def stay(content: bytes, options: dict[str, Any]) -> Loaded:
    """In the child: read one file after the other, each as if it were the only one."""
    questions, answers = os.fdopen(3, "rb", closefd=False), os.fdopen(4, "wb", closefd=False)
    send(answers, Message({}, {}))
    loaded = Loaded({})
    while True:
        message = receive(questions)
        if "loader" in message.header:
            loaded = Loaded({})
            loaded = _read(answers, find_loader(message.header["loader"]), receive(questions))
        else:
            assert loaded.answer is not None
            _reply(loaded.answer, message, answers)


def _read(answers: BinaryIO, loader: Any, first: Message) -> Loaded:
    try:
        content: Any = first.arrays["content"]
        loaded: Loaded = loader(content.tobytes(), first.header["options"])
    except BaseException as error:
        send(answers, Message(_failure(error), {}))
        return Loaded({})
    send(answers, Message({"about": loaded.about}, loaded.arrays))
    return loaded


class SharedChild:
    """What stands for :class:`ChildProcess`: the next file of one that stays."""

    staying: ClassVar[dict[int, tuple[ChildProcess, int]]] = {}

    def __init__(self, loader: str, memory_mb: int) -> None:
        child, read = self.staying.pop(memory_mb, (None, 0))
        if child is None or not child.alive or read >= FILES:
            if child is not None:
                child.end()
            child, read = _started(memory_mb), 0
        self.staying[memory_mb] = child, read + 1
        self._child, self.ended = child, False
        self.questions, self.answers = child.questions, child.answers
        self.process_id, self.orphaned = child.process_id, False
        send(self.questions, Message({"loader": loader}, {}))

    @property
    def alive(self) -> bool:
        return self._child.alive and not self.ended

    def end(self) -> None:
        self.ended = True

    @contextlib.contextmanager
    def killed_after(self, seconds: float) -> Iterator[threading.Event]:
        with self._child.killed_after(min(seconds, SECONDS)) as late:
            yield late


def _started(memory_mb: int) -> ChildProcess:
    child = ChildProcess(_LOADER, memory_mb)
    content: Any = handed_file.np.zeros(0, dtype="u1")
    send(child.questions, Message({"options": {}}, {"content": content}))
    receive(child.answers)
    return child


@contextlib.contextmanager
def children_shared() -> Iterator[None]:
    """Within, files go to a child that stays."""
    with mock.patch.object(handed_file, "ChildProcess", SharedChild):
        yield
