"""What happens to a model that misbehaves, and to the process it lives in."""

import gc
import os
import time
from pathlib import Path

import numpy as np
import pytest
from onnx import TensorProto, helper

from glocalx.confined.handed_file import ConfinedFile, HandedFile, Limits
from glocalx.errors import GLocalXError
from tests.blackbox.model_files import graph_model
from tests.confined.processes import alive, soon
from tests.patience import ANOTHER_TRY

FEED = {"X": np.ones((3, 2), dtype=np.float32)}


def worker(nodes, initializer=(), **limits) -> ConfinedFile:
    content = graph_model(nodes, initializer=list(initializer)).SerializeToString()
    loader = "glocalx.blackbox.onnx_loader:load_onnx"
    file = HandedFile("m.onnx", loader, content, {"name": "m.onnx"}, Limits(**limits))
    return ConfinedFile(file)


def good(**limits) -> ConfinedFile:
    return worker([helper.make_node("Identity", ["X"], ["Y"])], **limits)


def test_one_child_answers_many_questions():
    asked = good()
    first = asked.ask("run", FEED)["Y"].tolist()
    child = asked.process_id
    assert first == asked.ask("run", FEED)["Y"].tolist() == [[1, 1]] * 3
    assert asked.process_id == child
    asked.close()
    assert not alive(child)


def test_the_child_lives_in_an_empty_folder_that_goes_with_it():
    asked = good()
    asked.start()
    folder = Path(os.readlink(f"/proc/{asked.process_id}/cwd"))
    assert list(folder.iterdir()) == []
    assert folder != Path.cwd()
    asked.close()
    assert soon(lambda: not folder.exists())


def test_the_child_ends_when_nobody_holds_it():
    asked = good()
    asked.start()
    child = asked.process_id
    del asked
    gc.collect()
    assert not alive(child)


def test_the_limits_are_set_in_the_child():
    asked = good(memory_mb=1500)
    asked.start()
    limits = Path(f"/proc/{asked.process_id}/limits").read_text()
    most = int(limits.split("Max address space")[1].split()[0])
    assert 1500 * 2**20 < most < 5000 * 2**20  # beyond what the libraries take
    assert "Max file size             0 " in limits
    assert "Max core file size        0 " in limits
    threads = Path(f"/proc/{asked.process_id}/status").read_text()
    assert int(threads.split("Threads:")[1].split()[0]) <= 3
    asked.close()


def test_a_crash_is_a_sentence_and_the_next_question_starts_again():
    asked = good()
    asked.start()
    child = asked.process_id
    os.kill(child, 11)
    asked._child.process.wait()
    assert asked.ask("run", FEED)["Y"].shape == (3, 2)
    assert asked.process_id != child


def endless_loop() -> list:
    """Counts to 2⁶² inside the graph."""
    body = helper.make_graph(
        [
            helper.make_node("Identity", ["go"], ["go_on"]),
            helper.make_node("Add", ["sum", "sum"], ["next"]),
        ],
        "body",
        [
            helper.make_tensor_value_info("round", TensorProto.INT64, []),
            helper.make_tensor_value_info("go", TensorProto.BOOL, []),
            helper.make_tensor_value_info("sum", TensorProto.FLOAT, None),
        ],
        [
            helper.make_tensor_value_info("go_on", TensorProto.BOOL, []),
            helper.make_tensor_value_info("next", TensorProto.FLOAT, None),
        ],
    )
    many = helper.make_node(
        "Constant", [], ["many"], value=helper.make_tensor("n", TensorProto.INT64, [], [2**62])
    )
    yes = helper.make_node(
        "Constant", [], ["yes"], value=helper.make_tensor("y", TensorProto.BOOL, [], [True])
    )
    return [many, yes, helper.make_node("Loop", ["many", "yes", "X"], ["Y"], body=body)]


def test_a_model_without_end_is_stopped():
    asked = worker(endless_loop(), ask_seconds=1.0)
    asked.start()
    child, start = asked.process_id, time.monotonic()
    with pytest.raises(GLocalXError, match=r"“m\.onnx” did not answer within 1 seconds and was"):
        asked.ask("run", FEED)
    assert time.monotonic() - start < ANOTHER_TRY
    assert not alive(child)


def test_a_killed_child_during_a_question_is_a_sentence():
    import threading

    asked = worker(endless_loop())
    asked.start()
    threading.Timer(0.3, os.kill, (asked.process_id, 9)).start()
    with pytest.raises(GLocalXError, match="crashed: its process ended without an answer"):
        asked.ask("run", FEED)


def test_a_model_that_eats_memory_is_refused():
    shape = helper.make_tensor("shape", TensorProto.INT64, [2], [2**18, 2**18])
    nodes = [
        helper.make_node("ConstantOfShape", ["shape"], ["big"]),
        helper.make_node("ReduceSum", ["big"], ["total"], keepdims=0),
        helper.make_node("Add", ["X", "total"], ["Y"]),
    ]
    asked = worker(nodes, [shape])
    with pytest.raises(GLocalXError, match="memory"):
        asked.ask("run", FEED)


def test_a_graph_that_does_not_fit_together_is_a_sentence():
    asked = worker([helper.make_node("MatMul", ["X", "nowhere"], ["Y"])])
    with pytest.raises(GLocalXError, match=r"The model “m.onnx” fails \("):
        asked.start()
