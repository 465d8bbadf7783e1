"""Theories made shorter: what goes, what stays, and what it costs."""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glocalx.errors import GLocalXError
from glocalx.rules.coverage import Records
from glocalx.rules.rule import Rule
from glocalx.rules.schema import Schema
from glocalx.rules.scoring import Reference
from glocalx.rules.theory import Theory
from glocalx.selection import iter_shorter, pooled, reading_curve, shortened
from glocalx.selection.budget import records_to_earn
from glocalx.selection.pricing import Reading
from tests.merging.test_hierarchy import grown, many_rules
from tests.strategies import World, worlds

prices = st.sampled_from([0.0, 0.01, 0.05, 0.2])


def conditions(rules) -> int:
    return sum(map(len, rules))


def in_one_step(rules: frozenset[Rule]):
    """All that one step can leave: without a rule, or with a rule that lacks a condition."""
    for rule in rules:
        yield rules - {rule}
        if len(rule) > 1:
            for gone in rule.premises:
                wider = Rule(tuple(each for each in rule.premises if each != gone), rule.outcome)
                yield rules - {rule} | {wider}


@given(worlds(max_rules=6))
def test_each_step_is_the_cheapest_for_a_condition_that_is_saved(world: World):
    reference = world.reference
    now, *path = iter_shorter(world.rules, reference)
    assert set(now.theory) == set(world.rules)
    for after in path:
        rules = frozenset(now.theory)
        ways = set(in_one_step(rules))
        assert frozenset(after.theory) in ways
        assert after.agreed == reference.agreement(after.theory)
        costs = [
            lost / (saved or 1)
            for way in ways
            for saved in [conditions(rules) - conditions(way)]
            for lost in [reference.agreement(rules) - reference.agreement(way)]
            if way or saved == 1 or lost <= 0  # the last rule that helps does not go at once
        ]
        assert now.cost_of(after) == min(costs)
        now = after
    assert now.theory.size == 0


@given(worlds(max_rules=6), prices, st.randoms(use_true_random=False))
def test_what_goes_cost_less_than_its_price_and_what_stays_earns_it(world: World, price, random):
    reference = world.reference
    before, kept = Theory.of(world.rules), shortened(world.rules, reference, price=price)
    saved = conditions(before) - conditions(kept)
    lost = reference.agreement(before) - reference.agreement(kept)
    due = price * reference.size**0.5
    assert lost <= max(due * saved, 0) + 1e-9
    for way in in_one_step(frozenset(kept)):
        cost = reference.agreement(kept) - reference.agreement(way)
        assert cost > 0
        assert cost >= due * (conditions(kept) - conditions(way)) - 1e-9 or not way
    shuffled = list(world.rules)
    random.shuffle(shuffled)
    assert shortened(shuffled, reference, price=price) == kept


def test_the_last_rule_that_helps_is_made_shorter_and_does_not_go():
    """At once its two conditions cost three records, without the one on age it costs two."""
    people = pd.DataFrame({"age": [1] * 3 + [9] * 3 + [1] * 4, "score": [1] * 5 + [9] * 5})
    labels = ["a"] * 3 + ["b"] * 7
    schema = Schema.of(people, labels)
    reference = Reference(Records(schema, people), labels)
    rule = schema.rule({"age": (0, 5), "score": (0, 5)}, "a")
    wider = schema.rule({"score": (0, 5)}, "a")
    found = [(set(each.theory), each.agreed) for each in iter_shorter([rule], reference)]
    assert found == [({rule}, 10), ({wider}, 8), (set(), 7)]
    assert set(shortened([rule], reference, conditions=1)) == {wider}
    assert set(shortened([rule], reference, price=0.7)) == {wider}
    assert set(shortened([rule], reference, price=0.6)) == {rule}


@given(worlds(max_rules=6), prices)
def test_the_first_step_that_is_too_dear_ends_it(world: World, price):
    reference = world.reference
    before, *path = iter_shorter(world.rules, reference)
    due = records_to_earn(price, reference)
    for after in path:
        cost = before.cost_of(after)
        if cost > 0 and (cost >= due or not after.theory.size):
            break
        before = after
    assert shortened(world.rules, reference, price=price) == before.theory


def test_a_condition_that_earns_just_its_price_stays_and_of_equal_steps_the_longer_is_made():
    people = pd.DataFrame({"x": [1, 1, 9, 9], "y": [1, 9, 1, 9]})
    labels = ["a", "b", "b", "b"]
    schema = Schema.of(people, labels)
    reference = Reference(Records(schema, people), labels)
    both = schema.rule({"x": (0, 5), "y": (0, 5)}, "a")
    assert set(shortened([both], reference, price=0.5)) == {both}  # one record each, of four
    assert not set(shortened([both], reference, price=0.51)) & {both}
    wrong = schema.rule({"x": (5, 10), "y": (5, 10)}, "b")  # at no cost it goes, all at once
    found = [set(each.theory) for each in iter_shorter([both, wrong], reference)]
    assert found[:2] == [{both, wrong}, {both}]


@given(worlds(max_rules=8))
def test_rules_that_decide_nothing_are_gone(world: World):
    reference = world.reference
    kept = shortened(world.rules, reference)
    assert reference.agreement(kept) >= reference.agreement(world.rules)
    undecided = reference.records.everything
    for rule in reference.ranked(kept):
        assert reference.score(rule).coverage & undecided
        undecided &= ~reference.score(rule).coverage


@given(worlds(max_rules=6), st.integers(1, 12), prices)
def test_no_more_is_left_to_read_than_asked_for(world: World, most, price):
    reference = world.reference
    kept = shortened(world.rules, reference, price=price, conditions=most)
    assert conditions(kept) <= most
    free = shortened(world.rules, reference, price=price)
    if conditions(free) <= most:
        assert kept == free


@pytest.mark.parametrize("wrong", [{"price": -0.1}, {"price": float("nan")}, {"conditions": 0}])
def test_impossible_prices_are_refused(wrong):
    world = many_rules()
    with pytest.raises(GLocalXError):
        shortened(world.rules[:2], world.reference, **wrong)


@given(worlds(max_rules=6))
def test_the_curve_has_a_point_for_each_length_that_was_met(world: World):
    reference = world.reference
    points = reading_curve(world.rules, reference, reference)
    path = list(iter_shorter(world.rules, reference))
    assert [each.conditions for each in points] == sorted({each.conditions for each in path})
    shortest = {each.conditions: each for each in path}
    for point in points:
        there = shortest[point.conditions]
        assert point.rules == there.theory.size
        assert point.fidelity == pytest.approx(there.agreed / reference.size)


def test_a_pool_has_the_rules_of_every_hierarchy():
    world = many_rules()
    one, other = (
        grown(World(world.schema, world.frame, world.labels, rules))
        for rules in (world.rules[:30], world.rules[20:60])
    )
    assert set(pooled([one, other])) == {*one.every_rule(), *other.every_rule()}
    assert pooled([one, other]) == pooled([other, one])


def test_a_rule_without_conditions_saves_none_and_costs_all_that_it_brings():
    frame = pd.DataFrame({"x": range(12)})
    labels = ["a"] * 7 + ["b"] * 3 + ["a"] * 2
    schema = Schema.of(frame, labels)
    low, high = schema.rule({"x": (0, 7)}, "a"), schema.rule({"x": (10, 12)}, "a")
    everything = schema.rule({}, "b")
    reference = Reference(Records(schema, frame), labels)
    first, second, *_ = iter_shorter([low, high, everything], reference)
    assert (first.agreed, second.agreed) == (12, 10)
    assert set(second.theory) == {low, everything}
    without = Reading.of([low, high], reference)
    assert first.cost_of(without) == 3  # it saves no condition
