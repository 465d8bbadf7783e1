"""Alpha that takes rules which are faithful together, and what holds otherwise."""

import math
from types import SimpleNamespace

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glocalx.errors import GLocalXError
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.coverage import Records
from glocalx.rules.schema import Schema
from glocalx.rules.scoring import Reference
from glocalx.rules.theory import Theory
from glocalx.selection import (
    select,
    select_alpha,
    select_alpha_together,
    with_otherwise,
)
from tests.strategies import World, worlds


def told_apart():
    """Ten records: a wide rule, one much like it, and a small one elsewhere, all for “a”."""
    frame = pd.DataFrame({"x": range(10)})
    labels = ["a"] * 5 + ["b"] * 3 + ["a"] * 2
    schema = Schema.of(frame, labels)
    wide, alike = schema.rule({"x": (0, 5)}, "a"), schema.rule({"x": (0, 4)}, "a")
    other, rest = schema.rule({"x": (8, 10)}, "a"), schema.rule({"x": (5, 8)}, "b")
    return (wide, alike, other, rest), Reference(Records(schema, frame), labels)


def test_alpha_together_takes_no_rule_twice_over():
    (wide, alike, other, rest), reference = told_apart()
    rules = (wide, alike, other, rest)
    assert set(select_alpha(rules, reference, 4)) == {wide, alike, rest}
    assert set(select_alpha_together(rules, reference, 4)) == {wide, other, rest}
    assert set(select_alpha_together(rules, reference, 2)) == {wide, rest}
    for one_of_both in (select_alpha, select_alpha_together):
        with pytest.raises(GLocalXError, match="at least 1"):
            one_of_both(rules, reference, 0)


def test_alpha_together_gives_places_that_are_left_to_whom_they_help():
    (wide, *_, rest), reference = told_apart()
    thirds = [reference.records.schema.rule({"x": (low, low + 1)}, "a") for low in (0, 1, 8)]
    assert set(select_alpha_together([*thirds, rest], reference, 4)) == {*thirds, rest}
    assert select_alpha_together([*thirds, rest], reference, 3).size == 3
    wrong = reference.records.schema.rule({"x": (0, 5)}, "b")  # gains nothing, yet stands for “b”
    assert set(select_alpha_together([wide, wrong], reference, 4)) == {wide, wrong}


def test_alpha_together_gives_each_outcome_its_share_before_any_gets_more():
    """The last of two rules for “b” brings one record, the third one for “a” would bring two."""
    labels = ["a"] * 6 + ["b"] * 3
    frame = pd.DataFrame({"x": range(9)})
    schema = Schema.of(frame, labels)
    rules = [schema.rule({"x": (low, low + 2)}, "a") for low in (0, 2, 4)]
    few = [schema.rule({"x": ends}, "b") for ends in ((6, 8), (8, 9))]
    taken = select_alpha_together([*rules, *few], Reference(Records(schema, frame), labels), 4)
    assert set(few) < set(taken)
    assert taken.size == 4


def test_alpha_together_leaves_out_what_all_rules_are_no_worse_without():
    """The default says “a”, so a rule for it only helps where it outvotes one for “b”."""
    (wide, alike, other, rest), reference = told_apart()
    every = Theory.of([wide, alike, other, rest])
    hierarchy = SimpleNamespace(rules=lambda: every, every_rule=lambda: every)
    assert set(select(hierarchy, reference, alpha=4)) == {rest}
    low = reference.records.schema.rule({"x": (3, 8)}, "b")  # “a” has two of its records
    every = Theory.of([wide, low])
    assert {rule.outcome for rule in select(hierarchy, reference, alpha=4)} == {"a", "b"}


@given(worlds(), st.integers(1, 8))
def test_alpha_together_raises_the_fidelity_of_each_outcome_with_each_rule(world: World, alpha):
    """Slow and plain: what any rule of an outcome covers, against the records of that outcome."""
    reference = world.reference
    chosen = select_alpha_together(world.rules, reference, alpha)
    share = math.ceil(alpha / len(reference.outcomes))
    named = {rule.outcome for rule in world.rules}
    assert {rule.outcome for rule in chosen} == named
    assert chosen.size <= max(alpha, share * len(named))

    def fidelity(rules, outcome):
        covered = 0
        for rule in rules:
            covered |= reference.records.coverage(rule)
        return reference.size - (covered ^ reference.having[outcome]).bit_count()

    for outcome in named:
        group = [rule for rule in world.rules if rule.outcome == outcome]
        taken = [rule for rule in chosen if rule.outcome == outcome]
        if len(taken) == 1:
            assert fidelity(taken, outcome) == max(fidelity([rule], outcome) for rule in group)
        elif len(taken) < share:
            assert all(
                fidelity([*taken, rule], outcome) <= fidelity(taken, outcome) for rule in group
            )


def test_otherwise_is_what_most_uncovered_records_have():
    (wide, _, other, rest), reference = told_apart()
    theory = RankedTheory.of([wide, other], reference)
    assert theory.default == "a"
    assert with_otherwise(theory, reference).default == "b"
    assert with_otherwise(theory, reference).rules == theory.rules
    for rules in ([rest], [wide, other, rest]):  # the usual one, and nobody is left
        assert with_otherwise(RankedTheory.of(rules, reference), reference).default == "a"


def test_on_a_tie_what_holds_otherwise_stays():
    frame = pd.DataFrame({"x": range(5)})
    labels = ["a", "b", "b", "b", "a"]
    schema = Schema.of(frame, labels)
    reference = Reference(Records(schema, frame), labels)
    theory = RankedTheory.of([schema.rule({"x": (1, 3)}, "b")], reference)
    uncovered = [labels[place] for place in (0, 3, 4)]
    assert uncovered.count("a") > uncovered.count("b")
    assert with_otherwise(theory, reference).default == "a"
    tied = RankedTheory.of([schema.rule({"x": (1, 2)}, "b")], reference)
    assert with_otherwise(tied, reference).default == tied.default == "b"
