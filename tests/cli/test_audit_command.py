"""`glocalx audit`: from a theory and a table to evidence in files."""

import csv
import hashlib
import json

import pandas as pd
import pytest

from glocalx.__main__ import main
from glocalx.classifier import RankedTheory
from glocalx.coverage import Records
from glocalx.files import write_theory
from glocalx.schema import Schema
from glocalx.scoring import Reference


@pytest.fixture
def brought(tmp_path):
    rows = 300
    frame = pd.DataFrame({"age": [20 + i % 50 for i in range(rows)]})
    frame["sex"] = ["f" if i % 3 else "m" for i in range(rows)]
    labels = ["deny" if age < 35 else "accept" for age in frame["age"]]
    schema = Schema.of(frame, labels)
    reference = Reference(Records(schema, frame), labels)
    rules = [schema.rule({"age": (20, 35)}, "deny"), schema.rule({"sex": ["m"]}, "accept")]
    write_theory(tmp_path / "theory.json", RankedTheory.of(rules, reference))
    frame.assign(said=labels, true=labels).to_csv(tmp_path / "people.csv", index=False)
    return tmp_path


def run(capsys, brought, *arguments):
    code = main(["audit", str(brought / "theory.json"), str(brought / "people.csv"), *arguments])
    shown = capsys.readouterr()
    return code, shown.out, shown.err


def test_every_table_is_written_and_agrees_with_pandas(capsys, brought):
    out = brought / "out"
    code, told, err = run(
        capsys,
        brought,
        *("--by", "sex", "--predictions", "said", "--label", "true"),
        *("--reference", "sex=f", "--out", str(out)),
    )
    assert (code, err) == (0, "")
    assert "Rule 2 names “sex” outright" in told
    assert "not yet discrimination" in told
    names = {path.name for path in out.iterdir()}
    tables = {"traits", "rules", "overlaps", "proxies", "subgroups", "responsibility", "what_if"}
    assert {f"{name}.csv" for name in tables} | {"audit.json", "theory.sql", "theory.py"} <= names
    assert {"report.html", "report.json", "theory.md"} <= names
    with (out / "subgroups.csv").open(encoding="utf-8-sig") as file:
        rows = [row for row in csv.DictReader(file) if row["answers_by"] == "black box"]
    people = pd.read_csv(brought / "people.csv")
    expected = people.groupby("sex")["said"].apply(lambda said: (said == "deny").mean())
    for row in rows:
        assert float(row["share of deny"]) == pytest.approx(expected[row["group"]])
    assert {row["group"] for row in rows} == {"f", "m"}


def test_a_report_that_says_what_it_does_not_know(capsys, brought):
    out = brought / "out"
    code, told, _ = run(
        capsys,
        brought,
        *("--by", "sex", "--predictions", "said", "--out", str(out)),
        *("--traits", "age", "sex=m"),
    )
    assert code == 0
    assert "report.html" in told
    page = (out / "report.html").read_text("utf-8")
    assert "people.csv" in page
    digest = hashlib.sha256((brought / "people.csv").read_bytes()).hexdigest()
    assert json.loads((out / "report.json").read_text("utf-8"))["explained"][
        "table_fingerprint"
    ].endswith(digest)
    assert "not known here" in page
    assert "Whether the rules were made from the same records is not known" in page
    with (out / "traits.csv").open(encoding="utf-8-sig") as file:
        traits = {(row["column"], row["category"]) for row in csv.DictReader(file)}
    assert traits == {("age", ""), ("sex", "m")}


def test_json_on_standard_output(capsys, brought):
    code, told, _ = run(
        capsys, brought, "--by", "sex", "--json", "--outcome", "accept", "--out", str(brought / "o")
    )
    assert code == 0
    assert json.loads(told) == json.loads((brought / "o" / "audit.json").read_text("utf-8"))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--by", "shoe"], "shoe"),
        (["--by", "sex", "--outcome", "perhaps"], "does not know the outcome “perhaps”"),
        (["--by", "sex", "--reference", "f"], "Write it as"),
        (["--by", "sex", "--reference", "sex=x"], "x"),
        (["--by", "sex", "--predictions", "nothing"], "nothing"),
        (["--by", "sex", "--traits", "sex=x"], "no category “x”"),
    ],
)
def test_mistakes_get_one_sentence(capsys, brought, arguments, sentence):
    code, told, err = run(capsys, brought, *arguments, "--out", str(brought / "out"))
    assert (code, told) == (2, "")
    assert sentence in err
    assert err.count("\n") == 1
