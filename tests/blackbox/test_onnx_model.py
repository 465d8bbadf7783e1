"""ONNX files of several makers, asked through the child process."""

import pickle
import warnings

import lightgbm
import numpy as np
import onnx
import pandas as pd
import pytest
import xgboost
from onnx import TensorProto, helper
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression

from glocalx.blackbox.check import check_black_box
from glocalx.blackbox.onnx_model import open_onnx
from glocalx.errors import GLocalXError
from tests.blackbox.model_files import adult, exported, graph_model, people, pipeline, schema_of

FRAME, TARGET = people()
SCHEMA = schema_of(FRAME, TARGET)
NUMBERS = FRAME[["age", "amount"]]
NUMBER_SCHEMA = schema_of(NUMBERS, TARGET)


def opened(model: onnx.ModelProto, schema=SCHEMA, **options):
    return open_onnx(model.SerializeToString(), schema, **options)


def forest():
    return RandomForestClassifier(20, random_state=0, max_depth=10)


def xgb():
    return xgboost.XGBClassifier(n_estimators=30, max_depth=4, n_jobs=1)


def lgbm():
    return lightgbm.LGBMClassifier(n_estimators=30, num_leaves=15, verbose=-1, n_jobs=1)


@pytest.mark.parametrize(
    ("model", "scale", "double"),
    [
        (forest, False, False),
        (xgb, False, False),
        (lgbm, False, False),
        (xgb, True, True),
        (lgbm, True, True),
    ],
)
def test_exports_agree_with_the_original_on_adult(model, scale, double):
    frame, target = adult()
    codes = (target == ">50K").astype(int)
    original = pipeline(frame, model(), scale=scale).fit(frame[:6000], codes[:6000])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # LightGBM's wrapper names its columns itself
        expected = original.predict(frame).astype(str)
        sure = original.predict_proba(frame)
    box = opened(exported(original, frame, double=double), schema_of(frame, target))
    assert box.outcomes == ("0", "1")
    assert np.mean(box.labels(frame) == expected) >= 0.999
    differences = np.abs(box.probabilities(frame) - sure).max(axis=1)
    assert np.quantile(differences, 0.999) < 1e-5


@pytest.mark.parametrize("options", [{}, {"zipmap": False}, {"zipmap": "columns"}])
def test_text_labels_and_every_form_of_probabilities(options):
    original = pipeline(FRAME, forest()).fit(FRAME, TARGET)
    box = opened(exported(original, FRAME, **options))
    assert box.outcomes == ("accept", "deny")
    assert (box.labels(FRAME) == original.predict(FRAME)).all()
    if options.get("zipmap") == "columns":
        assert box.probabilities(FRAME) is None
    else:
        np.testing.assert_allclose(
            box.probabilities(FRAME), original.predict_proba(FRAME), atol=1e-5
        )


def test_whole_number_inputs_take_whole_numbers_only():
    original = pipeline(FRAME, forest()).fit(FRAME, TARGET)
    model = exported(original, FRAME, whole=True)
    assert (opened(model).labels(FRAME) == original.predict(FRAME)).all()
    with pytest.raises(GLocalXError, match="“age” holds numbers with decimals"):
        opened(model, schema_of(FRAME.assign(age=FRAME["age"] + 0.5), TARGET))


def test_an_unseen_category_is_not_fatal():
    original = pipeline(FRAME, forest()).fit(FRAME, TARGET)
    other = FRAME.assign(job=pd.Series(["astronaut"] * len(FRAME), dtype="str"))
    assert (opened(exported(original, FRAME)).labels(other) == original.predict(other)).all()


def test_columns_of_another_table_are_named():
    original = pipeline(FRAME, forest()).fit(FRAME, TARGET)
    other = FRAME.rename(columns={"job": "Jobs"}).assign(age="old", zip=1)
    with pytest.raises(GLocalXError) as caught:
        opened(exported(original, FRAME), schema_of(other, TARGET), name="m.onnx")
    assert str(caught.value).startswith(
        "The model “m.onnx” does not fit the table: “job” is missing (did you mean “Jobs”?); “age” "
        "holds text and the model takes numbers. Columns that it does not use: “Jobs” and “zip”."
    )


def test_a_person_can_say_which_column_is_which():
    original = pipeline(FRAME, forest()).fit(FRAME, TARGET)
    other = FRAME.rename(columns={"job": "Beruf"})
    box = opened(exported(original, FRAME), schema_of(other, TARGET), renamed={"job": "Beruf"})
    assert (box.labels(other) == original.predict(FRAME)).all()


def matrix_export(kind: str) -> tuple[object, onnx.ModelProto]:
    from onnxmltools import convert_lightgbm, convert_xgboost
    from onnxmltools.convert.common.data_types import FloatTensorType

    matrix, codes = NUMBERS.to_numpy(np.float32), (TARGET == "deny").astype(int)
    original = (xgb() if kind == "xgboost" else lgbm()).fit(matrix, codes)
    convert = convert_xgboost if kind == "xgboost" else convert_lightgbm
    types = [("input", FloatTensorType([None, 2]))]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return original.predict(matrix), convert(original, initial_types=types)


@pytest.mark.parametrize("kind", ["xgboost", "lightgbm"])
def test_one_matrix_in_the_order_of_the_table_or_as_stated(kind):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected, model = matrix_export(kind)
    in_order = opened(model, NUMBER_SCHEMA)
    assert np.mean(in_order.labels(NUMBERS) == expected.astype(str)) >= 0.999
    stated = opened(model, SCHEMA, columns=["age", "amount"])
    assert (stated.labels(FRAME) == in_order.labels(NUMBERS)).all()
    with pytest.raises(GLocalXError, match="a matrix of 2 columns and 3 are in the table"):
        opened(model, SCHEMA)
    with pytest.raises(GLocalXError, match="cannot hold the text in “job”"):
        opened(model, SCHEMA, columns=["age", "job"])


def test_scores_without_labels_are_read_as_classes():
    weights = helper.make_tensor("W", TensorProto.FLOAT, [2, 2], [1, 0, 0, 1])
    model = graph_model([helper.make_node("MatMul", ["X", "W"], ["Y"])], initializer=[weights])
    box = opened(model, NUMBER_SCHEMA)
    assert box.outcomes == ("0", "1")
    larger = (NUMBERS["amount"] > NUMBERS["age"]).astype(int).astype(str)
    assert (box.labels(NUMBERS) == larger).all()
    assert box.probabilities(NUMBERS) is None


def label_only() -> onnx.ModelProto:
    """Age in tens as a label, and no word about classes."""
    ten = helper.make_tensor("ten", TensorProto.FLOAT, [1], [10])
    first = helper.make_tensor("first", TensorProto.INT64, [1], [0])
    nodes = [
        helper.make_node("Gather", ["X", "first"], ["age"], axis=1),
        helper.make_node("Div", ["age", "ten"], ["tens"]),
        helper.make_node("Cast", ["tens"], ["label"], to=TensorProto.INT64),
    ]
    output = helper.make_tensor_value_info("label", TensorProto.INT64, [None, 1])
    return graph_model(nodes, outputs=[output], initializer=[ten, first])


def test_classes_that_the_file_does_not_tell_are_asked_for():
    box = opened(label_only(), NUMBER_SCHEMA, sample=NUMBERS)
    assert box.outcomes == tuple(sorted(set((NUMBERS["age"] // 10).astype(str))))
    assert (box.labels(NUMBERS) == (NUMBERS["age"] // 10).astype(str)).all()
    with pytest.raises(GLocalXError, match="does not say which classes it knows"):
        opened(label_only(), NUMBER_SCHEMA)


def test_several_matrices_take_the_columns_in_order():
    inputs = [
        helper.make_tensor_value_info("numbers", TensorProto.FLOAT, [None, 2]),
        helper.make_tensor_value_info("texts", TensorProto.STRING, [None, 1]),
    ]
    outputs = [helper.make_tensor_value_info("texts_out", TensorProto.STRING, [None, 1])]
    model = graph_model([helper.make_node("Identity", ["texts"], ["texts_out"])], inputs, outputs)
    box = opened(model, SCHEMA, sample=FRAME)
    assert (box.labels(FRAME) == FRAME["job"]).all()
    with pytest.raises(
        GLocalXError, match="takes 3 columns in “numbers” and “texts”, and there are 2"
    ):
        opened(model, SCHEMA, columns=["age", "job"])
    with pytest.raises(GLocalXError, match="“job” holds text and the model takes numbers"):
        opened(model, SCHEMA, columns=["job", "age", "amount"])


def one_score(operator: str) -> onnx.ModelProto:
    weights = helper.make_tensor("W", TensorProto.FLOAT, [2, 1], [0.1, -0.001])
    return graph_model(
        [
            helper.make_node("MatMul", ["X", "W"], ["Z"]),
            helper.make_node(operator, ["Z"], ["Y"]),
        ],
        outputs=[helper.make_tensor_value_info("Y", TensorProto.FLOAT, [None, 1])],
        initializer=[weights],
    )


def test_a_single_probability_is_that_of_the_second_class():
    box = opened(one_score("Sigmoid"), NUMBER_SCHEMA)
    sure = box.probabilities(NUMBERS)
    assert box.outcomes == ("0", "1")
    np.testing.assert_allclose(sure.sum(axis=1), 1)
    assert (box.labels(NUMBERS) == np.where(sure[:, 1] > 0.5, "1", "0")).all()


def test_a_regression_is_refused():
    with pytest.raises(GLocalXError, match="neither labels nor probabilities"):
        opened(one_score("Abs"), NUMBER_SCHEMA).labels(NUMBERS)


def test_nan_and_one_class_are_told():
    scores = opened(one_score("Sqrt"), NUMBER_SCHEMA)
    with pytest.raises(GLocalXError, match=r"no answer \(NaN\) for"):
        check_black_box(scores, NUMBERS)
    always = pipeline(FRAME, LogisticRegression(), scale=True).fit(FRAME, TARGET)
    always[-1].intercept_[:] = 1e6
    with pytest.raises(GLocalXError, match="answers “deny” for all 300 records"):
        check_black_box(opened(exported(always, FRAME)), FRAME)


def test_inputs_that_are_no_rows_of_a_table():
    identity = [helper.make_node("Identity", ["X"], ["Y"])]
    for shape, sentence in (([1, 2], "exactly 1 records"), ([None, 3, 8, 8], "4 dimensions")):
        model = graph_model(
            identity, inputs=[helper.make_tensor_value_info("X", TensorProto.FLOAT, shape)]
        )
        with pytest.raises(GLocalXError, match=sentence):
            opened(model, NUMBER_SCHEMA)


def test_true_and_false():
    frame = pd.DataFrame({"member": pd.Series(["True", "False", "True"], dtype="str")})
    nodes = [
        helper.make_node("Cast", ["member"], ["label"], to=TensorProto.INT64),
        helper.make_node("Cast", ["member"], ["p"], to=TensorProto.FLOAT),
    ]
    model = graph_model(
        nodes,
        inputs=[helper.make_tensor_value_info("member", TensorProto.BOOL, [None, 1])],
        outputs=[
            helper.make_tensor_value_info("label", TensorProto.INT64, [None, 1]),
            helper.make_tensor_value_info("p", TensorProto.FLOAT, [None, 1]),
        ],
    )
    box = opened(model, schema_of(frame, ["a", "b"]))
    assert box.labels(frame).tolist() == ["1", "0", "1"]
    assert box.probabilities(frame).tolist() == [[0, 1], [1, 0], [0, 1]]
    with pytest.raises(GLocalXError, match="takes true or false in “member”"):
        box.labels(frame.replace("True", "perhaps"))


def test_it_survives_a_trip_to_another_process():
    box = opened(exported(pipeline(FRAME, forest()).fit(FRAME, TARGET), FRAME))
    copy = pickle.loads(pickle.dumps(box))
    assert (copy.labels(FRAME) == box.labels(FRAME)).all()
    assert copy._worker.process_id != box._worker.process_id


def test_no_records_no_answers():
    box = opened(graph_model([helper.make_node("Identity", ["X"], ["Y"])]), NUMBER_SCHEMA)
    assert box.labels(NUMBERS[:0]).shape == (0,)
    assert box.probabilities(NUMBERS[:0]).shape == (0, 2)


@pytest.mark.parametrize("name", [b"features", b"answered"])
def test_names_that_are_no_text_are_a_sentence(name):
    """They were a TypeError in the server."""
    nodes = [
        helper.make_node("Identity", ["features"], ["between"]),
        helper.make_node("ArgMax", ["between"], ["answered"], axis=1, keepdims=0),
    ]
    taken = [helper.make_tensor_value_info("features", TensorProto.FLOAT, [None, 2])]
    given = [helper.make_tensor_value_info("answered", TensorProto.INT64, [None])]
    content = graph_model(nodes, taken, given).SerializeToString()
    with pytest.raises(GLocalXError, match=r"“m\.onnx” (is damaged|is not a whole ONNX file)"):
        open_onnx(content.replace(name, b"\xff\xfe" + name[2:]), NUMBER_SCHEMA, name="m.onnx")


def test_millions_of_empty_nodes_are_counted_elsewhere():
    graph = b"\x0a\x00" * 500_000 + b"\x12\x01g" + b"\x62\x00"
    data = b"\x08\x08" + b"\x3a" + _length(len(graph)) + graph + b"\x42\x02\x10\x11"
    with pytest.raises(GLocalXError, match="has 500,000 operators; up to 50,000 are run"):
        open_onnx(data, SCHEMA, name="m.onnx")


def _length(value: int) -> bytes:
    made = bytearray()
    while value > 127:
        made.append(value & 127 | 128)
        value >>= 7
    return bytes([*made, value])
