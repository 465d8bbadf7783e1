"""In the child process: an ONNX file is loaded and asked."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import onnxruntime  # type: ignore[import-untyped]

from glocalx.blackbox.onnx_check import check_onnx
from glocalx.blackbox.onnx_graph import OnnxGraph, read_graph
from glocalx.confined.child import Loaded
from glocalx.confined.wire import Arrays, Texts, plain_array
from glocalx.errors import GLocalXError


def load_onnx(content: bytes, options: dict[str, Any]) -> Loaded:
    """Checks the file and runs its graph: arrays by input name in, arrays by output name out."""
    graph = _checked(content, str(options["name"]))
    onnxruntime.disable_telemetry_events()  # Windows; elsewhere the environment has said so
    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = settings.inter_op_num_threads = 1
    settings.log_severity_level = 4
    settings.add_session_config_entry("session.load_model_format", "ONNX")
    session = onnxruntime.InferenceSession(
        graph.content, settings, providers=["CPUExecutionProvider"]
    )
    outputs = [output for output in (graph.label, graph.scores) if output is not None]

    def answer(question: str, arrays: Arrays) -> Arrays:
        found = session.run(outputs, {name: plain_array(array) for name, array in arrays.items()})
        return {
            name: Texts.of(value) if value.dtype.kind in "OUS" else value
            for name, value in zip(outputs, map(np.asarray, found), strict=True)
        }

    return Loaded(graph.told(), answer=answer)


def _checked(content: bytes, name: str) -> OnnxGraph:
    try:
        graph = read_graph(check_onnx(content, name), name)
        json.dumps(graph.told(), ensure_ascii=False).encode()
    except GLocalXError:
        raise
    except (TypeError, UnicodeError):  # what protobuf makes of names that are no text
        raise GLocalXError(
            f"The file “{name}” is damaged: it holds names that are no text. Export it again."
        ) from None
    return graph
