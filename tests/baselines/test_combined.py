"""CEGA and CFIRE: what they combine, counted again by hand."""

from itertools import chain, combinations

import numpy as np
import pandas as pd
from hypothesis import given, settings
from hypothesis import strategies as st

from glocalx.baselines.base import Task, reference_of
from glocalx.baselines.cega import CONFIDENCE, LONGEST, fit_cega
from glocalx.baselines.cfire import DEPTH, FREQUENCY, fit_cfire
from glocalx.baselines.local_explanations import closed_itemsets, features_named
from glocalx.rules.coverage import mask_of
from glocalx.rules.schema import Schema
from tests.strategies import World, worlds

SETS = st.lists(st.frozensets(st.sampled_from("abcde")), max_size=12)


@given(SETS, st.integers(1, 4))
def test_closed_itemsets_are_those_that_brute_force_finds(transactions, least):
    every = chain.from_iterable(combinations("abcde", size) for size in range(1, 6))
    held = {
        frozenset(items): tuple(i for i, each in enumerate(transactions) if set(items) <= each)
        for items in every
    }
    expected = {
        items: places
        for items, places in held.items()
        if len(places) >= least
        and not any(items < other and places == held[other] for other in held)
    }
    assert closed_itemsets(transactions, least) == expected


@given(worlds())
def test_an_explanation_is_the_most_accurate_rule_that_says_the_same(world: World):
    reference = world.reference
    ranked = reference.ranked(set(world.rules))
    covered = [mask_of(reference.records.coverage(rule), reference.size) for rule in ranked]
    for place, named in enumerate(features_named(world.rules, reference)):
        right = [
            rule
            for rule, mask in zip(ranked, covered, strict=True)
            if mask[place] and rule.outcome == reference.labels[place]
        ]
        assert named == (frozenset(right[0].features) if right else frozenset())


def corners():
    """Records on a square, “in” where both are high; a rule for each side, and an idle feature."""
    random = np.random.default_rng(0)
    frame = pd.DataFrame(random.uniform(0, 1, (600, 3)), columns=["x", "y", "z"]).round(3)
    labels = np.where((frame["x"] >= 0.5) & (frame["y"] >= 0.4), "in", "out")
    schema = Schema.of(frame, labels)
    rules = [
        schema.rule({"x": (0.5, 2), "y": (0.4, 2)}, "in"),
        schema.rule({"x": (-1, 0.5)}, "out"),
        schema.rule({"y": (-1, 0.4)}, "out"),
    ]
    return frame, labels, schema, rules


def test_both_find_what_the_explanations_say():
    frame, labels, schema, rules = corners()
    for fit in (fit_cega, fit_cfire):
        made = fit(Task(frame, labels, schema, local_rules=rules))
        reference = reference_of(Task(frame, labels, schema))
        assert np.mean(made.predict(reference.records) == labels) > 0.97
        assert {name for rule in made.rules for name in rule.features} == {"x", "y"}
        assert {rule.outcome for rule in made.rules} == {"in", "out"}
        assert fit(Task(frame, labels, schema, local_rules=rules[::-1])) == made


@settings(max_examples=25)
@given(worlds())
def test_their_rules_keep_to_what_they_promise(world: World):
    reference = world.reference
    named = {name for rule in world.rules for name in rule.features}
    task = Task(world.frame, world.labels, world.schema, local_rules=world.rules)
    cega = fit_cega(task)
    for rule in cega.rules:
        assert 1 <= len(rule) <= LONGEST
        assert set(rule.features) <= named
    cfire = fit_cfire(task)
    for rule in cfire.rules:
        assert 1 <= len(rule) <= 2 * DEPTH
        right = reference.records.coverage(rule) & reference.having[rule.outcome]
        assert right.bit_count() >= max(2, FREQUENCY * reference.having[rule.outcome].bit_count())


def test_a_rule_of_cega_is_as_sure_as_its_explanations_were():
    frame, labels, schema, rules = corners()
    task = Task(frame, labels, schema, local_rules=rules)
    reference = reference_of(task)
    named = features_named(rules, reference)
    for rule in fit_cega(task).rules:
        covered = mask_of(reference.records.coverage(rule), reference.size)
        told = [i for i in np.flatnonzero(covered) if set(rule.features) <= named[i]]
        right = [i for i in told if labels[i] == rule.outcome]
        assert len(right) >= CONFIDENCE * len(told) > 0
