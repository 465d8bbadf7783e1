"""`glocalx audit`: from a theory and a table to evidence in files."""

import csv
import hashlib
import json

import duckdb
import numpy as np
import pandas as pd
import pytest
from skl2onnx import to_onnx
from sklearn.tree import DecisionTreeClassifier

from glocalx.__main__ import main
from glocalx.cli import asked_model
from glocalx.files import write_theory
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.coverage import Records
from glocalx.rules.schema import Schema
from glocalx.rules.scoring import Reference


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


HOSTILE = ('se"x"; DROP TABLE "a"', "=say=", "<img src=x onerror=alert(1)>")


@pytest.fixture
def hostile(tmp_path):
    """The same table as CSV, Parquet and in a database, and a theory that names its columns."""
    rows = range(240)
    frame = pd.DataFrame({HOSTILE[0]: [("O'Neil", '"q"', "x;y")[i % 3] for i in rows]})
    frame[HOSTILE[1]] = [("a=1", "b=2")[i % 2] for i in rows]
    frame[HOSTILE[2]] = [i * 7 % 90 for i in rows]
    labels = ["=no" if i * 7 % 90 < 40 or i % 5 == 0 else "yes" for i in rows]
    schema = Schema.of(frame, labels)
    rules = [
        schema.rule({HOSTILE[2]: (0, 40)}, "=no"),
        schema.rule({HOSTILE[0]: ["O'Neil"], HOSTILE[1]: ["a=1"]}, "=no"),
    ]
    reference = Reference(Records(schema, frame), labels)
    write_theory(tmp_path / "theory.json", RankedTheory.of(rules, reference))
    frame["select"] = labels
    frame.to_csv(tmp_path / "t.csv", index=False)
    frame.to_parquet(tmp_path / "t.parquet")
    with duckdb.connect(str(tmp_path / "t.duckdb")) as database:
        database.execute('CREATE TABLE "from ""; --" AS SELECT * FROM frame')
    return tmp_path


def test_files_and_a_database_of_hostile_names_give_the_same(capsys, hostile):
    found = []
    for table in ("t.csv", "t.parquet", "t.duckdb"):
        code = main(
            [
                *("audit", str(hostile / "theory.json"), str(hostile / table), "--json"),
                *("--by", *HOSTILE, "--predictions", "select", "--label", "select"),
                *("--reference", "=say==a=1", "--bands", f"{HOSTILE[2]}=20,60"),
                *("--traits", HOSTILE[0], "=say==b=2", "--out", str(hostile / f"out {table}")),
            ]
        )
        assert code == 0
        found.append(json.loads(capsys.readouterr().out))
    assert found[0] == found[1] == found[2]
    assert found[0]["compared_with"] == {"=say=": "a=1"}
    assert len(found[0]["groups"][HOSTILE[2]]) == 3
    assert {row["category"] for row in found[0]["traits"] if row["column"] == "=say="} == {"b=2"}


@pytest.mark.parametrize(
    ("table", "arguments", "sentence"),
    [
        ("t.duckdb", ["--table", "nobody"], "has no table “nobody”"),
        ("t.csv", ["--table", "x"], "“t.csv” is none"),
        ("none.duckdb", [], "There is no file"),
        ("broken.db", [], "cannot be read"),
    ],
)
def test_a_database_that_cannot_be_read(capsys, hostile, table, arguments, sentence):
    (hostile / "broken.db").write_text("no database")
    theory, out = str(hostile / "theory.json"), str(hostile / "out")
    given = ["--by", "=say=", "--out", out, *arguments]
    assert main(["audit", theory, str(hostile / table), *given]) == 2
    shown = capsys.readouterr()
    assert sentence in shown.err
    assert shown.err.count("\n") == 1


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
        (["--by", "sex", "--reference", "age=20"], "“--by” does not name"),
        (["--by", "age", "--bands", "age=young"], "is no list of numbers"),
        (["--by", "age", "--bands", "age=inf"], "ends at no number"),
        (["--by", "sex", "--bands", "sex=3"], "cannot have bands"),
        (["--by", "sex", "--predictions", "nothing"], "nothing"),
        (["--by", "sex", "--traits", "sex=x"], "no category “x”"),
    ],
)
def test_mistakes_get_one_sentence(capsys, brought, arguments, sentence):
    code, told, err = run(capsys, brought, *arguments, "--out", str(brought / "out"))
    assert (code, told) == (2, "")
    assert sentence in err
    assert err.count("\n") == 1


def test_a_category_called_missing_beside_real_gaps(capsys, tmp_path):
    """Told apart in every table, alone and with another column."""
    rows = range(240)
    frame = pd.DataFrame({"age": [20 + i % 50 for i in rows]})
    frame["job"] = [("clerk", "missing", None)[i % 3] for i in rows]
    frame["sex"] = [("f", "missing (no value)", "missing", None)[i % 4] for i in rows]
    labels = ["deny" if age < 35 else "accept" for age in frame["age"]]
    schema = Schema.of(frame[["age", "job"]], labels)
    rules = [schema.rule({"age": (20, 35)}, "deny"), schema.rule({"job": ["missing"]}, "accept")]
    write_theory(
        tmp_path / "theory.json",
        RankedTheory.of(rules, Reference(Records(schema, frame), labels)),
    )
    frame.assign(said=labels).to_csv(tmp_path / "people.csv", index=False)
    code, told, err = run(
        capsys,
        tmp_path,
        *("--by", "job", "sex", "--predictions", "said", "--json", "--smallest", "5"),
        *("--out", str(tmp_path / "out")),
    )
    assert (code, err) == (0, "")
    found = json.loads(told)
    sizes = {
        (row["columns"], row["group"]): row["records"]
        for row in found["subgroups"]
        if row["answers_by"] == "theory"
    }
    assert sizes["job", "missing"] == sizes["job", "missing (no value)"] == 80
    assert sizes["sex", "missing (no value) (no value)"] == 60
    assert sizes["job × sex", "missing (no value) · missing"] == 20
    assert (tmp_path / "out" / "report.html").is_file()


def test_a_sample_by_its_name_and_every_option(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    frame = pd.DataFrame({"priors_count": [0, 5, 9]})
    labels = ["Medium or Low", "Medium or Low", "High"]
    schema = Schema.of(frame, labels)
    rules = [schema.rule({"priors_count": (6, 99)}, "High")]
    write_theory(
        tmp_path / "theory.json",
        RankedTheory.of(rules, Reference(Records(schema, frame), labels)),
    )
    asked = ["audit", "theory.json", "compas", "--by", "race", "sex", "--out", "out", "--json"]
    options = ["--combinations", "none", "--smallest", "50", "--reference", "largest"]
    assert main([*asked, *options]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["records"] == 7214
    assert found["favourable"] == "Medium or Low"  # known for samples
    assert (found["combinations"], found["enough"]) == ("none", 50)
    assert found["compared_with"] == "largest group"
    assert {row["answers_by"] for row in found["subgroups"]} == {"theory", "truth"}
    assert {row["columns"] for row in found["subgroups"]} == {"race", "sex"}
    verdicts = {row["group"]: row["verdict"] for row in found["subgroups"]}
    assert verdicts["Native American"] == "not enough records"
    assert main([*asked, "--favourable", "good"]) == 2
    assert "does not know the outcome “good”" in capsys.readouterr().err
    assert main([*asked, "--smallest", "0"]) == 2
    assert "at least 1" in capsys.readouterr().err


def test_the_report_does_not_begin_with_praise(capsys, brought):
    """Inverted rules agree on hardly anything; without answers nobody knows."""
    people = pd.read_csv(brought / "people.csv")
    people["said"] = people["said"].map({"deny": "accept", "accept": "deny"})
    people.to_csv(brought / "people.csv", index=False)
    beginnings = []
    for given in (["--predictions", "said"], []):
        assert run(capsys, brought, "--by", "sex", *given, "--out", str(brought / "o"))[0] == 0
        page = (brought / "o" / "report.html").read_text("utf-8")
        section = page.index("At a glance</h2>")
        beginnings.append(" ".join(page[section : section + 900].split()))
    assert "Do not rely on these rules." in beginnings[0]
    assert "They give the model’s answer for 0 of 300 records" in beginnings[0]
    assert "whether they answer like the black box is not known here" in beginnings[1]
    assert "stand in" not in beginnings[1]


@pytest.fixture
def with_model(tmp_path):
    """A model that looks at sex alone, and one that does not."""
    random = np.random.default_rng(0)
    frame = pd.DataFrame({"female": random.integers(0, 2, 200)})
    frame["pay"] = random.integers(0, 9, 200)
    labels = np.where(frame["female"] == 1, "no", "yes")
    schema = Schema.of(frame, labels)
    reference = Reference(Records(schema, frame), labels.tolist())
    rules = [schema.rule({"female": (1, 9)}, "no"), schema.rule({"pay": (5, 9)}, "yes")]
    write_theory(tmp_path / "theory.json", RankedTheory.of(rules, reference))
    model = DecisionTreeClassifier(random_state=0).fit(frame.to_numpy(), labels)
    made = to_onnx(model, frame[:1].to_numpy(np.float32), options={"zipmap": False})
    (tmp_path / "model.onnx").write_bytes(made.SerializeToString())
    frame.assign(said=labels).to_csv(tmp_path / "people.csv", index=False)
    return tmp_path, frame


def test_a_model_is_asked_and_flipped(capsys, with_model, monkeypatch):
    folder, frame = with_model
    given = ["--by", "female", "--model", str(folder / "model.onnx"), "--json"]
    given += ["--out", str(folder / "out"), "--outcome", "yes"]
    flip = ["--flip", "female=female ≤ 0>female ≥ 1"]
    code, told, err = run(capsys, folder, *given, *flip)
    assert (code, err) == (0, "")
    found = json.loads(told)
    assert found["answers_by"] == "black box"
    rows = {row["answers_by"]: row for row in found["flips"]}
    men = int((frame["female"] == 0).sum())
    assert rows["black box"]["changed"] == rows["black box"]["records"] == men
    assert (rows["black box"]["from yes"], rows["black box"]["to yes"]) == (men, 0)
    page = (folder / "out" / "report.html").read_text("utf-8")
    assert "Flip tests: only the sensitive value changed" in page
    monkeypatch.setattr(asked_model, "MOST_RECORDS", 120)
    drawn = [json.loads(run(capsys, folder, *given)[1]) for _ in range(2)]
    assert drawn[0] == drawn[1]
    assert drawn[0]["records"] == 120
    assert "asked about 120 of 200 records" in " ".join(row["note"] for row in drawn[0]["notes"])
    whole = json.loads(run(capsys, folder, *given, "--predictions", "said")[1])
    assert whole["records"] == 200


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--flip", "sex=f>m"], "Give it as --model"),
        (["--flip", "sex=f", "--model", "m.onnx"], "names one group"),
        (["--model", "none.onnx"], "cannot be read"),
        (["--tolerance", "200"], "between 0 and 100 points"),
    ],
)
def test_what_cannot_be_flipped_is_said(capsys, brought, given, said):
    code, _, err = run(capsys, brought, "--by", "sex", "--out", str(brought / "o"), *given)
    assert code == 2
    assert said in err
