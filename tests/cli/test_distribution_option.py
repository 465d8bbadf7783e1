"""`explain --distribution`: a model and a distribution, and not one record."""

import json

import numpy as np
import pandas as pd
import pytest
from skl2onnx import to_onnx
from sklearn.tree import DecisionTreeClassifier

from glocalx.__main__ import main
from glocalx.files import read_local_rules, read_theory

FEATURES = [
    {"name": "age", "kind": "integer", "from": 18, "to": 90, "mean": 45, "deviation": 15},
    {"name": "income", "kind": "numeric", "from": 0, "to": 5000},
]
CSV = """feature,kind,from,to,mean,deviation,category,share
age,integer,18,90,45,15,,
income,numeric,0,5000,,,,
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("distribution")
    drawn = np.random.default_rng(0).uniform((18, 0), (90, 5000), (500, 2)).astype(np.float32)
    said = np.where((drawn[:, 0] > 40) & (drawn[:, 1] > 1000), "yes", "no")
    tree = DecisionTreeClassifier(random_state=0).fit(drawn, said)
    (made / "model.onnx").write_bytes(
        to_onnx(tree, drawn[:1], options={"zipmap": False}).SerializeToString()
    )
    text = json.dumps({"format": "glocalx/distribution", "version": 1, "features": FEATURES})
    (made / "people.json").write_text(text, "utf-8")
    (made / "people.csv").write_text("\ufeff" + CSV, "utf-8")
    return made


def explain(capsys, folder, file, *more):
    command = ["explain", "--distribution", folder / file, "--model", folder / "model.onnx"]
    command += ["--model-columns", "age", "income", "--jobs", 1, "--out", folder / "out"]
    code = main([*map(str, command), *map(str, more)])
    shown = capsys.readouterr()
    return code, shown.out, shown.err


def test_a_model_is_explained_without_a_record(capsys, folder):
    code, out, err = explain(capsys, folder, "people.json", "--records", 60)
    assert (code, err) == (0, "")
    assert "60 drawn records of “people.json”, 2 features" in out
    assert "each feature on its own, so some could not be" in out
    assert "of 1,000 further drawn records" in out
    theory = read_theory(folder / "out" / "theory.json")
    assert theory.schema.outcomes == ("no", "yes")
    assert {name for rule in theory.rules for name in rule.features} == {"age", "income"}
    assert len(read_local_rules(folder / "out" / "local_rules.json")[0]) == 60
    again = explain(capsys, folder, "people.csv", "--records", 60, "--json")[1]
    answer = json.loads(again)
    assert answer["fidelity"] > 0.9
    assert answer["drawn"] is True
    assert read_theory(folder / "out" / "theory.json") == theory  # CSV says the same


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--target", "x"], "“--target” needs the records of a table"),
        (["--pin", "1"], "“--pin” needs the records of a table"),
        (["--records", "0"], "at least 1 record"),
        (["german"], "not both"),
    ],
)
def test_what_needs_records_is_refused(capsys, folder, more, said):
    code, _, err = explain(capsys, folder, "people.json", *more)
    assert code
    assert said in err


def test_a_distribution_alone_and_nothing_at_all_are_refused(capsys, folder):
    out = ["--out", str(folder / "out")]
    assert main(["explain", "--distribution", str(folder / "people.json"), *out])
    assert "Give the model" in capsys.readouterr().err
    assert main(["explain", *out])
    assert "Give a table" in capsys.readouterr().err


def test_a_tables_records_can_be_drawn_anew(capsys, tmp_path):
    frame = pd.DataFrame({"points": [20 + i % 50 for i in range(300)]})
    frame["answer"] = ["yes" if each > 44 else "no" for each in frame["points"]]
    frame.to_csv(tmp_path / "people.csv", index=False)
    command = ["explain", tmp_path / "people.csv", "--target", "answer", "--train", "rf", "--drawn"]
    assert main([*map(str, command), "--jobs", "1", "--out", str(tmp_path / "out")]) == 0
    assert "explained records are drawn from the distribution" in capsys.readouterr().out
    changes = pd.read_csv(tmp_path / "out" / "changes.csv")
    assert sorted(set(changes["record"])) == list(range(1, 65))  # counted among the drawn ones
