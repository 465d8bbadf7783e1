"""What must be true of an ONNX file before anything runs it.

A graph is data, but a runtime can be made to read files beside it, to call operators that a
stranger brought, or to expand functions without end. All of that is refused here, on the parsed
file, and only what was parsed here is handed on.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TypeVar

import onnx
from google.protobuf.message import DecodeError, Message  # type: ignore[import-untyped]

from glocalx.errors import GLocalXError
from glocalx.words.phrases import listing

T = TypeVar("T", bound=Message)

OWN_DOMAINS = frozenset({"", "ai.onnx", "ai.onnx.ml"})
MOST_BYTES = 512 * 2**20
MOST_NODES = 50_000
MOST_VALUES = 2**28


def check_onnx(data: bytes, name: str) -> onnx.ModelProto:
    """The parsed file, if it holds nothing but a graph of well-known operators.

    Raises
    ------
    GLocalXError
        Where the file is damaged or too large, keeps data in other files, brings operators or
        functions of its own, or was saved for further training.
    """
    if len(data) > MOST_BYTES:
        raise GLocalXError(
            f"The file “{name}” has {len(data) / 2**20:,.0f} MB; models of up to "
            f"{MOST_BYTES / 2**20:,.0f} MB are opened. Use a smaller model."
        )
    model = _parsed(data, name)
    _refuse_functions(model, name)
    _refuse_foreign_operators(list(_parts(model.graph, onnx.NodeProto)), name)
    _refuse_bad_tensors(_parts(model.graph, onnx.TensorProto), name)
    return model


def _parsed(data: bytes, name: str) -> onnx.ModelProto:
    broken = GLocalXError(
        f"The file “{name}” is not a whole ONNX file: it may be cut off or of another kind. "
        "Export or copy it again."
    )
    try:
        model: onnx.ModelProto = onnx.ModelProto.FromString(data)
    except DecodeError:
        raise broken from None
    if not (model.opset_import and model.graph.node and model.graph.output):
        raise broken
    model.DiscardUnknownFields()
    del model.metadata_props[:]  # a runtime can be told to take settings from there
    return model


def _parts(message: Message, kind: type[T]) -> Iterator[T]:
    """All parts of this kind, wherever they are nested: in attributes, graphs, sparse arrays."""
    for field, value in message.ListFields():
        if field.message_type is not None:
            for part in value if field.is_repeated else (value,):
                if isinstance(part, kind):
                    yield part
                yield from _parts(part, kind)


def _refuse_functions(model: onnx.ModelProto, name: str) -> None:
    if model.functions:
        raise GLocalXError(
            f"The file “{name}” brings functions of its own "
            f"({listing(function.name for function in model.functions)}), which are not run. "
            "Export the model with plain ONNX operators."
        )
    if model.training_info:
        raise GLocalXError(
            f"The file “{name}” was saved for further training. Export the model for use only."
        )


def _refuse_foreign_operators(nodes: list[onnx.NodeProto], name: str) -> None:
    if len(nodes) > MOST_NODES:
        raise GLocalXError(
            f"The file “{name}” has {len(nodes):,} operators; up to {MOST_NODES:,} are run. "
            "Use a smaller model."
        )
    foreign = sorted({f"{n.domain}:{n.op_type}" for n in nodes if n.domain not in OWN_DOMAINS})
    if foreign:
        raise GLocalXError(
            f"The file “{name}” asks for the operator {listing(foreign)}, which is not part of "
            "ONNX and is not run. Export the model with plain ONNX operators."
        )


def _refuse_bad_tensors(tensors: Iterator[onnx.TensorProto], name: str) -> None:
    for tensor in tensors:
        if tensor.external_data or tensor.data_location != onnx.TensorProto.DEFAULT:
            raise GLocalXError(
                f"The file “{name}” keeps “{tensor.name}” in another file, which is not read. "
                "Export the model into a single file."
            )
        if min(tensor.dims, default=0) < 0 or math.prod(tensor.dims) > MOST_VALUES:
            raise GLocalXError(
                f"The file “{name}” holds an array “{tensor.name}” of the shape "
                f"{tuple(tensor.dims)}; up to {MOST_VALUES:,} values are read. "
                "Use a smaller model."
            )
