"""A theory that is steered from the command line, and audited."""

import json

import pytest

from glocalx.files import read_theory
from tests.cli.test_merge_command import brought, run

__all__ = ["brought"]  # a fixture


def merge(folder, *steering, capsys):
    return run(
        *("merge", folder / "rules.json", folder / "data.csv", "--labels", "answer"),
        *("--test", folder / "test.csv", "--budget", 4, "--out", folder / "out", "--json"),
        *steering,
        capsys=capsys,
    )


def test_every_step_says_what_it_changed_and_the_theory_can_be_audited(brought, capsys):
    plain = json.loads(merge(brought, capsys=capsys)[1])
    written = "x >= 45 and y > 0.1 -> high"
    steering = ("--pin", 1, "--remove", 2, "--write", written, "--change", 3, "x < 9 -> low")
    code, out, err = merge(brought, *steering, capsys=capsys)
    assert (code, err) == (0, "")
    answer = json.loads(out)
    assert plain["rules"][0] in answer["rules"]
    assert not {plain["rules"][1], plain["rules"][2]} & set(answer["rules"])
    assert [each["step"].split(":")[0] for each in answer["steering"]] == [
        *("Pinned", "Changed", "Written", "Removed")
    ]
    assert answer["steering"][0]["answers_changed"] == 0
    assert answer["steering"][-1]["held_out"][1] == answer["fidelity"]
    theory = read_theory(brought / "out" / "theory.json")
    assert len(theory.steering.steps) == 4
    code, out, _ = run(
        *("audit", brought / "out" / "theory.json", brought / "test.csv", "--by", "x"),
        *("--bands", "x=25", "--predictions", "answer", "--out", brought / "audit"),
        capsys=capsys,
    )
    assert code == 0
    assert "written by hand" in (brought / "audit" / "report.html").read_text()
    assert "pinned" in (brought / "audit" / "rules.csv").read_text(encoding="utf-8-sig")
    again = merge(brought, "--steer", brought / "out" / "theory.json", capsys=capsys)
    assert read_theory(brought / "out" / "theory.json") == theory, again


def test_a_barred_feature_is_in_no_rule_and_a_broken_direction_is_named(brought, capsys):
    code, out, _ = merge(brought, "--bar", "y", capsys=capsys)
    assert code == 0
    assert " y" not in " ".join(json.loads(out)["rules"])
    code, out, _ = run(
        *("merge", brought / "rules.json", brought / "data.csv", "--labels", "answer"),
        *("--direction", "x", "up", "high", "--write", "x < 20 -> high"),
        capsys=capsys,
    )
    assert "written by hand, breaks what was said: More x never lowers high." in out


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--bar", "z"), "There is no feature “z”"),
        (("--direction", "x", "sideways", "high"), "has no direction"),
        (("--pin", "99"), "There is no rule 99: the theory has"),
        (("--write", "x > 3"), "has no outcome. Write a rule as"),
        (("--write", "z > 3 -> high"), "cannot be read"),
        (("--write", "x > 3 -> maybe"), "gives “maybe”, which is none of the outcomes"),
        (("--steer", "rules.json"), "step 2 of the steering"),
    ],
)
def test_bad_input_gets_one_sentence(brought, capsys, options, sentence, monkeypatch):
    monkeypatch.chdir(brought)
    (brought / "rules.json").rename(brought / "kept.json")
    (brought / "rules.json").write_text('[{"bar": "y"}, {"pin": 3}]')
    code, _, err = run(
        *("merge", brought / "kept.json", brought / "data.csv", "--labels", "answer", *options),
        capsys=capsys,
    )
    assert code
    assert sentence in err
    assert len(err.strip().splitlines()) == 1
