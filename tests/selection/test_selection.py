"""The three ways to a final theory."""

import math
from fractions import Fraction
from itertools import combinations, islice
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glocalx.errors import GLocalXError
from glocalx.rules.coverage import Records
from glocalx.rules.idle import without_idle
from glocalx.rules.rule import Rule
from glocalx.rules.schema import Feature, Schema
from glocalx.rules.scoring import Reference
from glocalx.rules.theory import Theory
from glocalx.selection import (
    budget_candidates,
    iter_budget,
    select,
    select_alpha,
    select_alpha_q,
    select_alpha_together,
    select_budget,
    shortened,
    with_wider,
)
from tests.merging.test_hierarchy import grown, many_rules
from tests.strategies import World, worlds


def winning(reference: Reference, rule):
    """Who decides, in exact numbers: the more accurate, the wider, the canonical first."""
    covered = reference.records.coverage(rule)
    right = covered & reference.having[rule.outcome]
    accuracy = Fraction(right.bit_count() + 1, covered.bit_count() + len(reference.outcomes))
    return -accuracy, -covered.bit_count(), rule.sort_key


def steps(size: int):
    """A table of `size` values with two outcomes in turn, and a rule for each of them."""
    frame = pd.DataFrame({"x": range(size)})
    labels = ["b" if x % 2 else "a" for x in range(size)]
    schema = Schema.of(frame, labels)
    rules = [schema.rule({"x": (x, x + 1)}, labels[x]) for x in range(size)]
    return rules, Reference(Records(schema, frame), labels)


def test_select_takes_one_way_and_a_budget_of_ten_by_default():
    rules, reference = steps(24)  # twelve of them help
    rules = [rule for rule in rules if rule.premise("x").low > 0]  # nothing below: an idle end
    left, every = Theory.of(rules[:6]), Theory.of(rules)
    hierarchy = SimpleNamespace(rules=lambda: left, every_rule=lambda: every)
    assert select(hierarchy, reference) == select_budget(rules, reference, 10)
    assert select(hierarchy, reference).size == 10
    assert select(hierarchy, reference, budget=11) == select_budget(rules, reference, 11)
    assert select(hierarchy, reference, alpha_q=0) == left
    assert select(hierarchy, reference, alpha_q=100) == select_alpha_q(left, reference, 100)
    alone = {"together": False}
    assert select(hierarchy, reference, alpha=4, **alone) == select_alpha(left, reference, 4)
    assert select(hierarchy, reference, alpha=1, **alone).size == 2  # one for each outcome
    together = select_alpha_together(every, reference, 4)
    assert select(hierarchy, reference, alpha=4) == shortened(together, reference)
    short = select(hierarchy, reference, budget=11, conditions=4)
    assert short == shortened(select_budget(rules, reference, 11), reference, conditions=4)
    assert short.size == 4
    assert select(hierarchy, reference, price=9).size == 1
    for also in ({"conditions": 4}, {"price": 0.1}):
        with pytest.raises(GLocalXError, match="with a budget alone"):
            select(hierarchy, reference, alpha=4, **also)
    ways = {"alpha": 4, "alpha_q": 4, "budget": 4}
    for several in (ways, *({key: ways[key] for key in pair} for pair in combinations(ways, 2))):
        with pytest.raises(GLocalXError, match="one of alpha, alpha_q and budget"):
            select(hierarchy, reference, **several)


def taken(rules, reference: Reference, **price: float):
    """What a budget takes, and no more than there is."""
    return list(islice(iter_budget(rules, reference, **price), len(rules) + 1))


@given(worlds(), st.integers(1, 12))
def test_alpha_takes_equally_faithful_rules_in_the_order_in_which_they_decide(world: World, alpha):
    share, reference = math.ceil(alpha / len(world.schema.outcomes)), world.reference
    expected = set()
    for outcome in world.schema.outcomes:
        rules = {rule for rule in world.rules if rule.outcome == outcome}
        fidelity = {rule: reference.score(rule).fidelity for rule in rules}
        order = sorted(rules, key=lambda rule: (-fidelity[rule], winning(reference, rule)))
        expected |= set(order[:share])
    assert set(select_alpha(world.rules, reference, alpha)) == expected


def test_rules_that_no_measure_tells_apart_are_taken_in_canonical_order():
    rules, reference = steps(24)
    firsts = [rule for rule in sorted(rules, key=lambda r: r.sort_key) if rule.outcome == "b"]
    for order in (rules, rules[::-1]):
        kept = select_alpha(order, reference, 6)
        assert [rule for rule in kept if rule.outcome == "b"] == firsts[:3]
        assert taken(order, reference) == firsts  # “a” is what is said without rules
        for budget in (1, 5, 12):
            assert list(select_budget(order, reference, budget)) == firsts[:budget]


@pytest.mark.parametrize("size", [63, 64, 65, 128, 129])
def test_the_budget_counts_records_in_any_number_of_words(size):
    rules, reference = steps(size)
    assert {*taken(rules, reference)} == {rule for rule in rules if rule.outcome == "b"}


@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_rule_for_one_record_helps_wherever_that_stands(place):
    frame = pd.DataFrame({"x": range(3)})
    labels = ["b" if x == place else "a" for x in range(3)]
    schema = Schema.of(frame, labels)
    rules = [schema.rule({"x": (x, x + 1)}, label) for x, label in enumerate(labels)]
    reference = Reference(Records(schema, frame), labels)
    assert taken(rules, reference) == [rules[place]]


def test_a_rule_that_comes_after_a_chosen_one_cannot_help_where_that_decides():
    frame, labels = pd.DataFrame({"x": range(12)}), ["b"] * 4 + ["a"] * 8
    schema = Schema.of(frame, labels)
    reference = Reference(Records(schema, frame), labels)
    ends = {(5, 12): "a", (0, 5): "b", (4, 5): "a"}  # the last would put right what is decided
    rules = [schema.rule({"x": each}, outcome) for each, outcome in ends.items()]
    assert reference.ranked(rules) == rules
    assert taken(rules, reference) == [rules[1]]


@pytest.mark.parametrize(
    "order",
    [
        [{"x": (9, 11)}, {"x": (7, 11)}, {"x": (6, 12)}],  # of 2, 4, 6 records 2, 3, 4 are right
        [{"y": (4, 12)}, {"x": (6, 10)}, {"x": (7, 9)}, {"y": (7, 9)}],  # half are right
    ],
)
def test_of_equally_faithful_rules_alpha_takes_the_most_accurate_then_the_widest(order):
    labels = ["a"] * 8 + ["b"] * 4
    frame = pd.DataFrame({"x": range(12), "y": range(12)})
    schema = Schema.of(frame, labels)
    reference = Reference(Records(schema, frame), labels)
    rules = [schema.rule(premises, "b") for premises in order]
    assert len({reference.score(rule).fidelity for rule in rules}) == 1
    for number in range(1, len(rules)):
        for some in (rules, rules[::-1]):
            assert set(select_alpha(some, reference, 2 * number)) == set(rules[:number])


@given(worlds())
def test_wider_rules_lack_one_premise_and_have_one_left(world: World):
    narrow = [rule for rule in world.rules if len(rule) > 1]
    wider = {
        Rule(tuple(each for each in rule.premises if each != left_out), rule.outcome)
        for rule in narrow
        for left_out in rule.premises
    }
    assert set(with_wider(world.rules)) == set(world.rules) | wider


@given(worlds(max_records=150))
def test_of_rules_that_help_alike_the_budget_takes_the_one_that_would_decide(world: World):
    reference = world.reference
    candidates = sorted(set(world.rules), key=lambda rule: winning(reference, rule))
    expected, best = [], reference.agreement([])
    while True:
        reached = [reference.agreement([*expected, rule]) for rule in candidates]
        if max(reached) <= best:
            break
        best = max(reached)
        expected.append(candidates[reached.index(best)])
    assert taken(world.rules, reference) == expected


@given(worlds(max_records=60), st.sampled_from([0.01, 0.1]))
def test_with_a_price_a_rule_has_to_earn_its_conditions(world: World, price):
    reference = world.reference
    chosen: list[Rule] = []
    for rule in iter_budget(world.rules, reference, price):
        gains = {
            each: reference.agreement([*chosen, each])
            - reference.agreement(chosen)
            - price * reference.size**0.5 * len(each)
            for each in world.rules
        }
        helping = {
            each: gain
            for each, gain in gains.items()
            if reference.agreement([*chosen, each]) > reference.agreement(chosen)
        }
        assert gains[rule] == pytest.approx(max(helping.values()))
        assert gains[rule] > 0 or not chosen  # a theory has a rule, whatever that costs
        chosen.append(rule)


def squares(*answers: int) -> tuple[Schema, Reference]:
    """Records 0 to 15 in a row, two outcomes; a condition at a price of 0.25 costs one record."""
    schema = Schema((Feature("x", "integer"), Feature("y", "integer")), ("a", "b"))
    frame = pd.DataFrame({"x": range(16), "y": range(16)})
    labels = tuple("b" if place in answers else "a" for place in range(16))
    return schema, Reference(Records(schema, frame), labels)


def test_the_first_rule_helps_however_dear_it_is():
    schema, reference = squares(3, 4)
    helps = schema.rule({"x": (3, 5), "y": (3, 9)}, "b")
    idle = schema.rule({"x": (4, 6)}, "b")  # one more and one less
    assert taken([helps, idle], reference, price=9) == [helps]


def test_a_rule_that_brings_just_its_price_is_not_worth_reading():
    schema, reference = squares(0, 1, 2, 9)
    wide, single = schema.rule({"x": (0, 3)}, "b"), schema.rule({"x": (9, 10)}, "b")
    assert taken([wide, single], reference, price=0.25) == [wide]
    assert taken([wide, single], reference, price=0.24) == [wide, single]


@pytest.mark.parametrize("price", [-0.5, math.inf, math.nan])
def test_a_price_that_is_none_is_refused(price):
    schema, reference = squares(3)
    with pytest.raises(GLocalXError, match="at least 0"):
        taken([schema.rule({"x": (3, 4)}, "b")], reference, price=price)


@given(worlds(), st.sampled_from([0, 50, 75, 95, 100]))
def test_alpha_q_keeps_rules_from_a_percentile_up(world: World, alpha_q):
    reference = world.reference
    kept = set(select_alpha_q(world.rules, reference, alpha_q))
    for outcome in {rule.outcome for rule in world.rules}:
        rules = {rule for rule in world.rules if rule.outcome == outcome}
        fidelities = {rule: reference.score(rule).fidelity for rule in rules}
        bar = np.percentile(list(fidelities.values()), alpha_q)
        assert kept & rules == {rule for rule in rules if fidelities[rule] >= bar}
    if alpha_q == 0:
        assert kept == set(world.rules)


def test_wider_rules_are_candidates_only_where_there_are_few(monkeypatch):
    world = many_rules()
    hierarchy, known = grown(world), world.reference
    every = hierarchy.every_rule()
    plain, wider = without_idle(every, known), without_idle(with_wider(every), known)
    monkeypatch.setitem(budget_candidates.__globals__, "FEW_RULES", every.size)
    assert budget_candidates(hierarchy, known) == plain != wider
    monkeypatch.setitem(budget_candidates.__globals__, "FEW_RULES", every.size + 1)
    assert budget_candidates(hierarchy, known) == wider
    assert plain != every, "some reach to where the records end"


def test_two_hundred_rules_are_not_few():
    pairs, known = two_premises(200)
    assert len(with_wider(pairs)) > len(pairs)
    few, many = (SimpleNamespace(every_rule=lambda n=n: Theory.of(pairs[:n])) for n in (199, 200))
    assert budget_candidates(few, known) == without_idle(with_wider(pairs[:199]), known)
    assert budget_candidates(many, known) == without_idle(pairs, known)


def two_premises(size: int):
    frame = pd.DataFrame({"x": range(size), "y": range(size)})
    schema = Schema.of(frame, ["a", "b"])
    rules = [schema.rule({"x": (x, x + 1), "y": (0, x + 1)}, "a") for x in range(size)]
    return rules, Reference(Records(schema, frame), ["a"] * size)


@given(worlds(), st.integers(1, 5))
def test_a_smaller_budget_is_a_beginning_of_a_larger_one(world: World, budget):
    reference = world.reference
    small = select_budget(world.rules, reference, budget)
    large = select_budget(world.rules, reference, budget + 1)
    assert small.size <= budget
    assert set(small) <= set(large)


def test_a_budget_of_no_rules_is_refused_in_a_sentence():
    _, reference = steps(4)
    with pytest.raises(GLocalXError, match="There are no rules to choose from"):
        select_budget([], reference, 3)


@pytest.mark.parametrize("way", [{"alpha": 0}, {"alpha_q": 101}, {"alpha_q": -1}, {"budget": 0}])
def test_impossible_numbers_are_refused(way):
    world = many_rules()
    with pytest.raises(GLocalXError):
        select(grown(world), world.reference, **way)
