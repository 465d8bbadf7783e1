import pytest
from onnx import AttributeProto, TensorProto, helper

from glocalx.blackbox import onnx_check
from glocalx.blackbox.onnx_check import check_onnx
from glocalx.errors import GLocalXError
from tests.blackbox.model_files import external, graph_model, nested


def refused(model, sentence):
    with pytest.raises(GLocalXError, match=sentence):
        check_onnx(model.SerializeToString(), "m.onnx")


def add(tensor="W"):
    return helper.make_node("MatMul", ["X", tensor], ["Y"])


def inner_graph(nodes, initializer=()):
    output = helper.make_tensor_value_info("Z", TensorProto.FLOAT, None)
    return helper.make_graph(nodes, "inner", [], [output], list(initializer))


def test_a_plain_model_passes_without_its_metadata():
    weights = helper.make_tensor("W", TensorProto.FLOAT, [2, 2], [1, 0, 0, 1])
    model = graph_model([add()], initializer=[weights])
    model.metadata_props.add(key="ort_config", value="{}")
    assert not check_onnx(model.SerializeToString(), "m.onnx").metadata_props


def test_external_data():
    refused(graph_model([add()], initializer=[external("W")]), "keeps “W” in another file")


def test_external_data_named_but_not_marked():
    tensor = external("W")
    tensor.ClearField("data_location")
    refused(graph_model([add()], initializer=[tensor]), "keeps “W” in another file")


def test_external_data_in_a_nested_graph():
    inner = inner_graph([helper.make_node("Identity", ["S"], ["Z"])], [external("S")])
    refused(graph_model([nested(inner)]), "keeps “S” in another file")


def test_external_data_two_graphs_down():
    deepest = inner_graph([helper.make_node("Identity", ["S"], ["Z"])], [external("S")])
    middle = inner_graph([nested(deepest)])
    refused(graph_model([nested(middle)]), "keeps “S” in another file")


def test_external_data_in_an_attribute():
    node = helper.make_node("Constant", [], ["Y"], value=external("hidden"))
    refused(graph_model([node]), "keeps “hidden” in another file")


def test_external_data_in_lists_and_sparse_attributes():
    node = helper.make_node("Identity", ["X"], ["Y"])
    node.attribute.add(name="several", type=AttributeProto.TENSORS).tensors.append(external("a"))
    refused(graph_model([node]), "keeps “a” in another file")
    node = helper.make_node("Constant", [], ["Y"])
    sparse = node.attribute.add(name="sparse_value", type=AttributeProto.SPARSE_TENSOR)
    sparse.sparse_tensor.values.CopyFrom(external("b"))
    refused(graph_model([node]), "keeps “b” in another file")
    model = graph_model([add()])
    model.graph.sparse_initializer.add().indices.CopyFrom(external("c"))
    refused(model, "keeps “c” in another file")


def test_a_foreign_operator():
    node = helper.make_node("Shell", ["X"], ["Y"], domain="com.evil")
    refused(graph_model([node]), "asks for the operator “com.evil:Shell”, which is not part of")


def test_a_foreign_operator_in_a_nested_graph():
    inner = inner_graph([helper.make_node("Shell", ["X"], ["Z"], domain="com.microsoft")])
    refused(graph_model([nested(inner)]), "“com.microsoft:Shell”")


def test_functions():
    model = graph_model([helper.make_node("Mine", ["X"], ["Y"], domain="ai.onnx")])
    body = [helper.make_node("Identity", ["a"], ["b"])]
    opset = [helper.make_opsetid("", 18)]
    model.functions.append(helper.make_function("ai.onnx", "Mine", ["a"], ["b"], body, opset))
    refused(model, "brings functions of its own \\(“Mine”\\)")


def test_training_graphs():
    model = graph_model([add()])
    model.training_info.add()
    refused(model, "saved for further training")


@pytest.mark.parametrize("dims", [[2**20, 2**20], [-1]])
def test_arrays_of_unreasonable_size(dims):
    tensor = TensorProto(name="W", data_type=TensorProto.FLOAT, dims=dims)
    refused(graph_model([add()], initializer=[tensor]), "an array “W” of the shape")


def test_too_many_operators(monkeypatch):
    monkeypatch.setattr(onnx_check, "MOST_NODES", 1)
    refused(graph_model([add(), add()]), "has 2 operators; up to 1 are run")


def test_too_large_a_file(monkeypatch):
    monkeypatch.setattr(onnx_check, "MOST_BYTES", 10)
    refused(graph_model([add()]), "Use a smaller model")


@pytest.mark.parametrize("share", [0.2, 0.5, 0.9, 0.99])
def test_a_file_that_is_cut_off(share):
    weights = helper.make_tensor("W", TensorProto.FLOAT, [2, 2], [1, 0, 0, 1])
    data = graph_model([add()], initializer=[weights]).SerializeToString()
    with pytest.raises(GLocalXError, match="not a whole ONNX file"):
        check_onnx(data[: int(len(data) * share)], "m.onnx")
