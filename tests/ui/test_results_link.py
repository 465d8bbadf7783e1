"""A link that shows results shows no single record, on any page and in any file."""

import json
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from glocalx.extraction.settings import ExtractionSettings
from glocalx.pipeline.settings import BoxSettings, DataSettings, RuleSettings, RunSettings
from glocalx.workspace.opened_run import OpenedRun
from glocalx.workspace.store import Workspace
from tests.ui.reading import texts
from ui.audit import downloads
from ui.local_rules import files

ROWS = 160
AMOUNTS = [f"{(i * 37.117) % 90 + 0.00317:.5f}" for i in range(ROWS)]
PAGES = ("data_and_model", "local_rules", "merge", "global_theory", "audit", "compare")


@pytest.fixture(scope="module")
def private_ahead(tmp_path_factory):
    """Records with a name each, and with amounts that nobody else has."""
    lines = [
        f"person{i:04}x,{amount},{'ab'[i % 2]},{'yes' if float(amount) > 40 else 'no'}"
        for i, amount in enumerate(AMOUNTS)
    ]
    settings = RunSettings(
        DataSettings(file="table", name="t.csv", roles={"answer": "target"}),
        BoxSettings(kind="svm"),
        RuleSettings(ExtractionSettings(neighbours=80, refine=False), records=8),
    )
    place = Workspace(tmp_path_factory.mktemp("private"))
    table = "\n".join(["who,amount,group,answer", *lines]).encode()
    run = place.create("browser:somebody", "Private", settings, {"table": table})
    for _ in OpenedRun(run).iter_to("merge"):
        pass
    return run


def everything(test: AppTest) -> str:
    """All that the browser is sent, figures and tables included."""
    said = [str(getattr(each, "proto", "")) for each in test.main]
    tables = [each.value.to_csv() for each in test.dataframe]
    return "\n".join([*said, *tables, texts(test)])


@pytest.mark.parametrize("shown", PAGES)
def test_no_page_shows_a_record(page, workspace, private_ahead, shown):
    theirs = workspace.duplicate(private_ahead, "browser:somebody")
    query = {"method": "tree"} if shown == "compare" else {}
    test = page(f"{shown}.py", theirs, READ="1", **query)
    sent = everything(test)
    assert "Its table and its single records stay with whoever made it" in sent
    assert "person0" not in sent
    assert not [amount for amount in AMOUNTS if amount.rstrip("0") in sent]


def test_the_owner_sees_them(page, workspace, private_ahead):
    mine = workspace.duplicate(private_ahead, "browser:tester")
    assert "person0" in everything(page("global_theory.py", mine))


def test_no_file_holds_a_record(monkeypatch, private_ahead):
    opened = OpenedRun(private_ahead)
    monkeypatch.setattr(files, "local_rules_of", lambda _: opened.local_rules)
    monkeypatch.setattr(files, "explained_of", lambda _: opened.labelled)
    for whole in (True, False):
        rules = json.loads(files.rules_json(private_ahead, whole=whole))["rules"]
        assert any(rule["counterfactuals"] for rule in rules) is whole
    assert any(local.counterfactuals for local in opened.local_rules)
    assert replace(opened.local_rules[0], counterfactuals=()).counterfactuals == ()


def test_the_zip_of_an_audit_has_no_file_of_records(monkeypatch):
    held = {"report_files": lambda _: {}, "as_json": lambda *_: "", "evidence_text": str}
    for name, made in held.items():
        monkeypatch.setattr(downloads, name, lambda *_, made=made, **__: made(_[0]) if _ else "")
    monkeypatch.setattr(downloads, "_counted", lambda *_: _Records())
    monkeypatch.setattr(downloads, "asked_of", lambda *_: {})
    monkeypatch.setattr(downloads, "_input", lambda *_: None)
    for may in (True, False):
        given = (object(), _Anything(), _Anything(), _Anything())
        made = downloads.evidence_files(*given, records=may)
        assert (downloads.RECORDS in made, downloads.COUNTED in made) == (may, may)


class _Records:
    def record_file(self, audit: object) -> bytes:
        return b"rows"

    def to_json(self) -> str:
        return "{}"


class _Anything:
    """Whatever is asked of it, it has one of its kind."""

    def __getattr__(self, name: str) -> object:
        return _Anything()
