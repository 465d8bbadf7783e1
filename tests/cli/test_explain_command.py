"""`glocalx explain`: from a file to a theory."""

import json
import os
import subprocess
import sys

import pandas as pd
import pytest
from skl2onnx import to_onnx
from sklearn.tree import DecisionTreeClassifier

from glocalx.__main__ import main
from glocalx.files import read_hierarchy, read_local_rules, read_theory
from glocalx.table.samples import sample_names

EVERY_KIND = [("german", kind) for kind in ("rf", "mlp", "svm", "gb")]
EVERY_SAMPLE = [("compas", "gb"), ("adult", "gb"), ("diva", "mlp")]


def run(capsys, *arguments):
    code = main(["explain", *map(str, arguments)])
    shown = capsys.readouterr()
    return code, shown.out, shown.err


@pytest.mark.parametrize(("sample", "kind"), EVERY_KIND + EVERY_SAMPLE)
def test_every_sample_and_every_model_goes_all_the_way(capsys, tmp_path, sample, kind):
    code, out, err = run(
        capsys, sample, "--train", kind, "--records", 40, "--jobs", 1, "--out", tmp_path, "--json"
    )
    assert (code, err) == (0, "")
    answer = json.loads(out)
    assert answer["records"] == 40
    assert 0.5 < answer["black_box_accuracy"] <= 1
    assert 0.5 < answer["fidelity"] <= 1
    assert 1 <= answer["size"] == len(answer["rules"]) <= 10
    theory = read_theory(tmp_path / "theory.json")
    hierarchy, schema = read_hierarchy(tmp_path / "hierarchy.json")
    local, _ = read_local_rules(tmp_path / "local_rules.json")
    assert theory.schema == schema
    assert {made.rule for made in local} == set(hierarchy.local_rules)
    text = (tmp_path / "summary.txt").read_text(encoding="utf-8")
    assert "agrees with the black box" in text
    assert answer["verdict"] in text
    found, given = (sum(each) for each in zip(*answer["found"].values(), strict=True))
    assert found / given == pytest.approx(answer["fidelity"])


def test_all_samples_are_tried():
    assert {sample for sample, _ in EVERY_KIND + EVERY_SAMPLE} == set(sample_names())


@pytest.fixture
def people(tmp_path):
    rows = 400
    frame = pd.DataFrame({"age": [20 + i % 50 for i in range(rows)]})
    frame["job"] = ["clerk" if i % 3 else "smith" for i in range(rows)]
    frame["answer"] = ["yes" if age > 44 else "no" for age in frame["age"]]
    frame["said"] = ["yes" if age > 40 else "no" for age in frame["age"]]
    frame.to_csv(tmp_path / "people.csv", index=False)
    return tmp_path


def test_same_seed_same_result_and_any_number_of_processes(capsys, people):
    answers = []
    for jobs in (1, 2):
        code, out, _ = run(
            capsys,
            *(people / "people.csv", "--target", "answer", "--train", "rf", "--seed", 3),
            *("--records", 60, "--jobs", jobs, "--out", people / f"out{jobs}", "--json"),
        )
        assert code == 0
        answers.append({k: v for k, v in json.loads(out).items() if "seconds" not in k})
    assert answers[0] == answers[1]


def test_a_column_of_predictions_needs_no_model(capsys, people):
    code, out, _ = run(
        capsys,
        *(people / "people.csv", "--target", "answer", "--predictions", "said"),
        *("--jobs", 1, "--out", people / "out"),
    )
    assert code == 0
    assert "a stand-in was asked" in out
    assert "age ≤ 40 → no" in out  # what was said, not what is true


@pytest.fixture
def onnx_model(people):
    """A tree that takes the age as a matrix and answers 0 or 1."""
    age = pd.read_csv(people / "people.csv")[["age"]].to_numpy(dtype="float32")
    tree = DecisionTreeClassifier().fit(age, (age[:, 0] > 30).astype(int))
    exported = to_onnx(tree, age[:1], options={"zipmap": False})
    (people / "model.onnx").write_bytes(exported.SerializeToString())
    return people / "model.onnx"


def test_an_onnx_model_with_numbers_for_answers(capsys, people, onnx_model):
    common = (people / "people.csv", "--target", "answer", "--model", onnx_model)
    options = ("--jobs", 1, "--out", people / "out", "--model-columns", "age")
    code, out, err = run(capsys, *common, *options)
    assert code == 2
    assert "“0” and “1”" in err  # the table says yes and no
    code, out, err = run(capsys, *common, *options, "--answer", "0=no", "--answer", "1=yes")
    assert (code, err) == (0, "")
    assert "age ≤ 30 → no" in out
    code, _, err = run(capsys, *common, *options, "--answer", "1")
    assert "Write it as 1=yes" in err


def test_local_rules_made_elsewhere_take_the_place_of_ours(capsys, people):
    table = people / "people.csv"
    common = ("--target", "answer", "--train", "rf", "--jobs", 1)
    run(capsys, table, *common, "--records", 20, "--out", people / "one")
    rules = people / "one" / "local_rules.json"
    code, out, _ = run(capsys, table, *common, "--rules", rules, "--out", people / "two", "--json")
    assert code == 0
    assert json.loads(out)["extraction_seconds"] == 0
    assert (people / "two" / "local_rules.json").exists()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["people.csv"], "--target"),
        (["people.csv", "--target", "salary"], "“salary”"),
        (["people.csv", "--target", "answer", "--model", "none.onnx"], "cannot be read"),
        (["people.csv", "--target", "answer", "--model", "people.csv"], "people.csv"),
        (["people.csv", "--target", "answer", "--records", "0"], "at least 1"),
        (["nothing.csv", "--target", "answer"], "nothing.csv"),
        (["german", "--predictions", "nonsense"], "no column “nonsense”"),
        (["people.csv", "--target", "answer", "--answer", "1=yes"], "does nothing"),
        (["people.csv", "--target", "answer", "--trust", "x"], "does nothing"),
        (["people.csv", "--target", "answer", "--seed", "-1"], "from 0 to"),
        (["people.csv", "--target", "answer", "--seed", "99999999999"], "from 0 to"),
        (["people.csv", "--target", "answer", "--jobs", "0"], "at least 1"),
        (["people.csv", "--target", "answer", "--ignore", "shoe"], "no column “shoe”"),
    ],
)
def test_mistakes_get_one_sentence(capsys, people, arguments, sentence):
    placed = [people / a if "." in a else a for a in arguments]
    code, out, err = run(capsys, "--jobs", 1, "--out", people / "out", *placed)
    assert (code, out) == (2, "")
    assert sentence in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("out", ["people.csv", "people.csv/deeper"])
def test_an_out_that_cannot_be_used_is_refused_before_any_work(capsys, people, out):
    code, _, err = run(
        capsys, people / "people.csv", "--target", "answer", "--jobs", 1, "--out", people / out
    )
    assert code == 2
    assert "Nothing can be written to" in err


def test_ignored_columns_are_in_no_rule_and_the_yardstick_is_shown(capsys, people):
    code, out, _ = run(
        capsys,
        *(people / "people.csv", "--target", "answer", "--ignore", "said"),
        *("--jobs", 1, "--out", people / "out"),
    )
    assert code == 0
    assert "said" not in out
    assert "always answering “no” would" in out


def test_the_same_run_writes_the_same_bytes(capsys, tmp_path):
    """Also under another hash seed: nothing depends on the order of a set."""
    asked = ("german", "--records", 30, "--jobs", 1, "--json")
    run(capsys, *asked, "--out", tmp_path / "here")
    subprocess.run(
        [sys.executable, "-m", "glocalx", "explain", *map(str, asked), "--out", tmp_path / "there"],
        env={**os.environ, "PYTHONHASHSEED": "1"},
        check=True,
        capture_output=True,
    )
    for name in ("theory.json", "hierarchy.json", "local_rules.json"):
        assert (tmp_path / "here" / name).read_bytes() == (tmp_path / "there" / name).read_bytes()


def test_a_column_that_tells_the_answer_alone_is_named_before_the_long_work(
    capsys, tmp_path, people
):
    table = people / "people.csv"
    arguments = (table, "--target", "answer", "--records", 20, "--jobs", 1, "--out", tmp_path)
    _, out, err = run(capsys, *arguments)
    said = "“age” alone tells the black box’s answer for "
    assert said in err
    assert "(--ignore age)" in err
    assert f"Note: {said}" in out
    _, out, err = run(capsys, *arguments, "--ignore", "age", "--ignore", "said")
    assert said not in out + err


def test_rules_of_several_seeds_are_pooled(capsys, tmp_path):
    few = ("german", "--records", 30, "--jobs", 1)
    code, out, _ = run(capsys, *few, "--pool", 2, "--out", tmp_path / "two", "--json")
    assert code == 0
    assert json.loads(out)["records"] == 30
    assert "60 local rules, 2 for each record from 2 seeds, in" in (
        tmp_path / "two" / "summary.txt"
    ).read_text(encoding="utf-8")
    assert len(read_local_rules(tmp_path / "two" / "local_rules.json")[0]) == 60
    for wrong, said in ((0, "at least 1 seed"), (-2, "at least 1 seed")):
        code, _, err = run(capsys, *few, "--pool", wrong, "--out", tmp_path / "none")
        assert code
        assert said in err
