"""Where gaps are filled, what fills them is part of the theory, with one meaning everywhere."""

import json

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glocalx.audit.frame_source import FrameSource
from glocalx.errors import GLocalXError
from glocalx.export import theory_to_markdown
from glocalx.files import read_theory, write_theory
from glocalx.rules.coverage import Records
from glocalx.rules.schema import Feature, Schema
from glocalx.rules.what_if import explain_values, smallest_flips
from tests.export.hostile import ranked
from tests.rules.gaps import SCHEMA, GapWorld, exported_answers, gap_worlds

FILLS = {"income": 2.25, "age": 3.0, "job": "missing"}
FILLED = Schema(
    tuple(
        Feature(each.name, each.kind, each.categories, fill=FILLS.get(each.name))
        for each in SCHEMA.features
    ),
    SCHEMA.outcomes,
)
CONNECTION = duckdb.connect()


def theory_of(world: GapWorld):
    """The rules without what they say of gaps; some then say nothing."""
    rules = []
    for rule in world.rules:
        known = {name: each for name, each in rule.premises if not each.is_only_missing}
        rules.append(FILLED.rule(known, rule.outcome))
    return ranked(FILLED, tuple(dict.fromkeys(rules)))


@given(gap_worlds())
def test_raw_records_are_answered_as_filled_ones_by_every_export(world):
    theory, filled = theory_of(world), world.frame.fillna(FILLS)
    expected = theory.predict(Records(FILLED.with_fills({}), filled)).tolist()
    assert theory.predict(Records(FILLED, world.frame)).tolist() == expected
    answers = exported_answers(theory, world.frame, CONNECTION)
    assert answers == dict.fromkeys(answers, expected)
    rows = world.frame.astype(object).to_dict("records")
    assert [explain_values(theory, row).outcome for row in rows] == expected


@given(gap_worlds())
def test_rules_of_an_audit_see_what_was_filled_and_groups_do_not(world):
    theory = theory_of(world)
    source = FrameSource(FILLED, world.frame)
    records = Records(FILLED, world.frame)
    assert source.fills == FILLS
    for rule in theory.rules:
        assert source.coverage(rule) == records.coverage(rule)
    gaps = world.frame[list(FILLS)].isna().sum()
    assert source.gaps(FILLS) == {name: int(count) for name, count in gaps.items() if count}


def test_a_theory_file_keeps_it_and_files_without_are_read(tmp_path):
    theory = ranked(FILLED, (FILLED.rule({"income": (2, 9)}, "yes"),))
    write_theory(tmp_path / "theory.json", theory)
    assert read_theory(tmp_path / "theory.json").schema.fills == FILLS
    document = json.loads((tmp_path / "theory.json").read_text())
    for feature in document["schema"]["features"]:
        feature.pop("fill", None)
    (tmp_path / "theory.json").write_text(json.dumps(document))
    assert read_theory(tmp_path / "theory.json").schema.fills == {}


def test_readers_are_told_where_a_rule_asks_for_it():
    theory = ranked(FILLED, (FILLED.rule({"income": (2, 9), "job": ["chief"]}, "yes"),))
    told = theory_to_markdown(theory).splitlines()[0].replace("\\", "")
    assert told.endswith("A missing value counts as (income: 2.25; job: missing).")
    silent = ranked(FILLED, (FILLED.rule({"size": (2, 9)}, "yes"),))
    assert theory_to_markdown(silent).startswith("The first rule that applies decides.\n")


def test_what_fills_is_no_part_of_what_a_table_is():
    assert FILLED == SCHEMA
    assert FILLED.to_dict(words=False) == FILLED.with_fills({}).to_dict(words=False)


@pytest.mark.parametrize(
    ("kind", "fill"),
    [("numeric", "many"), ("numeric", float("nan")), ("integer", True), ("categorical", "king")],
)
def test_what_cannot_stand_in_is_refused(kind, fill):
    categories = ("chief", "clerk") if kind == "categorical" else ()
    with pytest.raises(GLocalXError, match="cannot stand in for a missing value of “x”"):
        Feature("x", kind, categories, fill=fill)


@given(gap_worlds(), st.data())
def test_no_change_of_the_answer_makes_a_value_missing(world, data):
    theory = ranked(SCHEMA, world.rules)
    place = data.draw(st.integers(0, len(world.frame) - 1))
    record = world.frame.astype(object).iloc[place].to_dict()
    before = explain_values(theory, record).outcome
    for flip in smallest_flips(theory, world.records, record):
        changed = {**record, **{change.feature: change.after for change in flip.changes}}
        assert explain_values(theory, changed).outcome == flip.outcome != before
        assert all(
            change.after is not None and change.after == change.after for change in flip.changes
        )
