"""`glocalx apply`: rules and model on other records, in order, however they are stored."""

import json

import numpy as np
import pandas as pd
import pytest
from skl2onnx import to_onnx
from sklearn.tree import DecisionTreeClassifier

from glocalx.__main__ import main
from glocalx.audit import open_files
from glocalx.audit.streamed_columns import StreamedColumns
from glocalx.cli import apply
from glocalx.files import read_theory, write_theory
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.coverage import Records
from glocalx.rules.schema import Schema
from glocalx.rules.scoring import Reference

RANDOM = np.random.default_rng(0)
KNOWN = pd.DataFrame(
    {"age": RANDOM.integers(18, 80, 300), "pay": RANDOM.integers(0, 90, 300).astype(float)}
)
OTHERS = pd.DataFrame(
    {
        "name": [f"person {i}" for i in range(250)],
        "pay": RANDOM.integers(0, 90, 250).astype(float),
        "age": RANDOM.integers(18, 80, 250),
    }
)


@pytest.fixture
def brought(tmp_path, monkeypatch):
    monkeypatch.setattr(apply, "ROWS", 64)  # several parts
    labels = np.where((KNOWN["pay"] > 40) & (KNOWN["age"] > 30), "=yes", "no")
    model = DecisionTreeClassifier(max_depth=4, random_state=0).fit(KNOWN.to_numpy(), labels)
    schema = Schema.of(KNOWN, labels)
    reference = Reference(Records(schema, KNOWN), labels.tolist())
    rules = [schema.rule({"pay": (41, np.inf)}, "=yes"), schema.rule({"pay": (-np.inf, 20)}, "no")]
    write_theory(tmp_path / "theory.json", RankedTheory.of(rules, reference))
    model_file = to_onnx(model, KNOWN[:1].to_numpy(np.float32), options={"zipmap": False})
    (tmp_path / "model.onnx").write_bytes(model_file.SerializeToString())
    OTHERS.to_csv(tmp_path / "others.csv", index=False)
    OTHERS.to_parquet(tmp_path / "others.parquet")
    return tmp_path, model, RankedTheory.of(rules, reference)


def applied(capsys, folder, table, out, *more):
    code = main(
        ["apply", str(folder / "theory.json"), str(folder / table), "--out", str(folder / out)]
        + [str(each) for each in more]
    )
    shown = capsys.readouterr()
    return code, shown.out, shown.err


@pytest.mark.parametrize("table", ["others.csv", "others.parquet"])
@pytest.mark.parametrize("out", ["said.csv", "said.parquet"])
def test_rules_decide_as_they_do_elsewhere(capsys, brought, table, out):
    folder, _, theory = brought
    code, told, _ = applied(capsys, folder, table, out)
    assert code == 0
    assert "250 records, 2 rules." in told
    made = pd.read_csv(folder / out) if out.endswith("csv") else pd.read_parquet(folder / out)
    records = Records(theory.schema, OTHERS)
    assert made["record"].tolist() == list(range(1, 251))
    expected = theory.predict(records)
    written = {"=yes": "'=yes" if out.endswith("csv") else "=yes", "no": "no"}
    assert made["rules say"].tolist() == [written[answer] for answer in expected]
    for place in range(250):
        deciding = theory.explain(records, place).deciding
        said = made["deciding rule"][place]
        assert (None if pd.isna(said) else int(said) - 1) == deciding
    assert "model says" not in made


def test_the_model_answers_beside_them_and_confirms_changes(capsys, brought):
    folder, model, _ = brought
    model_file = folder / "model.onnx"
    code, told, _ = applied(
        capsys,
        *(folder, "others.csv", "said.parquet", "--model", model_file),
        *("--model-columns", "age", "pay", "--changes", 100, "--fixed", "age", "--json"),
    )
    assert code == 0
    made = pd.read_parquet(folder / "said.parquet")
    asked = OTHERS[["age", "pay"]]
    assert made["model says"].tolist() == model.predict(asked.to_numpy()).tolist()
    differ = made["rules say"] != made["model says"]
    assert made["they differ"].tolist() == ["yes" if each else "no" for each in differ]
    summary = json.loads(told)
    assert (summary["records"], summary["differing"]) == (250, int(differ.sum()))
    some = made[made["changes that work"].notna()]
    assert len(some) == summary["changes"] > 30
    assert some["record"].max() <= 100
    for _, row in some.iterrows():
        name, rest = row["changes that work"].split(": ")
        assert name == "pay"  # age is fixed
        changed = asked.iloc[[row["record"] - 1]].assign(pay=float(rest.split(" ")[0]))
        assert model.predict(changed.to_numpy())[0] == row["answer then"] != row["model says"]


@pytest.mark.parametrize(
    ("table", "out", "more", "sentence"),
    [
        ("others.csv", "said.xlsx", [], "“said.xlsx” should end in .csv or .parquet."),
        ("others.csv", "said.csv", ["--changes", 5], "searched with the model"),
        ("none.csv", "said.csv", [], "There is no file"),
        ("others.csv", "said.csv", ["--model", "nothing.onnx"], "cannot be read"),
    ],
)
def test_what_is_wrong_is_one_sentence(capsys, brought, table, out, more, sentence):
    code, _, err = applied(capsys, brought[0], table, out, *more)
    assert code == 2
    assert sentence in err
    assert err.count("\n") == 1


def test_a_table_without_a_column_of_the_rules_is_refused(capsys, brought):
    folder = brought[0]
    OTHERS.drop(columns="pay").to_csv(folder / "less.csv", index=False)
    code, _, err = applied(capsys, folder, "less.csv", "said.csv")
    assert (code, "has no column “pay”" in err) == (2, True)
    OTHERS.drop(columns="age").to_csv(folder / "enough.csv", index=False)
    assert applied(capsys, folder, "enough.csv", "said.csv")[0] == 0  # no rule names age


def test_a_sensitive_feature_is_left_alone_and_that_is_said(capsys, brought):
    folder, _, theory = brought
    asking = (folder, "others.csv", "said.parquet", "--model", folder / "model.onnx")
    asking += ("--model-columns", "age", "pay", "--changes", 60)

    def touched(*more):
        code, told, _ = applied(capsys, *asking, *more)
        assert code == 0
        texts = pd.read_parquet(folder / "said.parquet")["changes that work"].dropna()
        return {part.split(":")[0] for text in texts for part in text.split("; ")}, told

    names, told = touched()
    assert names == {"age", "pay"}
    assert "does not say which features are sensitive" in told
    names, told = touched("--sensitive", "age")
    assert names == {"pay"}
    assert "“age” is left alone because it is sensitive." in told
    write_theory(folder / "theory.json", theory, ["age"])
    assert read_theory(folder / "theory.json") == theory
    names, told = touched()
    assert names == {"pay"}
    assert "“age” is left alone because it is sensitive." in told
    assert touched("--may-change", "age")[0] == {"age", "pay"}
    code, _, err = applied(capsys, *asking, "--sensitive", "agee")
    assert (code, "“agee” is no feature of the theory." in err) == (2, True)


def test_a_csv_is_not_read_anew_for_every_column(tmp_path, monkeypatch):
    numbers = pd.DataFrame(np.arange(60).reshape(10, 6) / 4, columns=list("abcdef"))
    numbers.to_csv(tmp_path / "numbers.csv", index=False)
    schema = Schema.of(numbers, ["no", "yes"])
    passes = []
    asked = StreamedColumns.rows
    monkeypatch.setattr(
        StreamedColumns, "rows", lambda self, query: passes.append(query) or asked(self, query)
    )
    with open_files([tmp_path / "numbers.csv"], schema) as source:
        begun = len(passes)
        (frame,) = source.iter_frames(schema.names, 100)
    pd.testing.assert_frame_equal(frame, numbers)
    assert len(passes) - begun == 2  # are there commas, is each a number
