"""What is by hand is in the theory as it is, what is barred is not, and directions hold."""

from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glocalx.errors import GLocalXError
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.coverage import Records
from glocalx.rules.schema import Feature, Schema
from glocalx.rules.steering import (
    BarFeature,
    ChangeRule,
    PinRule,
    RemoveRule,
    SayDirection,
    Steering,
    WriteRule,
)
from glocalx.rules.step_check import checked_step
from glocalx.steering import effect_of, iter_steered, may_be_chosen, steered_theory
from tests.merging.test_hierarchy import grown, many_rules
from tests.strategies import rules, worlds


@cache
def merged():
    world = many_rules()
    return grown(world), world.reference


def theory_of(*steps, **options) -> RankedTheory:
    hierarchy, reference = merged()
    steering = Steering()
    for step in steps:
        steering = steering.and_then(step)
    return steered_theory(hierarchy, reference, steering, **(options or {"budget": 6}))


def test_a_pinned_rule_survives_another_budget_and_another_way_to_choose():
    few = theory_of(budget=2).rules
    last = next(rule for rule in theory_of(budget=6).rules if rule not in few)
    for options in ({"budget": 2}, {"alpha": 2}, {"alpha_q": 99}):
        theory = theory_of(PinRule(last), **options)
        assert set(theory.rules) == {last, *theory_of(**options).rules}
        assert [each.mark.said for each in theory.ranked if each.mark] == ["pinned"]


def test_to_pin_a_chosen_rule_moves_no_other():
    plain = theory_of()
    assert theory_of(PinRule(plain.rules[3])).rules == plain.rules


def test_a_removed_rule_is_gone_and_nothing_takes_its_place():
    plain = theory_of()
    theory = theory_of(RemoveRule(plain.rules[0]))
    assert set(theory.rules) == set(plain.rules[1:])
    assert theory.steering.removed == (plain.rules[0],)
    assert theory_of(RemoveRule(plain.rules[0]), PinRule(plain.rules[0])).rules == plain.rules


def test_a_changed_rule_stands_in_the_place_of_the_old_one():
    plain, schema = theory_of(), many_rules().schema
    before = plain.rules[0]
    after = schema.rule({"x": (3, 8)}, before.outcome)
    theory = theory_of(ChangeRule(before, after))
    assert set(theory.rules) == {after, *plain.rules[1:]}
    assert next(each.mark.was for each in theory.ranked if each.rule == after) == before
    again = schema.rule({"x": (3, 9)}, before.outcome)
    steps = ChangeRule(before, after), ChangeRule(after, again)
    assert set(theory_of(*steps).rules) == {again, *plain.rules[1:]}
    back = theory_of(*steps, ChangeRule(again, before))
    assert (back.rules, back.steering.steps) == (plain.rules, ())


def test_a_written_rule_that_is_changed_is_still_written():
    schema = many_rules().schema
    first, second = (schema.rule({"x": (low, 50)}, "high") for low in (30, 40))
    theory = theory_of(WriteRule(first), ChangeRule(first, second))
    assert first not in theory.rules
    assert next(e.mark.said for e in theory.ranked if e.rule == second) == "written by hand"


def test_no_rule_names_a_barred_feature_not_even_a_pinned_one():
    pinned = theory_of().rules[0]
    assert set(pinned.features) == {"x", "y"}
    theory = theory_of(PinRule(pinned), BarFeature("y"))
    assert all(rule.features == ("x",) for rule in theory.rules)
    assert sum(each.mark is not None for each in theory.ranked) == 1
    with pytest.raises(GLocalXError, match="No rule is left"):
        theory_of(BarFeature("x"), BarFeature("y"))


@given(worlds(max_rules=8), st.booleans(), st.data())
def test_answers_keep_to_a_direction_that_every_rule_keeps_to(world, rises, data):
    """Checked on the answers themselves: the same record with more and more of the feature."""
    outcome = data.draw(st.sampled_from(world.schema.outcomes))
    direction = SayDirection("age", rises, outcome)
    steering = Steering((direction,))
    kept = may_be_chosen(world.rules, steering)
    assert not steering.breaking(kept)
    theory = RankedTheory.of(kept, world.reference)
    said = [
        theory.predict(Records(world.schema, world.frame.assign(age=age))) == outcome
        for age in range(12)
    ]
    steps = np.diff(np.array(said, dtype=int), axis=0)
    assert (steps >= 0).all() if rises else (steps <= 0).all()


@given(worlds(), st.data())
def test_a_rule_that_keeps_to_a_direction_is_left_alone(world, data):
    rule = data.draw(rules(world.schema))
    direction = SayDirection("score", data.draw(st.booleans()), rule.outcome)
    freed = direction.freed(rule)
    assert direction.freed(freed) == freed
    assert (freed == rule) is not direction.broken_by(rule)
    records = world.reference.records
    assert records.coverage(rule) & ~records.coverage(freed) == 0


def test_only_a_rule_by_hand_can_break_a_direction_and_it_is_named():
    schema = many_rules().schema
    against = schema.rule({"x": (0, 20)}, "high")
    theory = theory_of(SayDirection("x", True, "high"), WriteRule(against))
    assert [theory.rules[place] for place, _ in theory.steering.breaking(theory.rules)] == [against]


def test_an_effect_counts_what_a_step_changes():
    hierarchy, reference = merged()
    plain = theory_of()
    steering = Steering().and_then(RemoveRule(plain.rules[0])).and_then(BarFeature("y"))
    theories = [theory for _, theory in iter_steered(hierarchy, reference, steering, {"budget": 6})]
    for before, after in pairwise(theories):
        effect = effect_of(before, after, reference)
        said = [theory.predict(reference.records) for theory in (before, after)]
        assert {each.record for each in effect.answers} == set(np.flatnonzero(said[0] != said[1]))
        assert effect.fidelity == (before.fidelity(reference), after.fidelity(reference))
        gained = sum(each.better - each.worse for each in effect.answers)
        assert effect.agreed[1] - effect.agreed[0] == gained
        assert sum(found[1] for found in effect.found.values()) == effect.agreed[1]
        assert effect.sentence.startswith(f"{len(effect.answers)} answer")
    assert effect_of(plain, plain, reference).sentence == "No answer changes."


@pytest.mark.parametrize(
    ("step", "sentence"),
    [
        (BarFeature("z"), "There is no feature “z”. There are: “x” and “y”."),
        (SayDirection("z", True, "high"), "There is no feature “z”"),
        (SayDirection("x", True, "maybe"), "“maybe” is none of the outcomes"),
        (WriteRule(many_rules().schema.rule({}, "high")), "Give it at least one"),
        (WriteRule(many_rules().schema.rule({"y": (0, 0.5)}, "high")), "Lift the bar first"),
    ],
)
def test_a_step_that_cannot_be_is_refused_in_a_sentence(step, sentence):
    with pytest.raises(GLocalXError, match=sentence):
        checked_step(step, Steering((BarFeature("y"),)), many_rules().schema)


def test_categories_have_no_direction():
    schema = Schema((Feature("job", "categorical", ("a", "b")),), ("no", "yes"))
    with pytest.raises(GLocalXError, match="these have no direction"):
        checked_step(SayDirection("job", True, "yes"), Steering(), schema)
