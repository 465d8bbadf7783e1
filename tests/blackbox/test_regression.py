"""Models that answer with numbers: their answers are cut into bands."""

import json
import warnings

import numpy as np
import pandas as pd
import pytest
import skops.io
from sklearn.ensemble import RandomForestRegressor

from glocalx.__main__ import main
from glocalx.blackbox.model_file import open_model
from glocalx.blackbox.python_object import PythonBlackBox
from glocalx.errors import GLocalXError
from glocalx.rules.bands import Bands
from glocalx.rules.schema import Schema
from tests.blackbox.model_files import people, pipeline

FRAME, _ = people(400)
PRICE = 50 * FRAME["age"] + FRAME["amount"] / 10 + 300 * (FRAME["job"] == "chief")
BANDS = Bands((3_000.0, 4_000.0))
SCHEMA = Schema(Schema.of(FRAME, ["x", "y"]).features, BANDS.names, bands=BANDS.cuts)
TREE = "sklearn.tree._tree.Tree"


@pytest.fixture(scope="module")
def original():
    forest = RandomForestRegressor(8, max_depth=6, random_state=0)
    return pipeline(FRAME, forest).fit(FRAME, PRICE)


@pytest.fixture(scope="module")
def onnx_bytes(original):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from skl2onnx import convert_sklearn
        from skl2onnx.common.data_types import FloatTensorType, StringTensorType

        kinds = [FloatTensorType, FloatTensorType, StringTensorType]
        types = [(name, kind([None, 1])) for name, kind in zip(FRAME, kinds, strict=True)]
        opset = {"": 18, "ai.onnx.ml": 3}
        made = convert_sklearn(original, initial_types=types, target_opset=opset)
    return made.SerializeToString()


def far_from_a_cut(answers) -> np.ndarray:
    """Where 32 bits make no difference."""
    return np.min(np.abs(np.subtract.outer(answers, BANDS.cuts)), axis=1) > 0.01


@pytest.mark.parametrize("kind", ["onnx", "skops", "python"])
def test_answers_are_the_bands_of_the_numbers(kind, original, onnx_bytes):
    if kind == "python":
        box = PythonBlackBox(original, SCHEMA)
    else:
        data = onnx_bytes if kind == "onnx" else skops.io.dumps(original)
        box = open_model(f"m.{kind}", data, SCHEMA, trusted=[TREE], sample=FRAME)
    numbers = original.predict(FRAME)
    sure = far_from_a_cut(numbers)
    assert sure.mean() > 0.95
    assert set(box.outcomes) == set(BANDS.names)
    assert (box.labels(FRAME)[sure] == BANDS.texts(numbers)[sure]).all()
    assert box.probabilities(FRAME) is None


def test_without_bands_it_says_what_to_do(original, onnx_bytes):
    plain = Schema(SCHEMA.features, ("x", "y"))
    with pytest.raises(GLocalXError, match="cut it into bands"):
        open_model("m.onnx", onnx_bytes, plain, sample=FRAME).labels(FRAME)
    with pytest.raises(GLocalXError, match="cut it into bands"):
        PythonBlackBox(original, plain, sample=FRAME)


def test_the_command_explains_a_regression_model(tmp_path, capsys, onnx_bytes):
    FRAME.assign(price=PRICE).to_csv(tmp_path / "houses.csv", index=False)
    (tmp_path / "m.onnx").write_bytes(onnx_bytes)
    options = ["--target", "price", "--bands", "2", "parts", "--model", str(tmp_path / "m.onnx")]
    table, out = str(tmp_path / "houses.csv"), ["--out", str(tmp_path / "out"), "--jobs", "1"]
    main(["explain", table, *options, *out, "--records", "60", "--json"])
    summary = json.loads(capsys.readouterr().out)
    theory = json.loads((tmp_path / "out" / "theory.json").read_text())
    (cut,) = theory["schema"]["bands"]
    low, high = Bands((cut,)).names
    assert set(summary["found"]) == {low, high}
    assert summary["fidelity"] > 0.8
    assert pd.Series(PRICE).lt(cut).mean() == pytest.approx(0.5, abs=0.05)

    audit = tmp_path / "audit"
    by = ["--by", "job", "--label", "price", "--outcome", high, "--out", str(audit)]
    main(["audit", str(tmp_path / "out" / "theory.json"), table, *by])
    found = pd.read_csv(audit / "subgroups.csv", encoding="utf-8-sig")
    truth = found[found["answers_by"] == "truth"].set_index("group")[f"share of {high}"]
    expected = (pd.Series(PRICE) >= cut).groupby(FRAME["job"]).mean()
    for job, share in expected.items():
        assert truth[job] == pytest.approx(share)
    assert high in (audit / "report.html").read_text()
