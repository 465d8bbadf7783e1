"""Rules that were made elsewhere, brought to the page Local rules."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from glocalx.errors import GLocalXError
from glocalx.files.confined_rules import read_brought
from glocalx.pipeline.settings import RuleSettings
from glocalx.rules.schema import Feature, Schema
from glocalx.workspace.opened_run import OpenedRun
from glocalx.workspace.run import Run
from glocalx.workspace.store import Workspace
from tests.ui.reading import button

Open = Callable[..., AppTest]
SCHEMA = Schema(
    (Feature("age", "integer"), Feature("job", "categorical", ("clerk", "chief"))), ("no", "yes")
)
OURS = {
    "format": "glocalx/rules",
    "version": 1,
    "schema": SCHEMA.to_dict(),
    "rules": [{"if": {"age": {"from": 30}}, "then": "yes"}],
}
PUBLISHED = '[{"0": [23.0, Infinity], "label": "no"}]'
PRINTED_BY_LORE = "[{'y': 'yes'}, {'age': '>23'}, [5.0, 1.0]]"


@pytest.mark.parametrize("text", [json.dumps(OURS), PUBLISHED, PRINTED_BY_LORE])
def test_known_formats_are_read(text: str):
    (rule,) = read_brought(text.encode(), "rules.json", SCHEMA)
    assert rule.features == ("age",)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[]", "There are no rules in “r.json”"),
        ("{", "The file “r.json” cannot be used"),
        ('[{"7": [1, 2], "label": "no"}]', "there is no column number 7"),
        (json.dumps(OURS).replace('"age"', '"wage"'), "is about another table, see its rule 1"),
        (json.dumps({**OURS, "version": 9}), "version 9"),
        ("\x00\xff", "The file “r.json”"),
    ],
)
def test_a_broken_file_gets_one_sentence(text: str, said: str):
    with pytest.raises(GLocalXError, match=said):
        read_brought(text.encode("latin-1"), "r.json", SCHEMA)


@pytest.mark.parametrize("name", ["../../etc/passwd", "a/b\\c.json", "..", "", "x" * 300, "a\0b"])
def test_no_name_leads_out_of_the_folder(name: str):
    assert read_brought(PUBLISHED.encode(), name, SCHEMA)


@pytest.fixture
def brought(apart: None, finished_run: Run, workspace: Workspace) -> Run:
    """COMPAS with two rules from elsewhere."""
    rules = [{"6": [5, "x"], "label": "High"}, {"0": [30, "x"], "label": "Medium or Low"}]
    data = json.dumps(rules).replace('"x"', "Infinity").encode()
    chosen = RuleSettings(file="rules", name="theirs *.json (abc)")
    settings = replace(finished_run.settings, rules=chosen)
    run = workspace.save(finished_run, settings=settings, files={"rules": data})
    for _ in OpenedRun(run).iter_to("rules"):
        pass
    return run


def test_brought_rules_belong_to_no_record(page: Open, brought: Run):
    test = page("local_rules.py", brought, rule="1")
    words = "\n".join(str(each.value) for each in (*test.markdown, *test.header))
    assert "**Rule 1**" in words
    assert "The record" not in words
    assert "What would change" not in words
    assert "These rules were made elsewhere: theirs \\*\\.json" in words
    assert len(test.dataframe) == 1
    assert "written for" not in next(each.proto.help for each in test.metric)


def test_a_broken_upload_changes_nothing(page: Open, finished_run: Run, workspace: Workspace):
    test = page("local_rules.py", finished_run)
    test.file_uploader[0].upload("bad.json", b"{", "application/json").run()
    assert test.error[0].value.startswith("The file “bad\\.json” cannot be used")
    assert workspace.run(finished_run.id).settings == finished_run.settings


def test_a_good_upload_asks_first_and_is_then_used(
    page: Open, finished_run: Run, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
):
    started = []
    monkeypatch.setattr("ui.work.start", lambda run, until: started.append(until))
    test = page("local_rules.py", finished_run)
    data = b'[{"6": [5, Infinity], "label": "High"}]'
    test.file_uploader[0].upload("theirs.json", data, "application/json").run()
    assert any("merging has to be done again" in each.value for each in test.warning)
    assert workspace.run(finished_run.id).settings == finished_run.settings
    button(test, "Use these rules").click().run()
    assert started == ["rules"]
    saved = workspace.run(finished_run.id)
    assert saved.settings.rules.file == "rules"
    assert (saved.folder / "rules").read_bytes() == data
