"""Conditions that nearly everybody meets leave a rule, unless it needs them."""

import math

import pandas as pd
from hypothesis import given

from glocalx.rules.classifier import RankedTheory
from glocalx.rules.coverage import Records
from glocalx.rules.idle import IDLE_SHARE, without_idle
from glocalx.rules.schema import Feature, Schema
from glocalx.rules.scoring import Reference
from tests.roads import finished_compas
from tests.rules.gaps import GapWorld, gap_worlds

SCHEMA = Schema(
    (
        Feature("days", "integer", gaps=True),
        Feature("income", "integer"),
        Feature("job", "categorical", ("clerk", "smith")),
    ),
    ("no", "yes"),
)
FRAME = pd.DataFrame(
    {
        "days": [None, *(day - 40 for day in range(99))],
        "income": range(100),
        "job": ["smith"] * 4 + ["clerk"] * 96,
    }
)


def plainer(premises, said):
    """What is left of a rule for “yes”, where the black box says these things."""
    reference = Reference(Records(SCHEMA, FRAME), said)
    (rule,) = without_idle([SCHEMA.rule(premises, "yes")], reference).rules
    return dict(rule.premises)


RICH = ["yes" if income >= 50 else "no" for income in FRAME["income"]]


def test_ends_that_nearly_everybody_is_within_are_not_said():
    left = plainer({"days": (-31, math.inf), "income": (50, 100)}, RICH)
    assert left == {"income": SCHEMA["income"].interval(50, math.inf)}


def test_an_end_goes_alone_where_the_other_says_something():
    left = plainer({"days": (-39, 10), "income": (50, 100)}, RICH)
    assert left["days"] == SCHEMA["days"].interval(-math.inf, 10)


def test_categories_and_known_values_go_as_well():
    left = plainer(
        {"days": (-math.inf, math.inf), "job": ["clerk"], "income": (50, math.inf)}, RICH
    )
    assert set(left) == {"income"}


def test_what_a_rule_needs_stays_however_few_it_keeps_out():
    said = ["no", *["yes"] * 99]  # the one whose days are missing
    left = plainer({"days": (-math.inf, math.inf)}, said)
    assert left == {"days": SCHEMA["days"].interval(-math.inf, math.inf)}


@given(gap_worlds())
def test_rules_only_widen_and_are_no_less_accurate(world: GapWorld):
    labels = [("no", "yes")[place % 2] for place in range(len(world.frame))]
    reference = Reference(world.records, labels)
    for rule in world.rules:
        (plain,) = without_idle([rule], reference).rules
        before, after = reference.score(rule), reference.score(plain)
        assert not before.coverage & ~after.coverage
        assert after.accuracy >= before.accuracy
        assert plain.outcome == rule.outcome
        assert set(plain.features) <= set(rule.features)
        for name, premise in rule.premises:
            out = world.records.everything & ~world.records.satisfying(name, premise)
            if plain.premise(name) is None:
                assert out.bit_count() <= IDLE_SHARE * reference.size
            if not out:
                assert plain.premise(name) is None


def test_a_chosen_theory_has_no_condition_that_everybody_meets():
    road = finished_compas()
    theory, records = road.theory, road.reference.records
    said = [named for rule in theory.rules for named in rule.premises]
    assert said
    assert all(records.satisfying(*named) != records.everything for named in said)
    assert RankedTheory.of(without_idle(theory.rules, road.reference), road.reference) == theory
