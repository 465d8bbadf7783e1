"""What runs in a child process: it fences itself in, reads one file, and answers questions.

It is forked by :mod:`glocalx.confined.fork_server` in an empty folder of its own. The file comes
with the first message, and the child ends with its questions, or after the first answer where
there is nothing more to ask. How a kind of file is read is said by a loader, a function named as
`module:function`; whatever it raises goes back as plain words.
"""

from __future__ import annotations

import io
import os
import signal
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, BinaryIO, TypeAlias

import numpy as np

from glocalx.confined.fence import come_last, die_with, enclose
from glocalx.confined.wire import Arrays, BrokenWireError, Message, receive, send
from glocalx.errors import GLocalXError

Answer: TypeAlias = Callable[[str, Arrays], Arrays]
_MOST_SAID = 300  # characters of what a library says


@dataclass(frozen=True, slots=True, eq=False)
class Loaded:
    """What was read.

    Parameters
    ----------
    about, arrays
        What is told of it at once.
    answer
        Answers a question with arrays; None where nothing more can be asked.
    """

    about: dict[str, Any]
    arrays: Arrays = field(default_factory=dict)
    answer: Answer | None = None


Loader: TypeAlias = Callable[[bytes, dict[str, Any]], Loaded]


def find_loader(name: str) -> Loader:
    """The function that is named as `module:function`."""
    module, _, function = name.partition(":")
    loader: Loader = getattr(import_module(module), function)
    return loader


def live(pipes: tuple[int, int], folder: str, parent: int, task: dict[str, Any]) -> None:
    """From here on this process is a child: read what is handed over, answer, and end."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    die_with(parent)
    come_last()
    questions, answers = _only(pipes)
    os.chdir(folder)  # empty; a home and temporary files are looked for nowhere else
    os.environ.update(HOME=folder, TMPDIR=folder)
    tempfile.tempdir = folder
    try:
        _tell(questions, answers, task)
    except (BrokenWireError, OSError):
        return


def _tell(questions: BinaryIO, answers: BinaryIO, task: dict[str, Any]) -> None:
    try:
        loader = find_loader(str(task["loader"]))
        enclose(int(task["memory_mb"]))
        first = receive(questions)
        content = first.arrays["content"]
        assert isinstance(content, np.ndarray)
        loaded = loader(content.tobytes(), first.header["options"])
    except BrokenWireError:
        raise
    except BaseException as error:
        send(answers, Message(_failure(error), {}))
        return
    send(answers, Message({"about": loaded.about}, loaded.arrays))
    while loaded.answer is not None:
        asked = receive(questions)
        try:
            reply = Message({}, loaded.answer(str(asked.header["question"]), asked.arrays))
        except BaseException as error:
            reply = Message(_failure(error), {})
        send(answers, reply)


def _failure(error: BaseException) -> dict[str, Any]:
    ours = error if isinstance(error, GLocalXError) else None
    lines = str(error).strip().splitlines() or [""]
    return {
        "error": type(error).__name__,
        "said": str(error)[:20_000] if ours else lines[0][:_MOST_SAID],
        "for_people": ours is not None,
        "carried": vars(ours) if ours else {},  # such as which columns are open
    }


def _only(pipes: tuple[int, int]) -> tuple[BinaryIO, BinaryIO]:
    """The pipes to the server and nothing else that is open; what a model prints goes nowhere."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for place, opened in enumerate((nowhere, nowhere, nowhere, *pipes)):
        os.dup2(opened, place + 100)  # first out of each other's way
    for place in range(5):
        os.dup2(place + 100, place)
    os.closerange(5, os.sysconf("SC_OPEN_MAX"))
    sys.stdin = io.StringIO()
    return os.fdopen(3, "rb"), os.fdopen(4, "wb")
