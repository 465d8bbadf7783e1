"""Models that are brought are asked about gaps as they are, or it is said that they take none."""

import numpy as np
import onnx
import pandas as pd
import pytest
import skops.io
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder

from glocalx.blackbox.check import check_gaps
from glocalx.blackbox.onnx_loader import read_graph
from glocalx.blackbox.onnx_model import open_onnx
from glocalx.blackbox.skops_model import inspect_skops, open_skops
from glocalx.blackbox.trial import try_model
from glocalx.confined.wire import Texts
from glocalx.errors import GLocalXError
from glocalx.rules.schema import Feature, Schema
from tests.blackbox.model_files import exported, graph_model, pipeline
from tests.lender import LENDER, Forgetful, applicants, lender_box

FRAME = applicants(400)
LABELS = lender_box().labels(FRAME)


def text_model(gap: object) -> tuple[Pipeline, pd.DataFrame]:
    """A pipeline for one text, fitted with this in place of missing ones."""
    texts = FRAME[["job"]].astype(object).where(FRAME[["job"]].notna(), gap)
    encoder = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    return make_pipeline(encoder, LogisticRegression()).fit(texts, FRAME["job"].isna()), texts


@pytest.mark.parametrize("gap", ["", np.nan, None], ids=["empty", "NaN", "None"])
def test_a_missing_text_is_what_the_exporter_made_of_it(gap):
    model, texts = text_model(gap)
    converted = exported(model, FRAME[["job"]])
    assert read_graph(
        onnx.ModelProto.FromString(converted.SerializeToString()), "m"
    ).missing_text == str(gap)
    schema = Schema((LENDER["job"],), ("0", "1"))
    box = open_onnx(converted.SerializeToString(), schema)
    try:
        answers = box.labels(FRAME[["job"]])
        assert answers.tolist() == np.where(model.predict(texts), "1", "0").tolist()
        assert set(answers) == {"0", "1"}
        check_gaps(box, FRAME[["job"]])
    finally:
        box.close()


def test_an_encoder_that_knows_of_no_gaps_is_given_an_empty_text():
    whole = FRAME.dropna()
    model = pipeline(whole, RandomForestClassifier(5, random_state=0))
    model.fit(whole, LABELS[whole.index])
    converted = exported(model, whole)
    assert read_graph(converted, "m").missing_text == ""


def whole_number_model() -> bytes:
    kind = onnx.TensorProto.INT64
    nodes = [onnx.helper.make_node("Identity", ["count"], ["label"])]
    ends = [
        [onnx.helper.make_tensor_value_info(name, kind, [None, 1])] for name in ("count", "label")
    ]
    return graph_model(nodes, *ends).SerializeToString()


def test_inputs_of_whole_numbers_take_no_gap():
    schema = Schema((Feature("count", "integer", gaps=True),), ("0", "1"))
    box = open_onnx(whole_number_model(), schema, sample=pd.DataFrame({"count": [0.0, 1.0]}))
    try:
        with pytest.raises(GLocalXError, match="takes no missing values in “count”"):
            box.labels(pd.DataFrame({"count": [0.0, np.nan]}))
        with pytest.raises(GLocalXError, match="--gaps fill"):
            check_gaps(box, pd.DataFrame({"count": [0.0, np.nan, 1.0]}))
    finally:
        box.close()


def test_skops_models_get_gaps_as_they_are():
    model = pipeline(FRAME, RandomForestClassifier(3, random_state=0)).fit(FRAME, LABELS)
    data = skops.io.dumps(model)
    box = open_skops(data, LENDER, inspect_skops(data))
    try:
        np.testing.assert_array_equal(box.labels(FRAME), model.predict(FRAME))
        check_gaps(box, FRAME)
    finally:
        box.close()


def test_a_model_that_takes_no_gaps_is_told_in_a_sentence():
    with pytest.raises(GLocalXError) as told:
        check_gaps(lender_box(Forgetful()), FRAME)
    assert str(told.value) == (
        "The model “lender” does not answer for records without a value in “income”, “job” and "
        "“owner”. Have the gaps filled with the mean or the most frequent value (--gaps fill; on "
        "the page Data, “Fill them”), or bring a model that takes them."
    )
    check_gaps(lender_box(Forgetful()), FRAME.dropna())
    check_gaps(lender_box(), FRAME)


def test_columns_that_a_model_does_not_read_may_have_gaps():
    box = lender_box(Forgetful())
    box.columns = ("age",)
    check_gaps(box, FRAME)


def test_where_gaps_are_not_the_reason_the_reason_is_told():
    class Broken:
        def predict(self, frame):
            raise ValueError("always")

    with pytest.raises(GLocalXError, match="always"):
        check_gaps(lender_box(Broken()), FRAME)


def test_a_linear_model_without_an_imputer_is_found_out():
    """ONNX gives a label for NaN without a word; its probabilities are NaN."""
    whole = FRAME[["income"]].dropna()
    model = make_pipeline(LogisticRegression()).fit(whole, LABELS[whole.index])
    data = exported(model, whole).SerializeToString()
    tried = try_model("m.onnx", data, Schema((LENDER["income"],), LENDER.outcomes), FRAME, LABELS)
    assert "does not answer for records without a value in “income”" in tried.problem


def test_missing_texts_cross_the_wire():
    texts = Texts(np.array([0, -1, 1], dtype=np.int32), ("a", "b"))
    assert texts.expanded().tolist() == ["a", None, "b"]
