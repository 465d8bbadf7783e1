"""Journals: what was written is read, also while it is being written."""

import json

import pytest

from glocalx.errors import GLocalXError
from glocalx.extraction.local_rule import LocalRule
from glocalx.files.journals import (
    HierarchyJournal,
    HierarchyReader,
    LocalRulesJournal,
    LocalRulesReader,
)
from glocalx.merging.hierarchy import Hierarchy
from glocalx.merging.search import MergeSettings
from glocalx.rules.schema import Feature, Schema

SCHEMA = Schema((Feature("age", "integer"),), ("no", "yes"))


def rule(age):
    made = SCHEMA.rule({"age": (age, age + 10)}, "yes")
    return LocalRule(made, record=age, covered=3, agreed=2, judged=9)


def test_a_growing_journal_is_read_as_far_as_it_goes(tmp_path):
    path = tmp_path / "rules.jsonl"
    reader = LocalRulesReader(path, SCHEMA)
    assert reader.refresh() == []
    with LocalRulesJournal(path, {"key": "a"}) as journal:
        journal.add_rules([rule(1)])
        assert reader.refresh() == [rule(1)]
        journal.add_rules([rule(2), rule(3)])
        assert reader.refresh() == [rule(1), rule(2), rule(3)]
        assert not reader.finished
        journal.finish()
    reader.refresh()
    assert reader.finished


def test_a_cut_line_is_not_read_and_is_written_over(tmp_path):
    path = tmp_path / "rules.jsonl"
    with LocalRulesJournal(path, {"key": "a"}) as journal:
        journal.add_rules([rule(1), rule(2)])
    path.write_bytes(path.read_bytes()[:-5])
    assert LocalRulesReader(path, SCHEMA).refresh() == [rule(1)]
    with LocalRulesJournal(path, {"key": "a"}) as journal:
        journal.add_rules([rule(7)])
    assert LocalRulesReader(path, SCHEMA).refresh() == [rule(1), rule(7)]


def test_another_head_begins_anew(tmp_path):
    path = tmp_path / "rules.jsonl"
    for key in ("a", "b"):
        with LocalRulesJournal(path, {"key": key}) as journal:
            journal.add_rules([rule(1)])
    assert len(path.read_text().splitlines()) == 2


@pytest.mark.parametrize(
    "text",
    [
        '{"format":"other","version":1}\n',
        '{"format":"glocalx/local-rules-journal","version":9}\n',
        '{"format":"glocalx/local-rules-journal","version":1}\n{"if":3}\n',
        '{"format":"glocalx/local-rules-journal","version":1}\nnonsense\n',
        "[]\n",
    ],
)
def test_a_damaged_journal_is_refused_with_a_sentence(tmp_path, text):
    path = tmp_path / "rules.jsonl"
    path.write_text(text)
    with pytest.raises(GLocalXError, match=r"rules\.jsonl"):
        LocalRulesReader(path, SCHEMA).refresh()


def test_a_step_that_cannot_be_is_refused(tmp_path):
    path = tmp_path / "hierarchy.jsonl"
    rules = [rule(1).rule, rule(2).rule]
    with HierarchyJournal(path, {}, Hierarchy(tuple(rules), MergeSettings(8, 0), "x")) as journal:
        trial = [0, 9, 0.5, 1.0, 1.0, 1.0, 1.0]
        empty = {name: [] for name in ("new", "out", "in", "joins", "cuts", "rejected")}
        journal.add([{**empty, "trial": trial, "piece": 0, "rules_left": 1}])
    assert json.loads(path.read_text().splitlines()[0])["fingerprint"] == "x"
    with pytest.raises(GLocalXError, match=r"damaged|not there"):
        HierarchyReader(path, SCHEMA, rules).refresh()
