"""In the child process: a checked ONNX file is read, loaded and asked.

Two changes make a graph better to ask. Probabilities as a list of dictionaries (ZipMap) become the
matrix they were made from, which is many times faster to read. Trees in the manner of XGBoost
(`x < threshold`, in 32 bits) get their numbers in 32 bits even where the graph computes in 64:
XGBoost itself rounds first, its thresholds are values of the data, and one that is missed by a
rounding error sends a record the other way. On Adult with scaled numbers that moved the agreement
from 0.960 to 1.000.
"""

from __future__ import annotations

import itertools
import json
from collections import deque
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import onnx
import onnxruntime  # type: ignore[import-untyped]
from onnx import TensorProto, helper, numpy_helper

from glocalx.blackbox.onnx_check import check_onnx
from glocalx.blackbox.onnx_facts import OnnxFacts, OnnxInput
from glocalx.confined.child import Loaded
from glocalx.confined.wire import Arrays, Texts, plain_array
from glocalx.errors import GLocalXError

_NUMBER_TYPES = (
    *(TensorProto.FLOAT, TensorProto.DOUBLE, TensorProto.BOOL, TensorProto.UINT8),
    *(TensorProto.INT64, TensorProto.INT32, TensorProto.INT16, TensorProto.INT8),
)
_LABEL_TYPES = (TensorProto.INT64, TensorProto.INT32, TensorProto.STRING)
_SCORE_TYPES = (TensorProto.FLOAT, TensorProto.DOUBLE)


@dataclass(frozen=True, slots=True)
class OnnxGraph(OnnxFacts):
    """The facts of a graph, and the graph as it is run."""

    content: bytes = b""

    def told(self) -> dict[str, Any]:
        """The facts, as JSON has them."""
        facts = asdict(self)
        del facts["content"]
        for each in facts["inputs"]:
            each["kind"] = None if each["kind"] is None else each["kind"].str
        return facts


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


def read_graph(model: onnx.ModelProto, name: str) -> OnnxGraph:
    """Read a checked model; `model` is changed."""
    told = _without_zipmap(model.graph)
    _round_like_xgboost(model.graph)
    labels = (v for v in model.graph.output if v.type.tensor_type.elem_type in _LABEL_TYPES)
    label = next(labels, None)
    classes = told or _classes(model.graph, label)
    scores = _scores_output(model.graph, classes)
    if label is None and scores is None:
        raise GLocalXError(
            f"The model “{name}” gives neither a label nor a probability for each class. "
            "Export a classifier."
        )
    width = _width(scores) if scores is not None and not _is_text(label) else None
    constants = {tensor.name for tensor in model.graph.initializer}
    return OnnxGraph(
        content=model.SerializeToString(),
        inputs=tuple(
            _input(each, name) for each in model.graph.input if each.name not in constants
        ),
        label=label.name if label else None,
        scores=scores.name if scores else None,
        classes=classes,
        numbered=tuple(map(str, range(max(width, 2)))) if width else None,
        missing_text=_missing_text(model.graph),
    )


def _missing_text(graph: onnx.GraphProto) -> str:
    """What the encoders in the graph were fitted on where a text was missing.

    The exporter of scikit-learn writes a category NaN as “nan” and None as “None”, and has an
    imputer of texts only for empty ones. An empty text is also what an encoder that knows of no
    gaps takes for a category that it has not seen.
    """
    known = {text for node in graph.node for each in node.attribute for text in each.strings}
    known |= {text for node in graph.node for each in node.attribute for text in each.t.string_data}
    known |= {text for tensor in graph.initializer for text in tensor.string_data}
    return next((text for text in ("", "nan", "None") if text.encode() in known), "")


def _without_zipmap(graph: onnx.GraphProto) -> tuple[str, ...] | None:
    """Give out what goes into a ZipMap instead of what comes out; the classes it names."""
    outputs = {value.name: place for place, value in enumerate(graph.output)}
    classes = None
    for node in [node for node in graph.node if node.op_type == "ZipMap"]:
        if node.output[0] not in outputs:
            continue
        classes = _class_attribute(node)
        place = outputs[node.output[0]]
        matrix = helper.make_tensor_value_info(node.input[0], TensorProto.FLOAT, [None, None])
        graph.output[place].CopyFrom(matrix)
        graph.node.remove(node)
    return classes


def _round_like_xgboost(graph: onnx.GraphProto) -> None:
    fresh = (f"glocalx_rounded_{number}" for number in itertools.count())
    for place in reversed(range(len(graph.node))):
        node = graph.node[place]
        attributes = {attribute.name: attribute for attribute in node.attribute}
        if node.op_type not in ("TreeEnsembleClassifier", "TreeEnsembleRegressor"):
            continue
        if "nodes_values_as_tensor" in attributes or "nodes_modes" not in attributes:
            continue
        if b"BRANCH_LT" not in attributes["nodes_modes"].strings:
            continue
        rounded = next(fresh)
        cast = helper.make_node("Cast", [node.input[0]], [rounded], to=TensorProto.FLOAT)
        node.input[0] = rounded
        graph.node.insert(place, cast)


def _input(value: onnx.ValueInfoProto, model: str) -> OnnxInput:
    tensor = value.type.tensor_type
    kind = tensor.elem_type
    if kind != TensorProto.STRING and kind not in _NUMBER_TYPES:
        raise GLocalXError(
            f"The model “{model}” takes something else than numbers or text in “{value.name}”. "
            "Export it with one input for each column, or one matrix."
        )
    dims = [dim.dim_value for dim in tensor.shape.dim]
    if len(dims) > 2:
        raise GLocalXError(
            f"The model “{model}” takes an array of {len(dims)} dimensions in “{value.name}”, "
            "not rows of a table. Use a model for tables."
        )
    if dims and dims[0]:
        raise GLocalXError(
            f"The model “{model}” takes exactly {dims[0]:,} records at a time. Export it again "
            "with a variable number of records."
        )
    rank = len(dims) or 2
    width = 1 if rank == 1 else (dims[1] or None) if dims else None
    number = None if kind == TensorProto.STRING else helper.tensor_dtype_to_np_dtype(kind)
    return OnnxInput(value.name, number, width, rank)


def _scores_output(
    graph: onnx.GraphProto, classes: tuple[str, ...] | None
) -> onnx.ValueInfoProto | None:
    """The output with a number for each class, or else the only one with numbers."""
    found = [v for v in graph.output if v.type.tensor_type.elem_type in _SCORE_TYPES]
    wide = [v for v in found if classes is None or _width(v) in (None, len(classes))]
    return wide[0] if wide else found[0] if len(found) == 1 else None


def _width(value: onnx.ValueInfoProto) -> int | None:
    dims = value.type.tensor_type.shape.dim
    if len(dims) == 1:
        return 1
    return (dims[1].dim_value or None) if len(dims) == 2 else None


def _is_text(value: onnx.ValueInfoProto | None) -> bool:
    return value is not None and value.type.tensor_type.elem_type == TensorProto.STRING


def _classes(graph: onnx.GraphProto, label: onnx.ValueInfoProto | None) -> tuple[str, ...] | None:
    """The classes named nearest to the label: models inside the model have their own."""
    if label is None:
        return None
    kind = str if _is_text(label) else int
    makers = {output: node for node in graph.node for output in node.output}
    constants = {tensor.name: tensor for tensor in graph.initializer}
    waiting, seen = deque([label.name]), {label.name}
    while waiting:
        value = waiting.popleft()
        if value in makers:
            classes = _class_attribute(makers[value], kind)
            new = [name for name in makers[value].input if name not in seen]
        else:
            classes = _class_constant(constants[value], kind) if value in constants else None
            new = []
        if classes:
            return classes
        waiting.extend(new)
        seen.update(new)
    return None


def _class_attribute(node: onnx.NodeProto, kind: type | None = None) -> tuple[str, ...] | None:
    for attribute in node.attribute:
        if attribute.name.startswith("classlabels"):
            if attribute.strings and kind in (None, str):
                return tuple(text.decode("utf-8", "replace") for text in attribute.strings)
            if attribute.ints and kind in (None, int):
                return tuple(map(str, attribute.ints))
    return None


def _class_constant(tensor: onnx.TensorProto, kind: type) -> tuple[str, ...] | None:
    """Exporters keep the classes of most other models in a list with such a name."""
    kinds = (TensorProto.STRING,) if kind is str else (TensorProto.INT64, TensorProto.INT32)
    if "class" not in tensor.name or tensor.data_type not in kinds or len(tensor.dims) != 1:
        return None
    values = numpy_helper.to_array(tensor)
    return tuple(v.decode() if isinstance(v, bytes) else str(v) for v in values)
