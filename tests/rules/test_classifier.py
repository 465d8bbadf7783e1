"""A theory as classifier, and why it says what it says about one record."""

import sqlite3
from contextlib import closing
from dataclasses import replace

import pandas as pd
import pytest
from hypothesis import given

from glocalx.errors import GLocalXError
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.coverage import Records
from glocalx.rules.dialects import SQLITE
from glocalx.rules.schema import Schema
from glocalx.rules.scoring import Reference
from glocalx.rules.steering import BarFeature, HandMark, PinRule, Steering
from glocalx.rules.theory import Theory
from tests import plain
from tests.export.hostile import ranked
from tests.strategies import World, worlds


@given(worlds())
def test_the_place_of_the_rule_that_decides_each_row(world: World):
    theory, records = RankedTheory.of(world.rules, world.reference), world.reference.records
    told = [theory.explain(records, place).deciding for place in range(records.size)]
    named = sorted({name for rule in theory.rules for name, _ in rule.premises})
    expected = [-1 if place is None else place for place in told]
    assert theory.deciding(world.frame[named]).tolist() == expected
    everyone = RankedTheory.of([world.schema.rule({}, "a")], world.reference)
    assert everyone.deciding(world.frame[[]]).tolist() == [0] * records.size
    nobody = RankedTheory.of([], world.reference)
    assert nobody.deciding(world.frame[[]]).tolist() == [-1] * records.size


def test_the_most_accurate_covering_rule_decides():
    frame = pd.DataFrame({"x": range(10)})
    labels = ["a"] * 6 + ["b"] * 4
    schema = Schema.of(frame, labels)
    reference = Reference(Records(schema, frame), labels)
    sharp = schema.rule({"x": (6, 10)}, "b")
    narrow = schema.rule({"x": (8, 10)}, "a")
    wide = schema.rule({"x": (7, 10)}, "a")
    theory = RankedTheory.of([sharp, narrow, wide], reference)
    told = [theory.explain(reference.records, place) for place in (0, 6, 9)]
    assert [(each.outcome, each.covering) for each in told] == [
        ("a", ()),
        ("b", (0,)),
        ("b", (0, 1, 2)),
    ]
    assert theory.rules[0] == sharp


def test_of_equally_accurate_rules_the_wider_decides_and_then_the_fixed_order():
    frame = pd.DataFrame({"x": range(6), "y": range(6)})
    labels = ["a", "b", "a", "b", "a", "b"]
    schema = Schema.of(frame, labels)
    reference = Reference(Records(schema, frame), labels)
    wide, narrow = schema.rule({"x": (0, 6)}, "b"), schema.rule({"x": (2, 4)}, "a")
    equal, third = schema.rule({"y": (2, 4)}, "a"), schema.rule({"y": (2, 4)}, "b")
    assert len({reference.score(rule).accuracy for rule in (wide, narrow, equal, third)}) == 1
    theory = RankedTheory.of([narrow, wide, equal], reference)
    assert theory.rules[0] == wide
    theory = RankedTheory.of([third, equal, narrow], reference)
    why = theory.explain(reference.records, 3)
    assert why.covering == (0, 1, 2)
    assert theory.rules == (narrow, equal, third)  # x before y, a before b


def test_an_outcome_that_the_held_out_records_do_not_know_agrees_with_none_of_them():
    frame, labels = pd.DataFrame({"x": range(4)}), ["c", "c", "a", "b"]
    schema = Schema.of(frame, labels)
    rules = [schema.rule({"x": (x, x + 1)}, label) for x, label in enumerate(labels)]
    theory = RankedTheory.of(rules, Reference(Records(schema, frame), labels))
    held_out = Records(Schema.of(frame, ["a", "b"]), frame)
    assert theory.fidelity(Reference(held_out, ["a", "b", "a", "b"])) == 2 / 4


@given(worlds())
def test_prediction_agrees_with_the_plain_vote(world: World):
    theory = RankedTheory.of(world.rules, world.reference)
    records = Records(world.schema, world.frame)
    expected = plain.predict(world.rules, world.frame, world.labels, world.schema.outcomes)
    assert list(theory.predict(records)) == expected
    assert theory.fidelity(world.reference) == world.reference.fidelity(world.rules)
    assert sum(bits.bit_count() for bits in theory.iter_decided(records)) == len(world.frame)


@given(worlds())
def test_explanation_names_every_covering_rule_and_the_one_that_decides(world: World):
    theory = RankedTheory.of(world.rules, world.reference)
    records = Records(world.schema, world.frame)
    predicted = theory.predict(records)
    for place in range(len(world.frame)):
        why = theory.explain(records, place, black_box=world.labels[place])
        covering = {
            i for i, r in enumerate(theory.rules) if plain.covers(r, world.frame.iloc[place])
        }
        assert set(why.covering) == covering
        assert why.deciding == min(covering, default=None)
        assert why.outcome == predicted[place]
        assert why.agrees == (predicted[place] == world.labels[place])


@given(worlds())
def test_rules_are_ranked_by_accuracy_then_coverage(world: World):
    ranked = RankedTheory.of(world.rules, world.reference).ranked
    order = [(-r.accuracy, -r.covered, r.rule.sort_key) for r in ranked]
    assert order == sorted(order)
    assert len({r.rule for r in ranked}) == len(ranked)


@given(worlds(max_rules=2))
def test_a_record_that_is_not_there_is_refused(world: World):
    theory = RankedTheory.of(world.rules, world.reference)
    records = Records(world.schema, world.frame)
    for place in (len(world.frame), -1, -len(world.frame)):
        with pytest.raises(GLocalXError, match=f"There is no record {place}: the table has"):
            theory.explain(records, place)
    last = len(world.frame) - 1
    assert theory.explain(records, last).outcome == theory.predict(records)[last]
    assert theory.explain(records, 0).agrees is None


@given(worlds())
def test_a_ranked_rule_says_what_the_reference_says(world: World):
    theory = RankedTheory.of(world.rules, world.reference)
    assert theory.size == len(set(world.rules)) == len(theory.theory)
    assert theory.theory == Theory.of(world.rules)
    assert theory.length == theory.theory.length
    assert theory.default == world.reference.majority
    for each in theory.ranked:
        score = world.reference.score(each.rule)
        assert (each.accuracy, each.fidelity) == (score.accuracy, score.fidelity)
        assert (each.covered, each.agreed) == (score.covered, score.agreed)


@given(worlds())
def test_sqlite_says_what_the_theory_says_and_by_which_rule(world: World):
    theory = RankedTheory.of(world.rules, world.reference)
    records = Records(world.schema, world.frame)
    expected = [
        (why.outcome, None if why.deciding is None else why.deciding + 1)
        for why in (theory.explain(records, place) for place in range(len(world.frame)))
    ]
    with closing(sqlite3.connect(":memory:")) as database:
        world.frame.to_sql("people", database, index=False)
        query = theory.to_sql(SQLITE, table=("main", "people"), outcome="said", rule="by")
        found = pd.read_sql(query, database)
        alone = pd.read_sql(theory.to_sql(SQLITE, table="people"), database)
        case = pd.read_sql(f"SELECT {theory.to_sql(SQLITE)} AS said FROM people", database)
    assert list(found.columns) == [*world.frame.columns, "said", "by"]
    by = [None if pd.isna(number) else number for number in found["by"]]
    assert list(zip(found["said"], by, strict=True)) == expected
    assert list(alone.columns) == [*world.frame.columns, "outcome"]
    assert list(alone["outcome"]) == list(case["said"]) == [said for said, _ in expected]


def test_sql_says_what_is_by_hand_and_answers_as_before():
    frame = pd.DataFrame({"x": range(6)})
    labels = ["a"] * 4 + ["b"] * 2
    schema = Schema.of(frame, labels)
    reference = Reference(Records(schema, frame), labels)
    theory = RankedTheory.of([schema.rule({"x": (4, 6)}, "b")], reference)
    (only,) = theory.ranked
    steering = Steering((PinRule(only.rule), BarFeature("y")))
    marked = replace(theory, ranked=(replace(only, mark=HandMark("pinned")),), steering=steering)
    lines = marked.to_sql().splitlines()
    assert lines[1:3] == ["/* No rule may name “y”. */", "/* By hand: 1 rule pinned. */"]
    x = "NULLIF(CAST(\"x\" AS DOUBLE), 'NaN')"
    assert lines[3:5] == ["CASE", f"  WHEN {x} >= 4 AND {x} < 6 THEN 'b' /* pinned */"]
    assert "\n".join([lines[0], *lines[3:]]).replace(" /* pinned */", "") == theory.to_sql()
    assert marked.to_sql(table="t").splitlines()[1].startswith("/* No rule")
    assert theory.to_sql(table="t").splitlines()[1:3] == ["SELECT *,", "CASE"]
    assert RankedTheory.of([], reference).to_sql().splitlines()[1:] == ["'a'"]


@pytest.mark.parametrize(
    ("conditions", "said"),
    [
        ([{"x": (4, 6)}], ""),
        ([{}], ""),
        ([{}, {"x": (4, 6)}], "Rule 2 can never decide: rule 1 covers everyone."),
        (
            [{"x": (4, 6)}, {}, {"x": (1, 2)}, {"x": (2, 3)}],
            "Rules 3 to 4 can never decide: rule 2 covers everyone.",
        ),
    ],
)
def test_sql_says_which_rules_can_never_decide(conditions, said):
    schema = Schema.of(pd.DataFrame({"x": range(6)}), ["a", "b"])
    theory = ranked(schema, [schema.rule(each, "b") for each in conditions])
    assert theory.never_said == said
    begins = [f"/* {said} */", "CASE"] if said else ["CASE"]
    assert theory.to_sql().splitlines()[1 : len(begins) + 1] == begins
