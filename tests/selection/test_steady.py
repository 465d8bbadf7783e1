"""Rules that cut numbers at few places, the same for every seed."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given

from glocalx.errors import GLocalXError
from glocalx.rules.coverage import Records
from glocalx.rules.rule import Interval
from glocalx.rules.schema import Schema
from glocalx.rules.scoring import Reference
from glocalx.selection import candidates_for, select, steady_rules
from tests.merging.test_hierarchy import grown, many_rules
from tests.strategies import World, worlds

PEOPLE = pd.DataFrame({"age": np.arange(100), "job": ["clerk", "cook"] * 50})
LABELS = ["young"] * 40 + ["old"] * 60
SCHEMA = Schema.of(PEOPLE, LABELS)
REFERENCE = Reference(Records(SCHEMA, PEOPLE), LABELS)


def ends(premises):
    return {(rule.outcome, *rule.premises[0][1].sort_key[:2]) for rule in premises}


def test_ends_go_to_the_nearest_fifth_so_that_two_seeds_say_the_same():
    one, other = (SCHEMA.rule({"age": (-math.inf, high)}, "young") for high in (38, 43))
    assert ends(steady_rules([one, other], REFERENCE, parts=5)) == {("young", -math.inf, 40)}
    for alone in (one, other):
        assert ends(steady_rules([alone], REFERENCE, parts=5)) == {("young", -math.inf, 40)}
    between = SCHEMA.rule({"age": (22, 71)}, "old")  # 71 is past the middle
    assert ends(steady_rules([between], REFERENCE, parts=5)) == {("old", 20, 80)}


def test_few_values_are_cuts_themselves_and_categories_stay():
    few = pd.DataFrame({"children": [0, 1, 2, 3] * 5, "job": ["clerk", "cook"] * 10})
    schema = Schema.of(few, LABELS[30:50])
    reference = Reference(Records(schema, few), LABELS[30:50])
    for cut in (1, 2, 3):
        rule = schema.rule({"children": (cut, math.inf)}, "old")
        assert list(steady_rules([rule], reference)) == [rule]
    rule = schema.rule({"job": {"cook"}}, "old")
    assert list(steady_rules([rule], reference)) == [rule]


def test_a_condition_whose_ends_meet_is_gone_and_with_the_last_one_the_rule():
    narrow = SCHEMA.rule({"age": (38, 42), "job": {"cook"}}, "young")
    cook = SCHEMA.rule({"job": {"cook"}}, "young")
    assert list(steady_rules([narrow], REFERENCE, parts=5)) == [cook]
    assert not steady_rules([SCHEMA.rule({"age": (38, 42)}, "young")], REFERENCE, parts=5).size


def test_what_is_said_once_is_left_out_unless_nothing_is_said_twice():
    """Also an interval without either of its ends, and not for the other outcome."""
    rules = [
        SCHEMA.rule({"age": (20, 60), "job": {"cook"}}, "young"),
        SCHEMA.rule({"age": (20, 80), "job": {"clerk"}}, "young"),
        SCHEMA.rule({"age": (20, math.inf), "job": {"clerk"}}, "old"),
    ]
    common = steady_rules(rules, REFERENCE, parts=5)
    assert ends(common) == {("young", 20, math.inf)}
    assert set(steady_rules(rules[1:], REFERENCE, parts=5)) == set(rules[1:])


def test_a_share_of_the_rules_has_to_say_it():
    pairs = [(20, math.inf), (40, math.inf), (20, 40), (40, 60), (60, 80)]
    rules = [SCHEMA.rule({"age": ends}, "old") for ends in pairs]
    said = ends(steady_rules(rules, REFERENCE, parts=5, share=0.4))  # by two of the five
    assert said == {("old", 20, math.inf), ("old", 40, math.inf)}
    assert set(steady_rules(rules, REFERENCE, parts=5, share=0.5)) == set(rules)


@given(worlds())
def test_each_is_short_is_cut_at_a_value_of_the_records_and_is_said_by_many(world: World):
    made = steady_rules(world.rules, world.reference, parts=4, length=2, share=0.2)
    moved = steady_rules(world.rules, world.reference, parts=4, length=9, share=1.1)
    for rule in made:
        for name, premise in rule.premises:
            if isinstance(premise, Interval) and not premise.is_only_missing:
                known = set(world.reference.records.values(name).tolist())
                assert {premise.low, premise.high} <= known | {-math.inf, math.inf}
    if set(made) != set(moved):
        assert all(len(rule) <= 2 for rule in made)


def test_a_steady_theory_is_chosen_from_these_and_only_by_budget():
    world = many_rules()
    hierarchy, reference = grown(world), world.reference
    chosen = select(hierarchy, reference, budget=3, price=0.03, steady=True)
    assert chosen.size
    assert candidates_for(hierarchy, reference, steady=True) != candidates_for(
        hierarchy, reference, steady=False
    )
    with pytest.raises(GLocalXError, match="budget alone"):
        select(hierarchy, reference, alpha=3, steady=True)
