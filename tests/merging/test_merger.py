"""Merging two theories on a batch."""

import math

from hypothesis import given
from hypothesis import strategies as st

from glocalx.merging.merger import Merger
from tests import plain
from tests.bits import records_in
from tests.merging.test_operators import INF, LOANS, just_above
from tests.strategies import World, worlds


class FixedAccuracy:
    """Stands for reference records on which the first rule given is the most accurate."""

    def __init__(self, *by_accuracy):
        self._order = by_accuracy

    def ranked(self, rules):
        return sorted(rules, key=self._order.index)


def test_paper_merge():
    """The paper's example; as its operators are defined, job stays in the joined rule, and the
    amount of the rule that is cut lies above the dominant one's.
    """
    deny_young = LOANS.rule(
        {"age": (25, INF), "job": ["unemployed"], "amount": (-INF, just_above(10_000))}, "deny"
    )
    accept = LOANS.rule(
        {"age": (20, INF), "job": ["manager"], "amount": (just_above(8_000), INF)}, "accept"
    )
    deny_clerk = LOANS.rule({"age": (50, INF), "job": ["office clerk"]}, "deny")
    deny_older = LOANS.rule(
        {"age": (40, INF), "job": ["office clerk"], "amount": (just_above(5_000), INF)}, "deny"
    )
    joined = LOANS.rule({"age": (40, INF), "job": ["office clerk"]}, "deny")
    restricted = LOANS.rule(
        {"age": (20, 25), "job": ["manager"], "amount": (just_above(10_000), INF)}, "accept"
    )
    merger = Merger(FixedAccuracy(deny_young, accept, joined))
    groups = frozenset({frozenset({deny_young, accept}), frozenset({deny_clerk, deny_older})})
    union = frozenset({deny_young, accept, deny_clerk, deny_older})
    assert merger.apply(union, groups) == {deny_young, restricted, joined}


@given(worlds(), st.data())
def test_groups_are_the_rules_that_cover_each_shared_record(world: World, data):
    half = len(world.rules) // 2
    left, right = frozenset(world.rules[:half]), frozenset(world.rules[half:])
    batch = data.draw(st.integers(0, (1 << len(world.frame)) - 1))
    reference = world.reference
    covered = {rule: plain.covered(rule, world.frame) for rule in world.rules}
    shared = reference.records.union(left) & reference.records.union(right) & batch
    expected = {
        frozenset(rule for rule in left | right if record in covered[rule])
        for record in records_in(shared)
    }
    assert Merger(reference).groups(left, right, shared) == expected


@given(worlds())
def test_rules_that_share_no_record_stay_side_by_side(world: World):
    merger = Merger(world.reference)
    left, right = frozenset(world.rules[:1]), frozenset(world.rules[1:])
    assert merger.groups(left, right, 0) == frozenset()
    assert merger.apply(left | right, frozenset()) == left | right


@given(worlds())
def test_one_rule_per_outcome_is_left_of_a_group_and_the_dominant_is_untouched(world: World):
    reference = world.reference
    resolution = Merger(reference).resolve(frozenset(world.rules))
    outcomes = [rule.outcome for rule in resolution.rules]
    assert len(set(outcomes)) == len(outcomes)
    for done in resolution.joins:
        for part in done.parts:
            assert reference.score(part).coverage & ~reference.score(done.result).coverage == 0
    for done in resolution.cuts:
        assert done.dominant in resolution.rules
        assert reference.score(done.dominant).rank < reference.score(done.before).rank
        if done.after:
            assert (
                reference.score(done.after).coverage & ~reference.score(done.before).coverage == 0
            )


def test_infinity_stays_infinity():
    joined = Merger(FixedAccuracy(LOANS.rule({"age": (20, INF)}, "deny"))).resolve(
        frozenset({LOANS.rule({"age": (20, 30)}, "deny"), LOANS.rule({"age": (25, INF)}, "deny")})
    )
    (rule,) = joined.rules
    assert rule.premise("age").high == math.inf
