"""`glocalx explain` and `glocalx audit` with models of other libraries."""

import json

import pandas as pd
import pytest

from glocalx.__main__ import main
from glocalx.files import read_local_rules, read_theory, write_theory
from glocalx.rules.coverage import Records
from glocalx.rules.scoring import Reference
from tests.blackbox.brought_models import BROUGHT, INPUTS, LOANS, Brought, loans
from tests.roads import brought_road


def run(capsys, *arguments):
    code = main([*map(str, arguments)])
    shown = capsys.readouterr()
    return code, shown.out, shown.err


def explained(capsys, brought: Brought, folder, *more, table=LOANS, records=40):
    answers = [("--answer", f"{a}={b}") for a, b in (brought.outcomes or {}).items()]
    columns = ("--model-columns", *brought.columns) if brought.columns else ()
    return run(
        capsys,
        *("explain", table, "--target", brought.target, "--model", brought.file),
        *(part for answer in answers for part in answer),
        *("--records", records, "--jobs", 1, "--out", folder, *columns, *more),
    )


@pytest.mark.parametrize("brought", BROUGHT, ids=lambda each: each.name)
def test_rules_speak_of_what_a_model_reads_alone(capsys, tmp_path, brought):
    code, out, err = explained(capsys, brought, tmp_path, "--seen", "Sample", records=150)
    assert (code, err) == (0, "")
    theory = read_theory(tmp_path / "theory.json")
    local, schema = read_local_rules(tmp_path / "local_rules.json")
    assert set(schema.names) == set(brought.reads)
    rules = [*theory.rules, *(each.rule for each in local)]
    assert {name for rule in rules for name in rule.features} <= set(brought.reads)
    pairs = ", ".join(f"{model} = {table}" for model, table in INPUTS.items())
    assert (f"Matched: {pairs}." in out) == (brought.columns is None)
    assert "Not read by the model, so in no rule: “Filed on”, “Gender”" in out
    assert "held-out records. The rules explain it" in out
    raw = Reference(Records(theory.schema, loans()), brought.answers)
    assert theory.fidelity(raw) >= 0.95, "on every row as it is in the file"
    named = {name for rule in theory.rules for name, part in rule.premises if part.missing}
    assert "Income (€ per month)" in named, "the gap, where the model uses it"


def test_an_audit_groups_by_what_the_model_does_not_read(capsys, tmp_path):
    write_theory(tmp_path / "theory.json", brought_road("xgboost").theory)
    options = (LOANS, "--by", "Gender", "--out", tmp_path / "audit", "--json")
    code, out, err = run(capsys, "audit", tmp_path / "theory.json", *options)
    assert (code, err) == (0, "")
    assert "female" in json.dumps(json.loads(out))


def test_records_that_it_may_have_seen_are_not_called_held_out(capsys, tmp_path):
    _, out, _ = explained(capsys, BROUGHT[1], tmp_path)
    assert "of these 180 records, which it may have seen. The rules explain it" in out


def test_what_stays_open_is_asked_and_can_be_said(capsys, tmp_path):
    table = tmp_path / "other.csv"
    renamed = {"Years at address": "Tenure", "Debt to income (%)": "Debt"}
    pd.read_csv(LOANS).rename(columns=renamed).to_csv(table, index=False)
    code, _, err = explained(capsys, BROUGHT[1], tmp_path, table=table)
    assert code == 2
    assert "“Debt_to_income” is missing; “years_at_address” is missing. Columns" in err
    said = ("--rename", "Debt_to_income=Debt", "--rename", "years_at_address=Tenure")
    code, out, err = explained(capsys, BROUGHT[1], tmp_path, *said, table=table)
    assert (code, err) == (0, "")
    assert "years_at_address = Tenure" in out
    code, _, err = explained(capsys, BROUGHT[1], tmp_path, "--rename", "Debt", table=table)
    assert "Write it as dti=Debt" in err


def test_saying_what_was_seen_needs_a_model_that_saw_it(capsys, tmp_path):
    options = ("--target", "Tier", "--seen", "Sample", "--out", tmp_path)
    code, _, err = run(capsys, "explain", LOANS, *options)
    assert code == 2
    assert "“--seen” does nothing with no --model" in err
