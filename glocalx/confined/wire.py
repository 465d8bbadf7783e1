"""Messages between the server and a child process: JSON and plain arrays, never pickles.

A message is a header and named arrays. On the pipe: the length of the header, the header as
JSON, then the bytes of each array. The other side is not trusted: kinds and sizes are checked
before anything is made of the bytes.
"""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

_LENGTH = struct.Struct("<Q")
_MOST_HEADER = 64 * 2**20
_MOST_ARRAY = 4 * 2**30
_KINDS = {"<f4", "<f8", "<i4", "<i8", "|i1", "|u1", "|b1", "<i2"}


class BrokenWireError(Exception):
    """The other side is gone, or does not keep to the format."""


@dataclass(frozen=True, slots=True, eq=False)
class Texts:
    """Texts as a place for each record in a list of distinct ones; −1 where it is missing."""

    codes: npt.NDArray[np.int32]
    distinct: tuple[str, ...]

    @classmethod
    def of(cls, values: npt.NDArray[Any]) -> Texts:
        """Examples
        --------
        >>> Texts.of(np.array(["b", "a", "b"], dtype=object)).distinct
        ('a', 'b')
        """
        distinct, codes = np.unique(values.astype(str), return_inverse=True)
        return cls(codes.reshape(values.shape).astype(np.int32), tuple(map(str, distinct)))

    def expanded(self) -> npt.NDArray[np.object_]:
        return np.array([*self.distinct, None], dtype=object)[self.codes]


Arrays = Mapping[str, npt.NDArray[Any] | Texts]


@dataclass(frozen=True, slots=True, eq=False)
class Message:
    """What is said, and the arrays that go with it."""

    header: dict[str, Any]
    arrays: Arrays


def send(stream: BinaryIO, message: Message) -> None:
    """Write a message and push it out."""
    described, contents = [], []
    for name, array in message.arrays.items():
        codes = array.codes if isinstance(array, Texts) else array
        content = np.ascontiguousarray(codes)
        described.append(
            {
                "name": name,
                "kind": content.dtype.str,
                "shape": list(content.shape),
                "texts": list(array.distinct) if isinstance(array, Texts) else None,
            }
        )
        contents.append(content)
    header = json.dumps({"header": message.header, "arrays": described}).encode()
    stream.write(_LENGTH.pack(len(header)))
    stream.write(header)
    for content in contents:
        stream.write(content.reshape(-1).view(np.uint8).data)
    stream.flush()


def receive(stream: BinaryIO) -> Message:
    """Read one message; :class:`BrokenWireError` at the end of the stream."""
    (length,) = _LENGTH.unpack(_exactly(stream, _LENGTH.size))
    if length > _MOST_HEADER:
        raise BrokenWireError(f"a header of {length:,} bytes")
    try:
        said = json.loads(_exactly(stream, length))
        arrays = {str(about["name"]): _array(stream, about) for about in said["arrays"]}
        return Message(dict(said["header"]), arrays)
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise BrokenWireError(f"a malformed message: {error}") from error


def plain_array(array: npt.NDArray[Any] | Texts) -> npt.NDArray[Any]:
    """Texts as an array of them; numbers as they are."""
    return array.expanded() if isinstance(array, Texts) else array


def _array(stream: BinaryIO, about: dict[str, Any]) -> npt.NDArray[Any] | Texts:
    if about["kind"] not in _KINDS:
        raise BrokenWireError(f"an array of kind {about['kind']}")
    kind = np.dtype(about["kind"])
    shape = tuple(int(size) for size in about["shape"])
    length = math.prod(shape) * kind.itemsize
    if min(shape, default=0) < 0 or length > _MOST_ARRAY:
        raise BrokenWireError(f"an array of shape {shape}")
    values = np.frombuffer(_exactly(stream, length), dtype=kind).reshape(shape)
    if about["texts"] is None:
        return values
    texts = tuple(map(str, about["texts"]))
    if values.size and not (values.min() >= -1 and values.max() < len(texts)):
        raise BrokenWireError("a text that is not in the list")
    return Texts(values.astype(np.int32), texts)


def _exactly(stream: BinaryIO, length: int) -> bytes:
    content = stream.read(length) if length else b""
    if len(content) != length:
        raise BrokenWireError("the other side has closed the pipe")
    return content
