"""`glocalx audit --verify`: what was audited can be audited again, and what changed is found."""

import csv
import hashlib
import json
import shutil

import numpy as np
import pandas as pd
import pytest
from skl2onnx import to_onnx
from sklearn.tree import DecisionTreeClassifier

from glocalx.__main__ import main
from glocalx.cli import evidence
from glocalx.files import write_theory
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.coverage import Records
from glocalx.rules.schema import Feature, Schema
from glocalx.rules.scoring import Reference
from tests.export.hostile import ranked

AGE = Schema((Feature("age", "integer"),), ("accept", "deny"))


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A theory, a table and the audit of both."""
    folder = tmp_path_factory.mktemp("made")
    frame = pd.DataFrame({"age": [20 + i % 50 for i in range(200)]})
    frame["sex"] = ["f" if i % 3 else "m" for i in range(200)]
    frame.loc[::17, "sex"] = None
    labels = ["deny" if age < 35 else "accept" for age in frame["age"]]
    schema = Schema.of(frame, labels)
    rules = [schema.rule({"age": (20, 36)}, "deny"), schema.rule({"sex": ["m"]}, "accept")]
    theory = RankedTheory.of(rules, Reference(Records(schema, frame), labels))
    write_theory(folder / "ten rules.json", theory)
    frame["field"] = ["law" if i % 4 else "arts" for i in range(200)]
    frame["chance"] = [(i % 11) / 10 for i in range(200)]
    frame["again"] = [i % 2 for i in range(200)]
    table = frame.assign(case=[f"=no {i}" for i in range(200)], said=labels, true=labels[::-1])
    table.to_csv(folder / "people.csv", index=False)
    given = [str(folder / "ten rules.json"), str(folder / "people.csv"), "--by", "sex", "age"]
    known = ["--predictions", "said", "--label", "true", "--identifier", "case"]
    who = ["--prepared-by", "A. N. Other", "--purpose", "hearing 7", "--out", str(folder / "out")]
    assert main(["audit", *given, *known, *who]) == 0
    return folder


@pytest.fixture
def copied(made, tmp_path):
    shutil.copytree(made, tmp_path / "copy")
    return tmp_path / "copy"


def verified(capsys, folder):
    capsys.readouterr()
    code = main(["audit", "--verify", str(folder / "out")])
    shown = capsys.readouterr()
    assert shown.err == ""
    return code, shown.out


def test_what_nobody_touched_is_the_same(capsys, copied):
    code, told = verified(capsys, copied)
    assert code == 0
    assert "table and rules are those that were audited" in told
    said = json.loads((copied / "out" / "audit.json").read_text())
    assert evidence.count_figures(said) > 100
    assert "figures are the same" in told


def test_a_changed_digit_is_found(capsys, copied):
    path = copied / "out" / "audit.json"
    said = json.loads(path.read_text())
    before = said["subgroups"][0]["selected"]
    said["subgroups"][0]["selected"] = before + 0.01
    path.write_text(json.dumps(said, ensure_ascii=False, indent=1))
    code, told = verified(capsys, copied)
    assert code == 1
    assert "“audit.json” was changed after the audit wrote it" in told
    assert f"subgroups › 1 › selected: {before + 0.01!r} in the file, {before!r} when" in told


def test_a_changed_digit_is_found_though_the_list_was_changed_along(capsys, copied):
    path, listed = copied / "out" / "report.html", copied / "out" / "evidence.json"
    page = path.read_bytes().replace(b"A. N. Other", b"A. N. Bother", 1)
    before = hashlib.sha256(path.read_bytes()).hexdigest()
    path.write_bytes(page)
    listed.write_text(listed.read_text().replace(before, hashlib.sha256(page).hexdigest()))
    code, told = verified(capsys, copied)
    assert code == 1
    assert "was changed" not in told
    assert "report.html: line" in told


def test_a_changed_row_is_found(capsys, copied):
    path = copied / "people.csv"
    lines = path.read_text().splitlines(keepends=True)
    lines[1] = lines[1].replace("20,", "60,", 1)
    path.write_text("".join(lines))
    code, told = verified(capsys, copied)
    assert code == 1
    assert "The table, “people.csv”, changed after the audit was made." in told
    assert "audit.json: traits › " in told
    assert "more." in told


def test_a_changed_rule_is_found(capsys, copied):
    path = copied / "out" / "theory.json"
    assert "36" in path.read_text()
    path.write_text(path.read_text().replace("36", "37"))
    code, told = verified(capsys, copied)
    assert code == 1
    assert "The rules, “theory.json”, changed after the audit was made." in told


def test_a_changed_model_is_found(capsys, copied):
    """A tree that splits elsewhere is another file, and gives other answers."""
    people = pd.read_csv(copied / "people.csv")
    numbers = people[["age"]].assign(sex=(people["sex"] == "f").astype(float)).to_numpy(np.float32)
    write_theory(copied / "by age.json", ranked(AGE, [AGE.rule({"age": (0, 36)}, "deny")]))
    for name, end in (("model.onnx", 36), ("other.onnx", 50)):
        said = np.where(numbers[:, 0] < end, "deny", "accept")
        tree = DecisionTreeClassifier(random_state=0).fit(numbers[:, :1], said)
        made = to_onnx(tree, numbers[:1, :1], options={"zipmap": False})
        (copied / name).write_bytes(made.SerializeToString())
    given = [str(copied / "by age.json"), str(copied / "people.csv"), "--by", "sex"]
    asked = ["--model", str(copied / "model.onnx"), "--identifier", "case"]
    assert main(["audit", *given, *asked, "--out", str(copied / "out")]) == 0
    code, told = verified(capsys, copied)
    assert (code, "table and rules and model" in told) == (0, True)
    rows = pd.read_csv(copied / "out" / "records.csv")
    assert rows["model"].tolist() == np.where(people["age"] < 36, "deny", "accept").tolist()
    assert rows["row"].tolist() == list(range(1, 201))
    assert rows["identifier"][7] == "'=no 7"
    shutil.copy(copied / "other.onnx", copied / "model.onnx")
    code, told = verified(capsys, copied)
    assert code == 1
    assert "The model, “model.onnx”, changed after the audit was made." in told
    assert "audit.json: " in told


def test_answers_that_were_changed_are_found(capsys, copied):
    """The model of a table of answers is the column of answers."""
    path = copied / "people.csv"
    path.write_text(path.read_text().replace(",deny,", ",accept,", 1))
    assert verified(capsys, copied)[0] == 1


def test_other_versions_are_told_and_change_nothing(capsys, copied, monkeypatch):
    monkeypatch.setattr("glocalx.report.report.platform.python_version", lambda: "9.9")
    code, told = verified(capsys, copied)
    assert code == 0
    assert "Python 9.9" in told


def test_a_table_that_was_moved_is_found_in_the_folder(capsys, copied):
    shutil.move(copied / "people.csv", copied / "out" / "people.csv")
    assert verified(capsys, copied)[0] == 0
    (copied / "out" / "people.csv").unlink()
    assert main(["audit", "--verify", str(copied / "out")]) == 2
    assert "“people.csv”, is not where it was" in capsys.readouterr().err


@pytest.mark.parametrize(
    "text",
    [
        *(None, "{", "[]", '{"format": "glocalx/evidence", "version": 1, "files": {"../x": ""}}'),
        '{"format": "glocalx/evidence", "version": 1, "files": {}, "inputs": {}, "options": 7}',
        '{"format": "glocalx/evidence", "version": 1, "files": {}, "inputs": {}, "options": {}}',
    ],
)
def test_a_folder_that_no_audit_wrote_is_refused(capsys, tmp_path, text):
    if text is not None:
        (tmp_path / "evidence.json").write_text(text)
    assert main(["audit", "--verify", str(tmp_path)]) == 2
    assert "Give a folder that an audit wrote" in capsys.readouterr().err


def test_each_record_has_its_row(made):
    with (made / "out" / "records.csv").open(encoding="utf-8-sig") as file:
        rows = list(csv.DictReader(file))
    table = pd.read_csv(made / "people.csv")
    assert [int(row["row"]) for row in rows] == list(range(1, 201))
    assert [row["identifier"] for row in rows] == [f"'=no {i}" for i in range(200)]
    assert [row["model"] for row in rows] == table["said"].tolist()
    assert [row["truth"] for row in rows] == table["true"].tolist()
    young = (table["age"] < 36).tolist()
    assert [row["rules"] for row in rows] == ["deny" if each else "accept" for each in young]
    assert [row["deciding rule"] == "1" for row in rows] == young
    assert [row["group: sex"] for row in rows] == table["sex"].fillna("missing").tolist()


def test_who_prepared_it_and_what_was_asked_stand_in_the_files(made):
    page = (made / "out" / "report.html").read_text()
    said = json.loads((made / "out" / "evidence.json").read_text())
    for text in ("A. N. Other", "hearing 7"):
        assert text in page
        assert text in said.values()
    assert said["question"] in page
    assert "How often does each group by “sex” and “age” get “deny”" in said["question"]
    assert said["bounds"]["significance"] == 0.05
    table = hashlib.sha256((made / "people.csv").read_bytes()).hexdigest()
    assert said["inputs"]["table"]["sha256"] == table
    report = hashlib.sha256((made / "out" / "report.html").read_bytes()).hexdigest()
    assert said["files"]["report.html"] == report


def test_very_many_records_are_listed_only_if_asked_for(capsys, made, tmp_path, monkeypatch):
    monkeypatch.setattr(evidence, "MOST_RECORDS", 199)
    given = ["audit", str(made / "ten rules.json"), str(made / "people.csv"), "--by", "sex"]
    assert main([*given, "--out", str(tmp_path)]) == 0
    assert "records.csv was left out" in capsys.readouterr().out
    assert not (tmp_path / "records.csv").exists()
    assert main([*given, "--records", "--out", str(tmp_path)]) == 0
    assert (tmp_path / "records.csv").exists()


def test_an_audit_without_what_it_needs_is_refused(capsys):
    assert main(["audit", "theory.json"]) == 2
    assert "“TABLE”, “--by” and “--out”" in capsys.readouterr().err
