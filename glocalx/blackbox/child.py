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
from typing import Any, BinaryIO, TypeAlias

import numpy as np

from glocalx.blackbox.wire import Arrays, BrokenWireError, Message, Texts, receive, send
from glocalx.errors import GLocalXError

Answer: TypeAlias = Callable[[str, Arrays], Arrays]
Loaded: TypeAlias = tuple[dict[str, Any], Answer]
"""What a loaded model tells about itself, and how it answers a question."""


def _onnx(content: bytes, options: dict[str, Any]) -> Loaded:
    """Runs the graph: arrays by input name in, arrays by output name out."""
    import onnxruntime  # type: ignore[import-untyped]

    onnxruntime.disable_telemetry_events()  # Windows; elsewhere the environment has said so
    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = int(options["threads"])
    settings.inter_op_num_threads = 1
    settings.log_severity_level = 4
    settings.add_session_config_entry("session.load_model_format", "ONNX")
    session = onnxruntime.InferenceSession(content, settings, providers=["CPUExecutionProvider"])
    outputs = list(options["outputs"])

    def answer(question: str, arrays: Arrays) -> Arrays:
        found = session.run(outputs, {name: _plain(array) for name, array in arrays.items()})
        return {
            name: Texts.of(value) if value.dtype.kind in "OUS" else value
            for name, value in zip(outputs, map(np.asarray, found), strict=True)
        }

    return {}, answer


def _skops(content: bytes, options: dict[str, Any]) -> Loaded:
    """Loads an estimator with the types that were consented to; asks it as Python objects are."""
    import pandas as pd
    import skops.io

    from glocalx.blackbox.python_object import PythonBlackBox
    from glocalx.blackbox.skops_model import refuse_types
    from glocalx.rules.schema import Schema

    name, trusted = str(options["name"]), list(options["trusted"])
    refuse_types(skops.io.get_untrusted_types(data=content), trusted, name)
    model = skops.io.loads(content, trusted=trusted)
    _keep_to_one_process(model)
    schema = Schema.from_dict(options["schema"])
    columns, renamed = options["columns"], options["renamed"]
    box = PythonBlackBox(model, schema, columns=columns, renamed=renamed, name=name)

    def answer(question: str, arrays: Arrays) -> Arrays:
        frame = pd.DataFrame(
            {
                name: pd.Series(_plain(array), dtype="str" if isinstance(array, Texts) else None)
                for name, array in arrays.items()
            }
        )
        if question == "labels":
            return {"labels": Texts.of(box.labels(frame))}
        values = box.probabilities(frame)
        return {} if values is None else {"probabilities": values}

    return {
        "outcomes": list(box.outcomes),
        "columns": list(box.columns),
        "notes": list(box.notes),
        "probabilities": callable(getattr(model, "predict_proba", None)),
    }, answer


def _skops_types(content: bytes, options: dict[str, Any]) -> Loaded:
    """Only lists the types in a skops file that are not trusted as they are."""
    import skops.io

    types = sorted(skops.io.get_untrusted_types(data=content))
    return {"types": types}, lambda question, arrays: {}


_LOADERS: dict[str, Callable[[bytes, dict[str, Any]], Loaded]] = {
    "onnx": _onnx,
    "skops": _skops,
    "skops types": _skops_types,
}


def main() -> None:
    """Load what the first message holds, then answer until the input ends."""
    questions, answers = _own_pipes()
    try:
        first = receive(questions)
        answer = _loaded(first, answers)
        while answer is not None:
            _reply(answer, receive(questions), answers)
    except (BrokenWireError, OSError):
        return


def _loaded(first: Message, answers: BinaryIO) -> Answer | None:
    try:
        _limit(int(first.header["memory_mb"]))
        content = first.arrays["content"]
        assert isinstance(content, np.ndarray)
        loader = _LOADERS[first.header["format"]]
        about, answer = loader(content.tobytes(), first.header["options"])
    except BaseException as error:
        send(answers, Message(_failure(error), {}))
        return None
    send(answers, Message({"about": about}, {}))
    return answer


def _reply(answer: Answer, message: Message, answers: BinaryIO) -> None:
    try:
        reply = Message({}, answer(str(message.header["question"]), message.arrays))
    except BaseException as error:
        reply = Message(_failure(error), {})
    send(answers, reply)


def _failure(error: BaseException) -> dict[str, Any]:
    lines = str(error).strip().splitlines() or [""]
    ours = error if isinstance(error, GLocalXError) else None
    return {
        "error": type(error).__name__,
        "said": lines[0][: 20_000 if ours else 300],
        "for_people": ours is not None,
        "open": vars(ours) if ours else {},  # what an `OpenColumnsError` carries
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
