"""Which kind of model file it is, by its content; runs in the child process."""

from __future__ import annotations

import pickletools
from typing import Any

import onnx
from google.protobuf.message import DecodeError  # type: ignore[import-untyped]

from glocalx.blackbox.onnx_check import MOST_BYTES
from glocalx.confined.child import Loaded
from glocalx.errors import GLocalXError
from glocalx.file_bytes import zip_names

_PACKED = (
    *(b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"\x5d\x00\x00"),
    *(b"x\x01", b"x\x5e", b"x\x9c", b"x\xda"),
)
_OTHERS = {
    b"\x89HDF": "a Keras model in HDF5",
    b"ORTM": "a model in the format of one runtime",
    b"{": "JSON, perhaps an XGBoost model",
    b"tree\n": "a LightGBM model in its own text format",
    b"<?xml": "XML, perhaps PMML",
}


def kind_of(name: str, data: bytes) -> str:
    """Which kind of model file this is; one that cannot be opened is refused with a sentence."""
    if not data:
        raise GLocalXError(f"The file “{name}” is empty. Save or copy the model again.")
    if data.startswith(b"PK"):
        return _recognise_zip(name, data)
    if _is_pickle(data):
        return "pickle"
    if _is_onnx(data):
        return "onnx"
    raise GLocalXError(
        f"The file “{name}” is {_kind_text(name, data)}. Export the model to ONNX, or save it "
        "with skops."
    )


def load_kind(content: bytes, options: dict[str, Any]) -> Loaded:
    """Tells the kind, and nothing else."""
    return Loaded({"kind": kind_of(str(options["name"]), content)})


def _recognise_zip(name: str, data: bytes) -> str:
    members = zip_names(data)
    if not members or "schema.json" in members:
        return "skops"  # with no members cut off; its own check says so
    if any(member.endswith(("data.pkl", ".pickle", ".pkl")) for member in members):
        raise GLocalXError(
            f"The file “{name}” is a PyTorch file or another bundle of pickles, and a pickle is a "
            "program that could do anything on this machine. Export the model to ONNX."
        )
    raise GLocalXError(
        f"The file “{name}” is a zip file, but not one that skops made. Export the model to ONNX, "
        "or save it with skops."
    )


def _is_pickle(data: bytes) -> bool:
    """A pickle of any protocol, also packed as joblib does; its opcodes are read, not run."""
    if data[0] == 0x80 or data.startswith(_PACKED):
        return True
    try:
        for count, (opcode, _, _) in enumerate(pickletools.genops(data)):
            if opcode.name == "STOP" or count >= 20:
                return count > 0
    except Exception:  # not opcodes
        return False
    return False


def _is_onnx(data: bytes) -> bool:
    """True also for a file that is cut off or too large: its own check says so."""
    if len(data) > MOST_BYTES:
        return data[0] == 0x08
    try:
        model = onnx.ModelProto.FromString(data)
    except DecodeError:
        return data[0] == 0x08  # the field with which exporters begin: the version
    return bool(model.graph.node or model.opset_import)


def _kind_text(name: str, data: bytes) -> str:
    for start, kind in _OTHERS.items():
        if data.startswith(start) or data[4:].startswith(start):
            return f"{kind}, which cannot be opened"
    return "not a model file that can be opened"
