import io
import json
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from glocalx.confined.wire import BrokenWireError, Message, Texts, receive, send

KINDS = st.sampled_from(["<f4", "<f8", "<i4", "<i8", "|b1", "|u1"])


def roundtrip(message: Message) -> Message:
    stream = io.BytesIO()
    send(stream, message)
    stream.seek(0)
    return receive(stream)


@given(KINDS.flatmap(lambda kind: hnp.arrays(kind, hnp.array_shapes(max_dims=2))))
def test_arrays_arrive_as_they_were_sent(values):
    arrived = roundtrip(Message({"a": 1}, {"x": values}))
    assert arrived.header == {"a": 1}
    assert arrived.arrays["x"].dtype == values.dtype
    np.testing.assert_array_equal(arrived.arrays["x"], values)


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))))
def test_texts_arrive_as_they_were_sent(texts):
    values = np.array(texts, dtype=object)
    assert roundtrip(Message({}, {"x": Texts.of(values)})).arrays["x"].expanded().tolist() == texts


@pytest.mark.parametrize("cut", [0, 4, 12, 40])
def test_a_cut_message(cut):
    stream = io.BytesIO()
    send(stream, Message({}, {"x": np.arange(100)}))
    with pytest.raises(BrokenWireError):
        receive(io.BytesIO(stream.getvalue()[:cut]))


@pytest.mark.parametrize(
    "about",
    [
        {"name": "x", "kind": "|O", "shape": [1], "texts": None},
        {"name": "x", "kind": "<f8", "shape": [2**40], "texts": None},
        {"name": "x", "kind": "<f8", "shape": [-1], "texts": None},
        {"name": "x", "kind": "|u1", "shape": [1], "texts": []},
        {"name": "x"},
        7,
    ],
)
def test_a_forged_message_is_refused(about):
    header = json.dumps({"header": {}, "arrays": [about]}).encode()
    with pytest.raises(BrokenWireError):
        receive(io.BytesIO(struct.pack("<Q", len(header)) + header + bytes(64)))


def test_a_forged_length_is_refused():
    with pytest.raises(BrokenWireError, match="a header of"):
        receive(io.BytesIO(struct.pack("<Q", 2**60)))
