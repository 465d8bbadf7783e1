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
    assert steady_rules([one], REFERENCE) == steady_rules([other], REFERENCE)
    assert ends(steady_rules([one], REFERENCE)) == {("young", -math.inf, 40)}
    between = SCHEMA.rule({"age": (22, 71)}, "old")
    assert ends(steady_rules([between], REFERENCE)) == {("old", 20, 80)}  # 71 is past the middle


def test_few_values_are_cuts_themselves_and_categories_stay():
    few = pd.DataFrame({"children": [0, 1, 2, 3] * 5, "job": ["clerk", "cook"] * 10})
    schema = Schema.of(few, LABELS[30:50])
    reference = Reference(Records(schema, few), LABELS[30:50])
    for cut in (1, 2, 3):
        rule = schema.rule({"children": (cut, math.inf)}, "old")
        assert list(steady_rules([rule], reference)) == [rule]
    rule = schema.rule({"job": {"cook"}}, "old")
    assert list(steady_rules([rule], reference)) == [rule]


def test_a_rule_whose_ends_meet_is_gone():
    narrow = SCHEMA.rule({"age": (38, 42), "job": {"cook"}}, "young")
    assert not steady_rules([narrow], REFERENCE).size


@given(worlds())
def test_every_end_is_a_value_of_the_records_and_wider_rules_are_among_them(world: World):
    made = steady_rules(world.rules, world.reference)
    for rule in made:
        for name, premise in rule.premises:
            if isinstance(premise, Interval) and not premise.is_only_missing:
                known = set(world.reference.records.values(name).tolist())
                assert {premise.low, premise.high} <= known | {-math.inf, math.inf}
    assert any(len(rule) == 1 for rule in made) or not made.size


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
