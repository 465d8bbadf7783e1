"""`--synthetic`: GLocalX* on the command line."""

import json

import pandas as pd
import pytest

from glocalx.__main__ import main
from glocalx.files import read_hierarchy, write_rules
from tests.merging.test_hierarchy import many_rules


@pytest.fixture
def brought(tmp_path):
    world = many_rules()
    world.frame.assign(answer=world.labels).to_csv(tmp_path / "data.csv", index=False)
    write_rules(tmp_path / "rules.json", world.rules, world.schema)
    return tmp_path


def _merge(folder, *options):
    command = ["merge", folder / "rules.json", folder / "data.csv", "--labels", "answer", *options]
    return main(list(map(str, command)))


def test_rules_are_merged_on_drawn_records(brought, capsys):
    prints = {}
    for name, options in (("real", []), ("drawn", ["--synthetic"])):
        assert _merge(brought, "--out", brought / name, "--json", *options) == 0
        prints[name] = read_hierarchy(brought / name / "hierarchy.json")[0].fingerprint
        assert json.loads(capsys.readouterr().out)["fidelity"] > 0.8
    assert prints["real"] != prints["drawn"]
    assert _merge(brought, "--synthetic", "--seed", 1) == 0
    out = capsys.readouterr().out
    assert "drawn from the distribution" in out
    assert "which it was not made on" in out


def test_explain_draws_too_with_a_model_and_with_predictions_alone(tmp_path, capsys):
    ages = [20 + i % 50 for i in range(400)]
    frame = pd.DataFrame({"age": ages, "job": ["clerk" if i % 3 else "smith" for i in range(400)]})
    frame["answer"] = ["yes" if age > 44 else "no" for age in ages]
    frame["said"] = ["yes" if age > 40 else "no" for age in ages]
    frame.to_csv(tmp_path / "people.csv", index=False)
    for box in (["--train", "rf", "--ignore", "said"], ["--predictions", "said"]):
        command = ["explain", tmp_path / "people.csv", "--target", "answer", *box, "--synthetic"]
        assert main([*map(str, command), "--jobs", "1", "--out", str(tmp_path / "out")]) == 0
        out = capsys.readouterr().out
        assert "drawn from the distribution" in out
        assert ("age ≤ 40 → no" if "--predictions" in box else "age ≤ 44 → no") in out
