"""`glocalx merge`, run as a person and as a program would."""

import json
import math
import subprocess
import sys

import pytest

from glocalx.__main__ import main
from glocalx.files import read_hierarchy, read_theory, write_rules
from glocalx.rules.schema import Feature, Schema
from tests.merging.test_hierarchy import many_rules


@pytest.fixture
def brought(tmp_path):
    world = many_rules()
    table = world.frame.assign(answer=world.labels)
    table.iloc[:150].to_csv(tmp_path / "data.csv", index=False)
    table.iloc[150:].to_csv(tmp_path / "test.csv", index=False)
    write_rules(tmp_path / "rules.json", world.rules, world.schema)
    return tmp_path


def run(*arguments, capsys):
    code = main([str(argument) for argument in arguments])
    shown = capsys.readouterr()
    return code, shown.out, shown.err


def test_json_has_every_key(brought, capsys):
    code, out, err = run(
        "merge",
        brought / "rules.json",
        brought / "data.csv",
        *("--labels", "answer", "--test", brought / "test.csv", "--budget", 5),
        *("--out", brought / "out", "--json"),
        capsys=capsys,
    )
    assert (code, err) == (0, "")
    answer = json.loads(out)
    assert answer.keys() >= {
        *("seconds", "distinct_rules", "accepted", "rejected", "rules_left"),
        *("size", "length", "fidelity", "rules"),
    }
    assert answer["size"] == len(answer["rules"]) <= 5
    assert 0.8 < answer["fidelity"] <= 1
    assert read_theory(brought / "out" / "theory.json").size == answer["size"]
    assert read_hierarchy(brought / "out" / "hierarchy.json")[0].finished


def test_a_person_reads_sentences(brought, capsys):
    code, out, _ = run(
        "merge", brought / "rules.json", brought / "data.csv", "--labels", "answer", capsys=capsys
    )
    assert code == 0
    assert "distinct local rules" in out
    assert "give --test" in out
    assert "→ high" in out


def test_published_rules_by_column_number(brought, capsys):
    rules = [{"0": [20.5, float("inf")], "label": "high"}, {"0": [0, 20], "label": "low"}]
    (brought / "published.json").write_text(json.dumps(rules))
    code, out, _ = run(
        "merge",
        *(brought / "published.json", brought / "data.csv"),
        *("--labels", "answer", "--alpha", 2, "--json"),
        capsys=capsys,
    )
    assert code == 0
    assert json.loads(out)["rules"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["rules.json", "data.csv", "--labels", "nothing"], "no column “nothing”"),
        (["none.json", "data.csv", "--labels", "answer"], "There is no file"),
        (["rules.json", "none.csv", "--labels", "answer"], "There is no file"),
        (["rules.json", "data.csv", "--labels", "answer", "--budget", "0"], "at least 1"),
        (["rules.json", "empty.csv", "--labels", "answer"], "empty.csv"),
        (["rules.json", "other.csv", "--labels", "answer"], "lacks the column “y”"),
        (["rules.json", "data.csv", "--labels", "answer", "--out", "rules.json"], "be written"),
        (["rules.json", "gaps.csv", "--labels", "answer"], "1 empty label"),
    ],
)
def test_mistakes_get_one_sentence(brought, capsys, arguments, sentence):
    (brought / "empty.csv").write_text("")
    (brought / "other.csv").write_text("x,answer\n1,high\n2,low\n")
    (brought / "gaps.csv").write_text("x,y,answer\n1,1,high\n2,2,\n3,3,low\n")
    placed = [brought / a if "." in a else a for a in arguments]
    code, out, err = run("merge", *placed, capsys=capsys)
    assert (code, out) == (2, "")
    assert sentence in err
    assert err.count("\n") == 1


def test_it_runs_as_a_module(brought):
    done = subprocess.run(
        [sys.executable, "-m", "glocalx", "merge", "--help"], capture_output=True, text=True
    )
    assert done.returncode == 0
    assert "RULES.json" in done.stdout


def test_a_table_is_read_as_its_rules_say(tmp_path, capsys):
    """Decimal commas, dates and unknown categories: as `explain` reads them."""
    (tmp_path / "t.csv").write_text(
        "when;income;job;answer\n"
        + "".join(
            f"2020-01-{day:02};{day},5;clerk;{'a' if day < 15 else 'b'}\n" for day in range(1, 29)
        )
        + "2020-02-01;3,5;pilot;a\n",
        encoding="utf-8",
    )
    schema = Schema(
        (
            Feature("when", "date"),
            Feature("income", "numeric"),
            Feature("job", "categorical", ("clerk", "smith")),
        ),
        ("a", "b"),
    )
    rules = [
        schema.rule({"income": (-math.inf, 15)}, "a"),
        schema.rule({"when": (18_276, 18_290)}, "b"),
        schema.rule({"job": ["clerk"], "income": (15, math.inf)}, "b"),
    ]
    write_rules(tmp_path / "r.json", rules, schema)
    code, out, err = run(
        "merge", tmp_path / "r.json", tmp_path / "t.csv", "--labels", "answer", capsys=capsys
    )
    assert (code, err) == (0, "")
    assert "agrees with the black box on 100.0%" in out
    assert "categories that the rules do not know: “pilot”, in 1 record" in out


def test_rules_that_know_no_gaps_are_merged_on_filled_records(tmp_path, capsys):
    """As earlier versions did; what fills them is then part of the theory."""
    schema = Schema((Feature("income", "numeric"), Feature("job", "categorical", "ab")), ("n", "y"))
    rules = [schema.rule({"income": (-math.inf, 5)}, "n"), schema.rule({"job": ["a"]}, "y")]
    write_rules(tmp_path / "old.json", rules, schema)
    rows = [*((day + 0.5, "a", "n" if day < 5 else "y") for day in range(10)), ("", "a", "y")]
    lines = [",".join(map(str, row)) for row in (("income", "job", "answer"), *rows)]
    (tmp_path / "t.csv").write_text("\n".join(lines) + "\n")
    (tmp_path / "held_out.csv").write_text("income,job,answer\n1.5,a,n\n,,y\n")
    given = (tmp_path / "old.json", tmp_path / "t.csv", "--labels", "answer")
    options = ("--test", tmp_path / "held_out.csv", "--out", tmp_path / "out")
    code, out, err = run("merge", *given, *options, capsys=capsys)
    assert (code, err) == (0, "")
    assert "“income” lacks 1 of 11 values (9.1 %); it was replaced by the mean, 5." in out
    assert "on 100.0% of held-out records" in out
    assert read_theory(tmp_path / "out" / "theory.json").schema.fills == {"income": 5.0}
    known = Schema((Feature("income", "numeric", gaps=True), schema["job"]), ("n", "y"))
    write_rules(tmp_path / "new.json", [known.rule({"income": None}, "y"), *rules], known)
    code, out, _ = run("merge", tmp_path / "new.json", *given[1:], *options, capsys=capsys)
    assert "rules can speak of that" in out
    assert read_theory(tmp_path / "out" / "theory.json").schema.fills == {}
