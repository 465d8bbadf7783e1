"""What a merge writes down: joins and cuts in one order, however they were found."""

from itertools import permutations

from glocalx.merging.operators import Cut, Join, join
from tests.merging.test_operators import LOANS


def aged(low: float, high: float, outcome: str = "deny"):
    return LOANS.rule({"age": (low, high)}, outcome)


def test_joins_are_ordered_by_their_result_and_then_their_parts():
    parts = [(aged(20, 30), aged(25, 50)), (aged(20, 40), aged(25, 50)), (aged(21, 22),)]
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


def test_a_change_names_the_features_that_differ_from_any_part():
    wide, narrow = aged(20, 40), aged(20, 30)
    (change,) = Join((wide, narrow), join((wide, narrow))).changes
    assert change.feature == "age"
    assert change.after == wide.premise("age")
    assert change.before == (wide.premise("age"), narrow.premise("age"))
    assert Join((wide, wide), wide).changes == ()
    assert Cut(aged(0, 9, "accept"), wide, wide).changes == ()
