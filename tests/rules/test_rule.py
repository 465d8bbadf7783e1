"""Premises and rules: canonical form, equality, order."""

import math
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glocalx.errors import GLocalXError
from glocalx.rules.rule import Categories, Interval, Rule
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


def test_rule_without_premises_is_a_rule():
    rule = Rule((), "deny")
    assert len(rule) == 0
    assert rule
    assert rule.premise("age") is None
