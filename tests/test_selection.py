"""The three ways to a final theory."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glocalx.errors import GLocalXError
from glocalx.selection import (
    budget_candidates,
    iter_budget,
    select,
    select_alpha,
    select_alpha_q,
    select_budget,
    with_wider,
)
from tests.merging.test_hierarchy import grown, many_rules
from tests.strategies import World, worlds


@given(worlds(), st.integers(1, 12))
def test_alpha_keeps_its_share_of_the_most_faithful_rules_of_each_outcome(world: World, alpha):
    reference = world.reference
    kept = select_alpha(world.rules, reference, alpha)
    share = math.ceil(alpha / len(world.schema.outcomes))
    for outcome in world.schema.outcomes:
        rules = {rule for rule in world.rules if rule.outcome == outcome}
        chosen = {rule for rule in kept if rule.outcome == outcome}
        assert chosen <= rules
        assert len(chosen) == min(share, len(rules))
        left_out = [reference.score(rule).fidelity for rule in rules - chosen]
        assert all(reference.score(rule).fidelity >= max(left_out, default=0) for rule in chosen)


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


@given(worlds())
def test_budget_takes_the_best_next_rule_until_none_helps(world: World):
    reference = world.reference
    chosen: list = []
    for rule in iter_budget(world.rules, reference):
        gains = {r: reference.agreement([*chosen, r]) for r in world.rules}
        assert gains[rule] == max(gains.values()) > reference.agreement(chosen)
        chosen.append(rule)
    best = max(reference.agreement([*chosen, r]) for r in world.rules)
    assert best <= reference.agreement(chosen)


@given(worlds())
def test_wider_rules_say_one_thing_less_and_cover_no_less(world: World):
    score = world.reference.score
    given_rules = set(world.rules)
    for wide in set(with_wider(given_rules)) - given_rules:
        narrow = [
            rule
            for rule in given_rules
            if rule.outcome == wide.outcome
            and len(rule) == len(wide) + 1
            and set(wide.premises) < set(rule.premises)
        ]
        assert narrow
        assert len(wide) > 0
        for rule in narrow:
            covered = score(rule).coverage
            assert covered & score(wide).coverage == covered


def test_wider_rules_are_candidates_only_where_there_are_few(monkeypatch):
    hierarchy = grown(many_rules())
    every = hierarchy.every_rule()
    monkeypatch.setattr("glocalx.selection.FEW_RULES", every.size)
    assert budget_candidates(hierarchy) == every
    monkeypatch.setattr("glocalx.selection.FEW_RULES", every.size + 1)
    assert budget_candidates(hierarchy) == with_wider(every)
    assert with_wider(every) != every


@given(worlds(), st.integers(1, 5))
def test_a_smaller_budget_is_a_beginning_of_a_larger_one(world: World, budget):
    reference = world.reference
    small = select_budget(world.rules, reference, budget)
    large = select_budget(world.rules, reference, budget + 1)
    assert small.size <= budget
    assert set(small) <= set(large)


def test_select_takes_one_way_and_a_budget_of_ten_by_default():
    world = many_rules()
    reference, hierarchy = world.reference, grown(world)
    assert select(hierarchy, reference) == select(hierarchy, reference, budget=10)
    assert select(hierarchy, reference, alpha_q=0) == hierarchy.rules()
    assert select(hierarchy, reference, alpha=4).size <= 4
    with pytest.raises(GLocalXError, match="one of alpha, alpha_q and budget"):
        select(hierarchy, reference, alpha=4, budget=4)


@pytest.mark.parametrize("way", [{"alpha": 0}, {"alpha_q": 101}, {"alpha_q": -1}, {"budget": 0}])
def test_impossible_numbers_are_refused(way):
    world = many_rules()
    with pytest.raises(GLocalXError):
        select(grown(world), world.reference, **way)
