"""What a merge writes down: joins and cuts in one order, however they were found."""

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from glocalx.merging.merger import Merger
from glocalx.merging.operators import Cut, Join, join
from tests.bits import records_in
from tests.merging.test_operators import LOANS
from tests.strategies import World, worlds


def aged(low: float, high: float, outcome: str = "deny"):
    return LOANS.rule({"age": (low, high)}, outcome)


def test_joins_are_ordered_by_their_result_and_then_their_parts():
    longer = LOANS.rule({"age": (20, 30), "job": ["manager"]}, "deny")  # after every shorter one
    parts = [
        (aged(20, 30), aged(25, 50)),
        (aged(20, 40), aged(25, 50)),
        (longer, aged(25, 60)),
        (aged(21, 30), aged(21, 22)),
    ]
    joins = [Join(each, join(each)) for each in parts]
    assert joins[0].result == joins[1].result
    for some in permutations(joins):
        assert sorted(some, key=lambda done: done.sort_key) == joins


def test_cuts_are_ordered_by_the_rule_that_gave_way_and_then_the_dominant_one():
    cuts = [
        Cut(aged(20, 30, "accept"), aged(10, 25), aged(10, 20)),
        Cut(aged(22, 30, "accept"), aged(10, 25), aged(10, 22)),
        Cut(aged(10, 30, "accept"), aged(11, 25), None),
    ]
    for some in permutations(cuts):
        assert sorted(some, key=lambda done: done.sort_key) == cuts


@given(worlds())
def test_a_join_has_two_parts_or_more(world: World):
    rules = set(world.rules)
    resolution = Merger(world.reference).resolve(frozenset(rules))
    expected = {
        frozenset(rule for rule in rules if rule.outcome == outcome)
        for outcome in {rule.outcome for rule in rules}
    }
    assert {frozenset(done.parts) for done in resolution.joins} == {
        parts for parts in expected if len(parts) > 1
    }
    assert len(resolution.cuts) == len(expected) - 1


@given(worlds(max_rules=6), st.data())
def test_groups_of_theories_of_any_size_are_the_rules_that_cover_a_record(world: World, data):
    place = data.draw(st.integers(1, max(1, len(world.rules) - 1)))
    left, right = frozenset(world.rules[:place]), frozenset(world.rules[place:])
    records = world.reference.records
    shared = records.union(left) & records.union(right)
    expected = {
        frozenset(rule for rule in left | right if records.coverage(rule) >> record & 1)
        for record in records_in(shared)
    }
    assert Merger(world.reference).groups(left, right, shared) == expected
    assert Merger(world.reference).groups(right, left, shared) == expected


def test_a_change_names_the_features_that_differ_from_any_part():
    wide, narrow = aged(20, 40), aged(20, 30)
    (change,) = Join((wide, narrow), join((wide, narrow))).changes
    assert change.feature == "age"
    assert change.after == wide.premise("age")
    assert change.before == (wide.premise("age"), narrow.premise("age"))
    assert Join((wide, wide), wide).changes == ()
    assert Cut(aged(0, 9, "accept"), wide, wide).changes == ()
