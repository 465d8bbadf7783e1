"""In the child process: an ONNX file is loaded and asked."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnxruntime  # type: ignore[import-untyped]

from glocalx.confined.child import Loaded
from glocalx.confined.wire import Arrays, Texts, plain_array


def load_onnx(content: bytes, options: dict[str, Any]) -> Loaded:
    """Runs the graph: arrays by input name in, arrays by output name out."""
    onnxruntime.disable_telemetry_events()  # Windows; elsewhere the environment has said so
    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = settings.inter_op_num_threads = 1
    settings.log_severity_level = 4
    settings.add_session_config_entry("session.load_model_format", "ONNX")
    session = onnxruntime.InferenceSession(content, settings, providers=["CPUExecutionProvider"])
    outputs = list(options["outputs"])

    def answer(question: str, arrays: Arrays) -> Arrays:
        found = session.run(outputs, {name: plain_array(array) for name, array in arrays.items()})
        return {
            name: Texts.of(value) if value.dtype.kind in "OUS" else value
            for name, value in zip(outputs, map(np.asarray, found), strict=True)
        }

    return Loaded({}, answer=answer)
