"""The whole, changed bit by bit, against the whole counted anew."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glocalx.merging.whole import Whole
from glocalx.rules.coverage import Records
from glocalx.rules.rule import Rule
from glocalx.rules.schema import Feature, Schema
from glocalx.rules.scoring import Reference
from tests.strategies import World, worlds


def counted(theories: list[frozenset[Rule]], reference: Reference) -> tuple[int, int]:
    rules = frozenset().union(*theories)
    return sum(len(rule) + 1 for rule in rules), reference.agreement(rules)


@given(worlds(max_rules=12, max_records=40), st.data())
def test_whatever_is_replaced_the_whole_is_what_it_would_be_anew(world: World, data):
    """Any rules may come in the place of any two theories, also such as others hold already."""
    reference = world.reference
    some = st.frozensets(st.sampled_from(world.rules), max_size=4)
    theories = data.draw(st.lists(some, min_size=2, max_size=6))
    whole = Whole(theories, reference)
    assert whole.size == counted(theories, reference)
    while len(theories) > 1:
        left, right = theories.pop(), theories.pop(0)
        for rules in (data.draw(some), data.draw(some)):
            after = counted([*theories, rules], reference)
            assert whole.size_with(left, right, rules) == after
        whole.replace(left, right, rules)
        theories.append(rules)
        assert whole.size == after


@pytest.mark.parametrize("seed", range(20))
def test_rules_that_come_and_go_again_leave_nothing_behind(seed: int):
    """Many overlapping rules: one takes records over, and goes, and comes back in another place."""
    rng = np.random.default_rng(seed)
    schema = Schema((Feature("age", "integer"),), ("a", "b", "c"))
    ages = rng.integers(0, 60, 90)
    labels = tuple(np.array(schema.outcomes)[ages // 20 if seed % 2 else rng.integers(0, 3, 90)])
    reference = Reference(Records(schema, pd.DataFrame({"age": ages})), labels)
    ends = np.sort(rng.integers(0, 60, (10, 2)), axis=1)
    pool = [
        schema.rule({"age": (low, high + 1)}, schema.outcomes[place % 3])
        for place, (low, high) in enumerate(ends.tolist())
    ]

    def some() -> frozenset[Rule]:
        return frozenset(pool[place] for place in rng.choice(len(pool), rng.integers(1, 4)))

    theories = [some() for _ in range(14)]
    whole = Whole(theories, reference)
    while len(theories) > 1:
        left, right = theories.pop(), theories.pop(0)
        for rules in (left | right, some(), some()):
            after = counted([*theories, rules], reference)
            assert whole.size_with(left, right, rules) == after
        whole.replace(left, right, rules)
        theories.append(rules)
        assert whole.size == after


def test_what_a_new_rule_decides_is_known_to_the_next_one():
    """Of the record that both cover the second takes nothing, whatever was known before."""
    schema = Schema((Feature("age", "integer"),), ("a", "b"))
    labels = ["b" if 50 <= age < 78 else "a" for age in range(80)]
    reference = Reference(Records(schema, pd.DataFrame({"age": range(80)})), labels)
    first, new, next_one, third, last = (
        schema.rule({"age": ends}, outcome)
        for ends, outcome in (
            ((0, 30), "a"),
            ((30, 50), "a"),
            ((49, 70), "b"),
            ((70, 80), "b"),
            ((30, 80), "b"),
        )
    )
    theories = [frozenset({first, third, last})]
    whole = Whole(theories, reference)
    none: frozenset[Rule] = frozenset()
    wrong = frozenset({schema.rule({"age": (60, 80)}, "a")})  # it would come last of all
    assert whole.size_with(none, none, wrong) == counted([*theories, wrong], reference)
    for rules in (frozenset({new}), frozenset({next_one})):
        theories.append(rules)
        assert whole.size_with(none, none, rules) == counted(theories, reference)
        whole.replace(none, none, rules)


def test_what_was_tried_before_counts_for_one_merge_alone():
    """Two theories are replaced without a trial, as where a run goes on; then the same again."""
    schema = Schema((Feature("age", "integer"),), ("a", "b"))
    labels = ["a" if age < 5 else "b" for age in range(10)]
    reference = Reference(Records(schema, pd.DataFrame({"age": range(10)})), labels)
    young, old, both = (
        frozenset({schema.rule({"age": ends}, outcome)})
        for ends, outcome in (((0, 5), "a"), ((5, 10), "b"), ((0, 7), "a"))
    )
    theories = [young, old, young, old]
    whole = Whole(theories, reference)
    for _ in range(2):
        theories = [*theories[2:], both]
        whole.replace(young, old, both)
        assert whole.size == counted(theories, reference)


def test_what_was_tried_for_others_is_not_taken_over():
    ages = [5, 15, 25, 35, 45, 55]
    schema = Schema((Feature("age", "integer"),), ("a", "b"))
    reference = Reference(Records(schema, pd.DataFrame({"age": ages})), tuple("aabbab"))
    one, two, three, joined = (
        frozenset({schema.rule({"age": ends}, outcome)})
        for ends, outcome in (((0, 10), "a"), ((20, 40), "b"), ((50, 60), "b"), ((0, 60), "a"))
    )
    for tried in ((one, two, three), (one, three, joined), (three, two, joined)):
        whole = Whole((one, two, three), reference)
        whole.size_with(*tried)
        whole.replace(one, two, joined)
        assert whole.size == counted([three, joined], reference)
