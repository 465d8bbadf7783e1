"""Join and cut: the paper's examples, and properties over random rules."""

import math

from hypothesis import assume, given
from hypothesis import strategies as st

from glocalx.merging.operators import Cut, Join, cut, join
from glocalx.rules.coverage import Records
from glocalx.rules.schema import Feature, Schema
from tests.strategies import rules, schemas, worlds

JOBS = ("manager", "office clerk", "unemployed")
LOANS = Schema(
    (
        Feature("age", "integer"),
        Feature("job", "categorical", JOBS),
        Feature("amount", "numeric"),
    ),
    ("accept", "deny"),
)
INF = math.inf


def just_above(number: float) -> float:
    return math.nextafter(number, INF)


def nothing_counted(_rule):
    raise AssertionError("no feature is left on two sides here")


def test_paper_join():
    clerk = LOANS.rule({"age": (50, INF), "job": ["office clerk"]}, "deny")
    older = LOANS.rule({"age": (40, INF)}, "deny")
    assert join([clerk, older]) == LOANS.rule({"age": (40, INF)}, "deny")


def test_paper_cut():
    dominant = LOANS.rule(
        {"age": (25, INF), "job": ["unemployed"], "amount": (10_000, INF)}, "deny"
    )
    lesser = LOANS.rule(
        {"age": (20, INF), "job": ["manager"], "amount": (just_above(8_000), INF)}, "accept"
    )
    assert cut(lesser, dominant, nothing_counted) == LOANS.rule(
        {"age": (20, 25), "job": ["manager"], "amount": (just_above(8_000), 10_000)}, "accept"
    )


def test_join_bridges_gaps_and_unites_categories():
    young = LOANS.rule({"age": (18, 25), "job": ["manager"]}, "deny")
    old = LOANS.rule({"age": (60, 70), "job": ["unemployed"]}, "deny")
    assert join([young, old]) == LOANS.rule(
        {"age": (18, 70), "job": ["manager", "unemployed"]}, "deny"
    )


def test_join_without_a_shared_feature_covers_everything():
    a = LOANS.rule({"age": (18, 25)}, "deny")
    b = LOANS.rule({"amount": (0, 10)}, "deny")
    assert join([a, b]) == LOANS.rule({}, "deny")


def test_join_of_all_categories_drops_the_feature():
    a = LOANS.rule({"job": ["manager"]}, "deny")
    b = LOANS.rule({"job": ["office clerk", "unemployed"]}, "deny")
    assert join([a, b]) == LOANS.rule({}, "deny")


def test_cut_keeps_the_side_with_more_records_and_the_lower_on_a_tie():
    middle = LOANS.rule({"age": (30, 40)}, "deny")
    wide = LOANS.rule({"age": (20, 60)}, "accept")
    lower, upper = LOANS.rule({"age": (20, 30)}, "accept"), LOANS.rule({"age": (40, 60)}, "accept")
    assert cut(wide, middle, lambda rule: 5 if rule == upper else 4) == upper
    assert cut(wide, middle, lambda rule: 4) == lower


def test_cut_leaves_a_feature_on_which_nothing_is_left():
    dominant = LOANS.rule({"age": (20, 60), "amount": (100, INF)}, "deny")
    inside = LOANS.rule({"age": (30, 40), "amount": (50, INF)}, "accept")
    assert cut(inside, dominant, nothing_counted) == LOANS.rule(
        {"age": (30, 40), "amount": (50, 100)}, "accept"
    )


def test_cut_drops_what_lies_wholly_inside():
    dominant = LOANS.rule({"age": (20, 60)}, "deny")
    inside = LOANS.rule({"age": (30, 40), "job": ["manager"]}, "accept")
    assert cut(inside, dominant, nothing_counted) is None
    assert cut(inside, LOANS.rule({}, "deny"), nothing_counted) is None


def test_cut_without_a_shared_feature_changes_nothing():
    dominant = LOANS.rule({"amount": (0, 10)}, "deny")
    other = LOANS.rule({"age": (30, 40)}, "accept")
    assert cut(other, dominant, nothing_counted) == other


def test_changes_tell_what_happened_to_each_feature():
    parts = (
        LOANS.rule({"age": (50, INF), "job": ["office clerk"]}, "deny"),
        LOANS.rule({"age": (40, INF)}, "deny"),
    )
    age, job = Join(parts, join(parts)).changes
    assert age.feature == "age"
    assert age.after == LOANS["age"].interval(40, INF)
    assert job.before == (LOANS["job"].allowed(["office clerk"]), None)
    assert job.after is None
    before, after = parts[1], LOANS.rule({"age": (40, 60)}, "deny")
    (change,) = Cut(parts[0], before, after).changes
    assert change.before == (before.premise("age"),)
    assert change.after == after.premise("age")
    assert Cut(parts[0], before, None).changes == ()


@given(worlds())
def test_join_covers_all_that_it_joined_whatever_the_order(world):
    records = Records(world.schema, world.frame)
    same = [rule for rule in world.rules if rule.outcome == world.rules[0].outcome]
    joined = join(same)
    assert joined == join(same[::-1])
    for rule in same:
        assert records.coverage(rule) & ~records.coverage(joined) == 0
        assert set(joined.features) <= set(rule.features)


@given(schemas().flatmap(lambda s: st.tuples(rules(s, "a"), rules(s, "b"))), worlds())
def test_cut_never_widens_and_leaves_no_overlap_unless_it_may(pair, world):
    dominant, lesser = pair
    assume(
        set(dominant.premise("city").values if dominant.premise("city") else ())
        <= set(world.schema["city"].domain)
    )
    records = Records(world.schema, world.frame)

    def count(rule):
        return records.coverage(rule).bit_count()

    left = cut(lesser, dominant, count)
    shared = set(lesser.features) & set(dominant.features)
    if left is None:
        assert records.coverage(lesser) & ~records.coverage(dominant) == 0
        return
    assert records.coverage(left) & ~records.coverage(lesser) == 0
    assert left.outcome == lesser.outcome
    assert left.features == lesser.features
    something_left = any(lesser.premise(name).minus(dominant.premise(name)) for name in shared)
    if something_left:  # disjoint on that feature, so disjoint
        assert records.coverage(left) & records.coverage(dominant) == 0
    else:
        assert left == lesser
