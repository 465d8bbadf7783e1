"""The whole audit, its tables and its notes."""

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings

from glocalx.audit import (
    AuditSettings,
    FrameSource,
    audit_tables,
    iter_audit,
    json_ready,
    run_audit,
)
from glocalx.errors import GLocalXError
from glocalx.export.csv import table_to_csv
from glocalx.rules.schema import Feature, Schema
from tests.audit.audited import Audited, audits, compas
from tests.export.hostile import ranked


@settings(max_examples=15)
@given(audits(gaps=True))
def test_every_table_can_be_written(work: Audited):
    asked = AuditSettings(work.schema.outcomes[0], ("tribe", "age"))
    audit = run_audit(work.source, work.theory, asked)
    assert json.loads(json.dumps(json_ready(audit), allow_nan=False))["records"] == len(work.frame)
    for rows in audit_tables(audit).values():
        assert table_to_csv(rows).count("\r\n") >= len(rows)
        assert all(row.keys() == rows[0].keys() for row in rows)


def test_compas_in_full():
    work = compas()
    asked = AuditSettings("High", ("race", "sex", "age"), bands={"age": (25, 45)})
    audit = run_audit(work.source, work.theory, asked)
    tables = audit_tables(audit)
    assert len(tables["rules"]) == 6
    assert len(audit.ablations) == 6 + len({n for r in work.theory.rules for n in r.features})
    columns = {row["columns"] for row in tables["subgroups"]}
    assert columns == {"race", "sex", "age", "race × sex", "race × age", "sex × age"}
    groups = {row["group"] for row in tables["subgroups"] if row["columns"] == "age"}
    assert groups == {"age ≤ 24", "25 ≤ age < 45", "age ≥ 45"}
    assert audit.records == len(work.frame)
    notes = " ".join(audit.notes)
    assert "“age” is a number and is looked at in bands: age ≤ 24, 25 ≤ age < 45" in notes
    assert "not enough records" in notes
    assert "Holm" in notes


def test_what_is_missing_is_said():
    work = compas()
    frame = work.frame.copy()
    frame["race"] = frame["race"].mask(np.arange(len(frame)) < 7)
    frame.loc[9, "race"] = "Martian"
    labels = work.black_box.copy()
    labels[:3] = None
    source = FrameSource(work.schema, frame, labels)
    notes = " ".join(run_audit(source, work.theory, AuditSettings("High", ("race",))).notes)
    assert "7 records have no value in “race”" in notes
    assert "the group “missing” holds them" in notes
    assert "1 record has a category of “race” that the rules do not know" in notes
    assert "3 records have no black-box label" in notes
    assert "No true labels are given" in notes


def test_one_small_group_and_one_that_does_not_occur_are_said():
    frame = pd.DataFrame({"a": ["x"] * 50 + ["y"] * 40 + ["z"] * 3})
    schema = Schema((Feature("a", "categorical", ("w", "x", "y", "z")),), ("no", "yes"))
    theory = ranked(schema, [schema.rule({"a": ["x"]}, "yes")])
    notes = run_audit(FrameSource(schema, frame), theory, AuditSettings("yes", ("a",))).notes
    assert "1 group with fewer than 30 records is shown as not enough records: “z”." in notes
    assert "1 group does not occur; its rates are undefined." in notes


def test_steps_are_told_before_they_are_done():
    work = compas()
    steps = list(iter_audit(work.source, work.theory, AuditSettings("High", ("sex",))))
    assert steps[0] == "counting the records"
    assert len(steps) == len(set(steps)) == 5


def test_settings_that_cannot_be_are_refused():
    with pytest.raises(GLocalXError, match="Choose at least one"):
        AuditSettings("High", ())
    with pytest.raises(GLocalXError, match="named twice"):
        AuditSettings("High", ("sex", "sex"))


def test_a_theory_without_rules_can_be_audited():
    work = compas()
    empty = type(work.theory)(work.schema, (), "High")
    audit = run_audit(work.source, empty, AuditSettings("High", ("sex",)))
    selected = {g.answers["theory"].selected.value for g in audit.subgroups.subgroups}
    assert selected == {1.0}
    assert audit.rules == ()
    assert isinstance(pd.DataFrame(audit_tables(audit)["responsibility"]), pd.DataFrame)
