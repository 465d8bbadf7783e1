"""The child process in which a stranger's model is loaded and asked.

It is started by :mod:`glocalx.blackbox.confined` in an empty folder, limits itself before it
reads the model, and then answers one question after the other until its input ends. It knows
two kinds of files; what may be in them was checked by the server before.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable
from typing import Any, BinaryIO, Protocol

import numpy as np

from glocalx.blackbox.wire import Arrays, BrokenWireError, Message, Texts, receive, send
from glocalx.errors import GLocalXError


class Answering(Protocol):
    """A loaded model: what it tells about itself, and how it answers."""

    about: dict[str, Any]

    def answer(self, question: str, arrays: Arrays) -> Arrays: ...


class OnnxAnswering:
    """Runs the graph: arrays by input name in, arrays by output name out."""

    def __init__(self, content: bytes, options: dict[str, Any]) -> None:
        import onnxruntime  # type: ignore[import-untyped]

        onnxruntime.disable_telemetry_events()  # Windows; elsewhere the environment has said so
        settings = onnxruntime.SessionOptions()
        settings.intra_op_num_threads = int(options["threads"])
        settings.inter_op_num_threads = 1
        settings.log_severity_level = 4
        settings.add_session_config_entry("session.load_model_format", "ONNX")
        self._session = onnxruntime.InferenceSession(
            content, settings, providers=["CPUExecutionProvider"]
        )
        self._outputs = list(options["outputs"])
        self.about: dict[str, Any] = {}

    def answer(self, question: str, arrays: Arrays) -> Arrays:
        feeds = {name: _plain(array) for name, array in arrays.items()}
        found = self._session.run(self._outputs, feeds)
        return {
            name: Texts.of(value) if value.dtype.kind in "OUS" else value
            for name, value in zip(self._outputs, map(np.asarray, found), strict=True)
        }


class SkopsAnswering:
    """Loads an estimator with the types that were consented to; asks it as Python objects are."""

    def __init__(self, content: bytes, options: dict[str, Any]) -> None:
        import skops.io

        from glocalx.blackbox.python_object import PythonBlackBox
        from glocalx.blackbox.skops_model import refuse_types
        from glocalx.rules.schema import Schema

        name, trusted = str(options["name"]), list(options["trusted"])
        refuse_types(skops.io.get_untrusted_types(data=content), trusted, name)
        model = skops.io.loads(content, trusted=trusted)
        _keep_to_one_process(model)
        schema = Schema.from_dict(options["schema"])
        self._box = PythonBlackBox(model, schema, columns=options["columns"], name=name)
        self.about = {
            "outcomes": list(self._box.outcomes),
            "columns": list(self._box.columns),
            "probabilities": callable(getattr(model, "predict_proba", None)),
        }

    def answer(self, question: str, arrays: Arrays) -> Arrays:
        import pandas as pd

        frame = pd.DataFrame(
            {
                name: pd.Series(array.expanded(), dtype="str")
                if isinstance(array, Texts)
                else array
                for name, array in arrays.items()
            }
        )
        if question == "labels":
            return {"labels": Texts.of(self._box.labels(frame))}
        values = self._box.probabilities(frame)
        return {} if values is None else {"probabilities": values}


class SkopsTypes:
    """Only lists the types in a skops file that are not trusted as they are."""

    def __init__(self, content: bytes, options: dict[str, Any]) -> None:
        import skops.io

        self.about = {"types": sorted(skops.io.get_untrusted_types(data=content))}

    def answer(self, question: str, arrays: Arrays) -> Arrays:
        return {}


_LOADERS: dict[str, Callable[[bytes, dict[str, Any]], Answering]] = {
    "onnx": OnnxAnswering,
    "skops": SkopsAnswering,
    "skops types": SkopsTypes,
}


def main() -> None:
    """Load what the first message holds, then answer until the input ends."""
    questions, answers = _own_pipes()
    try:
        first = receive(questions)
        model = _loaded(first, answers)
        while model is not None:
            _reply(model, receive(questions), answers)
    except (BrokenWireError, OSError):
        return


def _loaded(first: Message, answers: BinaryIO) -> Answering | None:
    try:
        _limit(int(first.header["memory_mb"]))
        content = first.arrays["content"]
        assert isinstance(content, np.ndarray)
        loader = _LOADERS[first.header["format"]]
        model = loader(content.tobytes(), first.header["options"])
    except BaseException as error:
        send(answers, Message(_failure(error), {}))
        return None
    send(answers, Message({"about": model.about}, {}))
    return model


def _reply(model: Answering, message: Message, answers: BinaryIO) -> None:
    try:
        reply = Message({}, model.answer(str(message.header["question"]), message.arrays))
    except BaseException as error:
        reply = Message(_failure(error), {})
    send(answers, reply)


def _failure(error: BaseException) -> dict[str, Any]:
    lines = str(error).strip().splitlines() or [""]
    return {
        "error": type(error).__name__,
        "said": lines[0][: 20_000 if isinstance(error, GLocalXError) else 300],
        "for_people": isinstance(error, GLocalXError),
    }


def _own_pipes() -> tuple[BinaryIO, BinaryIO]:
    """The pipes to the server; what a model prints goes nowhere."""
    questions = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    sys.stdin = io.StringIO()
    return questions, answers


def _limit(memory_mb: int) -> None:
    """No more memory than this, no files written, no core dumps; where the system can."""
    try:
        import resource
    except ImportError:  # Windows: only the server's limits on time hold there
        return
    memory = memory_mb * 2**20
    for what, most in (
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(what, (most, most))


def _keep_to_one_process(model: Any) -> None:
    """A forest saved with `n_jobs=-1` must not start workers here."""
    if not hasattr(model, "get_params"):
        return
    jobs = [name for name in model.get_params(deep=True) if name.split("__")[-1] == "n_jobs"]
    model.set_params(**dict.fromkeys(jobs, 1))


def _plain(array: Any) -> Any:
    return array.expanded() if isinstance(array, Texts) else array
