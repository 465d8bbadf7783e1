"""Files are opened by what is in them, and hostile ones are not opened at all."""

import gzip
import io
import pickle
import zipfile

import joblib
import pytest
from sklearn.tree import DecisionTreeClassifier

from glocalx.blackbox.model_file import open_model, recognise
from glocalx.blackbox.python_object import SWITCH
from glocalx.errors import GLocalXError
from tests.blackbox.model_files import (
    exported,
    marking_pickle,
    people,
    pipeline,
    schema_of,
    zip_bomb,
)

FRAME, TARGET = people()
SCHEMA = schema_of(FRAME, TARGET)


@pytest.fixture(scope="module")
def original():
    return pipeline(FRAME, DecisionTreeClassifier(random_state=0)).fit(FRAME, TARGET)


@pytest.fixture(scope="module")
def onnx_file(original):
    return exported(original, FRAME).SerializeToString()


@pytest.mark.parametrize("name", ["m.onnx", "m.skops", "m.pkl", "model"])
@pytest.mark.parametrize("protocol", range(6))
def test_a_pickle_under_any_name_is_refused_and_not_run(name, protocol, tmp_path, monkeypatch):
    monkeypatch.delenv(SWITCH, raising=False)
    marker = tmp_path / "marker"
    with pytest.raises(GLocalXError, match="is a pickle, and a pickle is a program"):
        open_model(name, marking_pickle(marker, protocol), SCHEMA)
    assert not marker.exists()


@pytest.mark.parametrize("packed", [gzip.compress, lambda data: joblib_packed(data, "zlib")])
def test_a_packed_pickle_is_refused_and_not_run(packed, tmp_path, monkeypatch):
    monkeypatch.delenv(SWITCH, raising=False)
    marker = tmp_path / "marker"
    with pytest.raises(GLocalXError, match="is a pickle"):
        open_model("m.onnx", packed(marking_pickle(marker)), SCHEMA)
    assert not marker.exists()


def joblib_packed(data: bytes, how: str) -> bytes:
    stream = io.BytesIO()
    joblib.dump(data, stream, compress=(how, 3))
    return stream.getvalue()


def test_a_bundle_of_pickles_is_refused():
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("archive/data.pkl", b"\x80\x04.")
    for name in ("m.pt", "m.onnx", "m.skops"):
        with pytest.raises(GLocalXError, match="PyTorch file or another bundle of pickles"):
            open_model(name, stream.getvalue(), SCHEMA)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "is empty"),
        (b"\x89HDF\r\n\x1a\n" + bytes(50), "a Keras model in HDF5"),
        (b'{"learner": {}}', "perhaps an XGBoost model"),
        (b"tree\nversion=v4\n", "a LightGBM model"),
        (b"<?xml version='1.0'?><PMML/>", "perhaps PMML"),
        (b"\x1c\x00\x00\x00ORTM" + bytes(50), "the format of one runtime"),
        (b"age,job\n1,clerk\n", "not a model file"),
        (bytes(1000), "not a model file"),
    ],
)
def test_other_files_are_told_apart(data, sentence):
    with pytest.raises(GLocalXError, match=sentence):
        open_model("m.onnx", data, SCHEMA)


def test_a_zip_bomb_and_a_cut_file_get_their_sentences(onnx_file):
    with pytest.raises(GLocalXError, match="would expand to"):
        open_model("m.skops", zip_bomb(), SCHEMA)
    with pytest.raises(GLocalXError, match="not a whole skops file"):
        open_model("m.skops", zip_bomb(100)[:1000], SCHEMA)
    with pytest.raises(GLocalXError, match="not a whole ONNX file"):
        open_model("m.onnx", onnx_file[:-100], SCHEMA)


def test_the_name_does_not_matter(onnx_file, original):
    assert recognise("m.pkl", onnx_file) == "onnx"
    box = open_model("m.pkl", onnx_file, SCHEMA)
    assert (box.labels(FRAME) == original.predict(FRAME)).all()


def test_outcomes_can_be_named(onnx_file, original):
    names = {"accept": "yes", "deny": "no"}
    box = open_model("m.onnx", onnx_file, SCHEMA, outcomes=names)
    assert box.outcomes == ("no", "yes")
    assert box.labels(FRAME).tolist() == [names[label] for label in original.predict(FRAME)]


def test_pickles_where_they_are_switched_on(monkeypatch, original):
    data = pickle.dumps(original)
    assert recognise("m.pkl", data) == "pickle"
    monkeypatch.setenv(SWITCH, "1")
    box = open_model("m.pkl", data, SCHEMA)
    assert (box.labels(FRAME) == original.predict(FRAME)).all()
    stream = io.BytesIO()
    joblib.dump(original, stream, compress=3)
    assert open_model("m.joblib", stream.getvalue(), SCHEMA).outcomes == ("accept", "deny")
    with pytest.raises(GLocalXError, match="cannot be opened"):
        open_model("m.pkl", data[:-50], SCHEMA)


@pytest.mark.parametrize("value", ["", "0", "true", "yes"])
def test_only_one_value_switches_pickles_on(value, monkeypatch, tmp_path):
    monkeypatch.setenv(SWITCH, value)
    with pytest.raises(GLocalXError, match=f"{SWITCH}=1"):
        open_model("m.pkl", marking_pickle(tmp_path / "marker"), SCHEMA)
    assert not (tmp_path / "marker").exists()
