"""Every export by name."""

import csv
import io
import json

import pytest

from glocalx.errors import GLocalXError
from glocalx.report import collect_report, report_files
from tests.audit.audited import compas, merged_compas
from tests.report.reported import bare, full, hostile

AUDIT = {"traits", "rules", "overlaps", "proxies", "subgroups", "responsibility", "what_if"}
RULES = {"theory.sql", "theory.py", "theory.md"}


def test_every_table_and_every_language():
    names = set(report_files(full()))
    assert names >= {f"{name}.csv" for name in AUDIT} | RULES
    assert names >= {"report.html", "report.json", "audit.json", "held_out.csv"}
    assert set(report_files(bare())) == {"report.html", "report.json"} | RULES


def test_json_can_be_read_by_others():
    files = report_files(full())
    said = json.loads(files["report.json"])
    assert said["method"]["seed"] == 7
    assert said["held_out"]["rules"]["fidelity"] == full().held_out.rules.fidelity
    assert said["rules"] == list(full().sentences)
    assert len(json.loads(files["audit.json"])["subgroups"]) > 10


def test_held_out_figures_as_csv():
    text = report_files(full())["held_out.csv"].decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["explanation"] for row in rows] == ["rules", "tree, 10 leaves"]
    assert float(rows[0]["fidelity"]) == full().held_out.rules.fidelity


def test_formulas_in_cells_are_defused():
    text = report_files(hostile())["traits.csv"].decode("utf-8-sig")
    categories = {row["category"] for row in csv.DictReader(io.StringIO(text))}
    assert "'=1+1" in categories
    assert "=1+1" not in categories


def test_an_audit_of_other_rules_is_refused():
    with pytest.raises(GLocalXError, match="of other rules"):
        collect_report(merged_compas().theory, audit=full().audit)


def test_an_outcome_that_is_none_is_refused():
    with pytest.raises(GLocalXError, match="“perhaps” is none of the outcomes"):
        collect_report(compas().theory, outcome="perhaps")


def test_the_outcome_asked_about_is_the_one_that_rules_have_to_give():
    assert collect_report(compas().theory).outcome == "High"
    assert collect_report(compas().theory, outcome="Medium or Low").outcome == "Medium or Low"
