"""What is read off a graph, and how it is changed before it is asked."""

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import VotingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neural_network import MLPClassifier
from sklearn.tree import DecisionTreeClassifier

from glocalx.blackbox.onnx_loader import OnnxInput, read_graph
from glocalx.errors import GLocalXError
from tests.blackbox.model_files import exported, graph_model, people, pipeline

FRAME, TARGET = people()


@pytest.mark.parametrize(
    "model",
    [
        LogisticRegression(),
        GaussianNB(),
        DecisionTreeClassifier(),
        MLPClassifier((4,), max_iter=300, tol=1.0),
        CalibratedClassifierCV(DecisionTreeClassifier(max_depth=2)),
        VotingClassifier(
            [("a", GaussianNB()), ("b", LogisticRegression())],
            voting="soft",
            flatten_transform=False,
        ),
    ],
    ids=lambda model: type(model).__name__,
)
@pytest.mark.parametrize("labels", ["text", "numbers"])
def test_classes_are_found_in_every_kind_of_export(model, labels):
    target = TARGET if labels == "text" else (TARGET == "deny").astype(int) + 3
    fitted = pipeline(FRAME, model, scale=True).fit(FRAME, target)
    graph = read_graph(exported(fitted, FRAME, zipmap=False), "m.onnx")
    assert graph.classes == (("accept", "deny") if labels == "text" else ("3", "4"))


def test_zipmap_is_replaced_by_its_matrix():
    fitted = pipeline(FRAME, DecisionTreeClassifier()).fit(FRAME, TARGET)
    model = exported(fitted, FRAME)
    assert "ZipMap" in {node.op_type for node in model.graph.node}
    graph = read_graph(model, "m.onnx")
    changed = onnx.ModelProto.FromString(graph.content)
    assert "ZipMap" not in {node.op_type for node in changed.graph.node}
    assert graph.scores in {value.name for value in changed.graph.output}
    onnx.checker.check_model(changed)


def test_inputs_are_read_with_kind_and_width():
    inputs = [
        helper.make_tensor_value_info("a", TensorProto.STRING, [None, 1]),
        helper.make_tensor_value_info("b", TensorProto.DOUBLE, ["N"]),
        helper.make_tensor_value_info("c", TensorProto.INT64, ["N", 4]),
        helper.make_tensor_value_info("d", TensorProto.BOOL, [None, None]),
        helper.make_tensor_value_info("W", TensorProto.FLOAT, [2]),
    ]
    constant = helper.make_tensor("W", TensorProto.FLOAT, [2], [1, 2])
    model = graph_model([helper.make_node("Identity", ["b"], ["Y"])], inputs, None, [constant])
    found = read_graph(model, "m.onnx").inputs
    assert found == (
        OnnxInput("a", None, 1, 2),
        OnnxInput("b", np.dtype("float64"), 1, 1),
        OnnxInput("c", np.dtype("int64"), 4, 2),
        OnnxInput("d", np.dtype("bool"), None, 2),
    )
    assert [each.holds for each in found] == ["text", "number", "whole number", "anything"]


def trees(mode: str) -> onnx.ModelProto:
    node = helper.make_node(
        "TreeEnsembleRegressor",
        ["X"],
        ["Y"],
        domain="ai.onnx.ml",
        nodes_modes=[mode, "LEAF", "LEAF"],
    )
    return graph_model([node])


@pytest.mark.parametrize(("mode", "rounds"), [("BRANCH_LT", True), ("BRANCH_LEQ", False)])
def test_only_trees_in_the_manner_of_xgboost_are_rounded(mode, rounds):
    changed = onnx.ModelProto.FromString(read_graph(trees(mode), "m.onnx").content)
    assert [node.op_type for node in changed.graph.node] == [
        *(["Cast"] if rounds else []),
        "TreeEnsembleRegressor",
    ]


def test_a_model_without_answers_for_classes():
    output = helper.make_tensor_value_info("Y", TensorProto.BOOL, [None])
    model = graph_model([helper.make_node("Not", ["X"], ["Y"])], None, [output])
    with pytest.raises(GLocalXError, match="neither a label nor a probability"):
        read_graph(model, "m.onnx")
