"""`glocalx audit`: mistakes, probabilities, differences given factors, and a truth of its own."""

import csv
import json

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import precision_score

from glocalx.__main__ import main
from glocalx.files import write_theory
from glocalx.rules.schema import Feature, Schema
from tests.export.hostile import ranked

SCHEMA = Schema(
    (Feature("sex", "categorical", ("f", "m")), Feature("field", "categorical", ("arts", "law"))),
    ("High", "Low"),
)


@pytest.fixture(scope="module")
def people(tmp_path_factory):
    folder = tmp_path_factory.mktemp("people")
    rng = np.random.default_rng(5)
    frame = pd.DataFrame({"sex": rng.choice(["f", "m"], 600)})
    law = rng.random(600) < np.where(frame["sex"] == "m", 0.8, 0.2)
    frame["field"] = np.where(law, "law", "arts")
    frame["said"] = np.where(law, "High", "Low")  # by the field alone
    frame["chance"] = np.where(law, 0.7, 0.2)
    frame["again"] = (rng.random(600) < frame["chance"]).astype(int)
    frame.loc[::50, "again"] = None
    frame.to_csv(folder / "people.csv", index=False)
    rules = [SCHEMA.rule({"field": ["law"]}, "High"), SCHEMA.rule({"field": ["arts"]}, "Low")]
    write_theory(folder / "theory.json", ranked(SCHEMA, rules))
    return folder


def audited(people, out, *options):
    given = [str(people / "theory.json"), str(people / "people.csv"), "--by", "sex"]
    asked = ["--predictions", "said", "--outcome", "High", "--out", str(out)]
    return main(["audit", *given, *asked, *options])


TRUTH = ("--label", "again", "--means", "1=High", "0=Low")


def test_everything_that_is_asked_is_written_and_repeated(people, tmp_path, capsys):
    asked = ("--given", "field", "--probability", "chance", "--tolerance", "20")
    assert audited(people, tmp_path, *TRUTH, *asked) == 0
    found = json.loads((tmp_path / "audit.json").read_text())
    table = pd.read_csv(people / "people.csv").dropna(subset="again")
    for row in found["parity"]:
        part = table[table["sex"] == row["group"]]
        expected = precision_score(part["again"] == 1, part["said"] == "High")
        assert row["precision rate"] == pytest.approx(expected)
        assert row["equalized odds verdict"] != "not enough records"
    women = next(row for row in found["given"] if row["group"] == "f")
    assert women["difference"] < -0.5
    assert women["difference_given"] == 0  # the field alone decides
    assert women["answers_by"] == "black box"
    assert {row["verdict"] for row in found["calibration"]} == {"no difference shown"}
    with (tmp_path / "calibration.csv").open(encoding="utf-8-sig") as file:
        assert len(list(csv.DictReader(file))) == 2
    page = (tmp_path / "report.html").read_text()
    for said in (
        "Equalized odds",
        "differences below",
        "keep their word",
        "no difference is shown",
    ):
        assert said in page, said
    assert "where “1” means “High” and “0” means “Low”" in page
    capsys.readouterr()
    assert main(["audit", "--verify", str(tmp_path)]) == 0


def test_without_a_truth_nothing_is_said_of_mistakes(people, tmp_path):
    assert audited(people, tmp_path) == 0
    assert "Equalized odds" not in (tmp_path / "report.html").read_text()
    assert not (tmp_path / "parity.csv").exists()


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--means", "1=High"), "Name that column"),
        (("--label", "again", "--means", "1=Higher"), "which is no outcome"),
        (("--label", "again", "--means", "1=High"), "The label “0” is none of the outcomes"),
        (("--label", "again", "--means", "1"), "says nothing"),
        (("--tolerance", "0"), "between 0 and 100 points"),
        (("--probability", "chance"), "where the true outcome is known"),
        ((*TRUTH, "--probability", "field"), "holds no numbers"),
        (("--given", "nothing"), "has no column “nothing”"),
    ],
)
def test_what_cannot_be_asked_is_refused(people, tmp_path, capsys, options, sentence):
    assert audited(people, tmp_path, *options) == 2
    assert sentence in capsys.readouterr().err
