"""One record and the rules: what it lacks, and the smallest change, against trying everything."""

import math
from itertools import combinations, product

import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from glocalx.rules.classifier import RankedTheory
from glocalx.rules.coverage import Records
from glocalx.rules.schema import Schema
from glocalx.rules.scoring import Reference
from glocalx.rules.what_if import explain_values, missed, nearly_covering, smallest_flips
from tests.strategies import World, worlds


def _loans() -> tuple[RankedTheory, Records]:
    frame = pd.DataFrame(
        {
            "age": [20, 30, 40, 50, 60, 30],
            "job": ["clerk", "chief", "clerk", "chief", "none", "none"],
            "amount": [5, 5, 9, 9, 9, 5],
        }
    )
    labels = ["no", "no", "yes", "yes", "yes", "no"]
    schema = Schema.of(frame, labels)
    records = Records(schema, frame)
    rules = [
        schema.rule({"age": (35, math.inf), "job": ["clerk", "chief"]}, "yes"),
        schema.rule({"amount": (8, math.inf), "job": ["none"]}, "yes"),
    ]
    return RankedTheory.of(rules, Reference(records, labels)), records


@given(worlds(max_rules=6, max_records=12), st.integers(0, 11))
def test_explaining_values_is_explaining_the_record(world: World, place: int):
    theory = RankedTheory.of(world.rules, world.reference)
    place %= len(world.frame)
    record = world.frame.iloc[place].to_dict()
    said = theory.explain(world.reference.records, place)
    assert explain_values(theory, record) == said


@given(worlds(max_rules=6, max_records=10), st.integers(0, 9))
def test_no_smaller_change_flips_and_every_one_named_does(world: World, place: int):
    theory = RankedTheory.of(world.rules, world.reference)
    record = world.frame.iloc[place % len(world.frame)].to_dict()
    now = explain_values(theory, record).outcome
    flips = smallest_flips(theory, world.reference.records, record, most_features=2)
    for flip in flips:
        changed = record | {change.feature: change.after for change in flip.changes}
        then = explain_values(theory, changed)
        assert then.outcome == flip.outcome != now
        assert then.deciding == flip.deciding
        assert all(change.after in set(world.frame[change.feature]) for change in flip.changes)
    needed = len(flips[0].changes) if flips else None
    assert needed == _fewest(theory, world.frame, record, now)


def _fewest(theory: RankedTheory, frame: pd.DataFrame, record: dict, now: str) -> int | None:
    for size in (1, 2):
        for names in combinations(frame.columns, size):
            for values in product(*(set(frame[name]) for name in names)):
                changed = record | dict(zip(names, values, strict=True))
                if explain_values(theory, changed).outcome != now:
                    return size
    return None


def test_the_nearest_value_and_each_set_of_features_once():
    theory, records = _loans()
    flips = smallest_flips(theory, records, {"age": 20.0, "job": "clerk", "amount": 5.0})
    assert [[c.feature for c in flip.changes] for flip in flips] == [["age"]]
    assert flips[0].changes[0].after == 40.0
    assert flips[0].outcome == "yes"


def test_nothing_is_found_where_no_rule_says_otherwise():
    theory, records = _loans()
    silent = RankedTheory(theory.schema, (), "no")
    assert smallest_flips(silent, records, {"age": 20.0, "job": "clerk", "amount": 5.0}) == ()


def test_rules_that_lack_least_come_first():
    theory, _ = _loans()
    record = {"age": 20.0, "job": "none", "amount": 5.0}
    jobless = next(i for i, rule in enumerate(theory.rules) if "amount" in rule.features)
    assert nearly_covering(theory, record)[0] == (jobless, ("amount",))
    assert len(nearly_covering(theory, record, most=1)) == 1


def test_missing_and_unseen_values_satisfy_nothing():
    theory, _ = _loans()
    first = next(rule for rule in theory.rules if "age" in rule.features)
    assert missed(first, {"age": math.nan, "job": "pilot"}) == ("age", "job")
    assert math.inf in theory.schema["age"].interval(35, math.inf)
