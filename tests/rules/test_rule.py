"""Premises and rules: canonical form, equality, order."""

import math
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glocalx.errors import GLocalXError
from glocalx.rules.rule import Categories, Interval, Rule, canonical_rule
from tests.strategies import rules, schemas

numbers = st.integers(-20, 20)


@st.composite
def intervals(draw):
    low, high = sorted(draw(st.lists(numbers, min_size=2, max_size=2, unique=True)))
    return Interval(low, high)


def test_interval_is_half_open():
    assert 25 in Interval(25, 45)
    assert 45 not in Interval(25, 45)


@pytest.mark.parametrize("ends", [(3, 3), (4, 3), (math.nan, 3), (3, math.nan)])
def test_empty_interval_is_refused(ends):
    with pytest.raises(GLocalXError, match="holds no number"):
        Interval(*ends)


@given(intervals(), intervals(), numbers)
def test_hull_holds_both(a, b, x):
    hull = a.hull(b)
    assert hull == b.hull(a)
    if x in a or x in b:
        assert x in hull


@given(intervals(), intervals(), numbers)
def test_minus_leaves_exactly_what_is_not_taken(a, b, x):
    left = a.minus(b)
    assert any(x in part for part in left) == (x in a and x not in b)
    assert list(left) == sorted(left, key=lambda part: part.low)


CITIES = frozenset({"Bari", "Como", "Enna"})
some_cities = st.sets(st.sampled_from(sorted(CITIES)), min_size=1).map(
    lambda values: Categories(frozenset(values), CITIES)
)


@given(some_cities, some_cities)
def test_sets_of_categories_join_and_subtract_as_sets_do(a, b):
    assert a.hull(b).values == a.values | b.values
    assert [part.values for part in a.minus(b)] == [left for left in [a.values - b.values] if left]
    assert [city for city in sorted(CITIES) if city in a] == sorted(a.values)
    assert a.is_everything == (a.values == CITIES)


@given(st.sampled_from([-math.inf, 0]), st.sampled_from([math.inf, 1]))
def test_an_interval_is_everything_without_ends(low, high):
    assert Interval(low, high).is_everything == (math.isinf(low) and math.isinf(high))
    assert Interval() == Interval(-math.inf, math.inf)


def test_categories_know_their_domain_but_are_equal_without_it():
    domain = frozenset({"x", "y", "z"})
    assert Categories(frozenset({"x"}), domain) == Categories(frozenset({"x"}), frozenset("xy"))
    assert Categories(frozenset({"x", "y"}), domain).minus(
        Categories(frozenset({"y", "z"}), domain)
    ) == (Categories(frozenset({"x"}), domain),)


@given(schemas().flatmap(lambda s: st.tuples(rules(s), rules(s))))
def test_equal_rules_have_one_hash_and_one_sort_key(pair):
    a, b = pair
    assert (a == b) == (a.sort_key == b.sort_key)
    if a == b:
        assert hash(a) == hash(b)
    assert a != "not a rule"


@given(schemas().flatmap(rules))
def test_rules_survive_pickling(rule):
    copy = pickle.loads(pickle.dumps(rule))
    assert copy == rule
    assert hash(copy) == hash(rule)


@given(schemas().flatmap(lambda s: st.lists(rules(s), max_size=8)))
def test_the_canonical_order_is_outcome_then_length_then_features_and_ends(some):
    def spelled(rule):
        ends = tuple(
            (p.low, p.high, p.missing)
            if isinstance(p, Interval)
            else (tuple(sorted(p.values)), p.missing)
            for _, p in rule.premises
        )
        return rule.outcome, len(rule.premises), tuple(zip(rule.features, ends, strict=True))

    assert [rule.sort_key for rule in some] == [spelled(rule) for rule in some]
    assert sorted(some, key=lambda rule: rule.sort_key) == sorted(some, key=spelled)


def test_rules_on_other_features_or_ends_differ_even_where_their_hashes_do_not():
    rules = [
        Rule((("age", Interval(-1, 5)),), "deny"),
        Rule((("age", Interval(-2, 5)),), "deny"),  # Python gives -1 and -2 one hash
        Rule((("age", Interval(-2, 6)),), "deny"),
        Rule((("debt", Interval(-2, 6)),), "deny"),
        Rule((("debt", Interval(-2, 6)),), "accept"),
        Rule((), "deny"),
    ]
    assert hash(rules[0]) == hash(rules[1])
    for i, one in enumerate(rules):
        assert [one == other for other in rules] == [i == j for j in range(len(rules))]
        assert [one.sort_key == other.sort_key for other in rules] == [one == o for o in rules]
    assert rules[3].premise("debt") == Interval(-2, 6)
    assert rules[3].premise("age") is None


def test_a_canonical_rule_is_ordered_by_feature_and_drops_what_allows_everything():
    job, age = Categories(frozenset({"Bari"}), CITIES), Interval(18, 25)
    everything = {"debt": Interval(), "city": Categories(CITIES, CITIES)}
    rule = canonical_rule({"job": job, **everything, "age": age}, "deny")
    assert rule == Rule((("age", age), ("job", job)), "deny")
    assert rule.features == ("age", "job")


def test_rule_without_premises_is_a_rule():
    rule = Rule((), "deny")
    assert len(rule) == 0
    assert rule
    assert rule.premise("age") is None
