"""Measures by definition, and their intervals."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from scipy import stats

from glocalx.errors import GLocalXError
from glocalx.evaluation import evaluate, share_intervals
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.coverage import Records
from glocalx.rules.schema import Schema
from glocalx.rules.scoring import Reference
from tests import plain
from tests.strategies import World, worlds


@settings(max_examples=25)
@given(worlds())
def test_measures_by_definition(world: World):
    theory = RankedTheory.of(world.rules, world.reference)
    truth = np.roll(np.array(world.labels, dtype=object), 1)
    found = evaluate(theory, world.reference, truth, seconds=1.5, resamples=100)
    predicted = plain.predict(world.rules, world.frame, world.labels, world.schema.outcomes)
    covered = [
        any(plain.covers(rule, world.frame.iloc[place]) for rule in world.rules)
        for place in range(len(world.frame))
    ]
    lengths = [len(rule) for rule in set(world.rules)]
    assert found.records == len(world.frame)
    assert found.fidelity == pytest.approx(np.mean(np.array(predicted) == world.labels))
    assert found.accuracy == pytest.approx(np.mean(np.array(predicted) == truth))
    assert found.delta_accuracy == pytest.approx(found.fidelity - found.accuracy)
    assert found.size == len(lengths)
    assert found.length == pytest.approx(np.mean(lengths))
    assert found.length_deviation == pytest.approx(np.std(lengths))
    assert found.coverage == pytest.approx(np.mean(covered))
    assert found.default_share == pytest.approx(1 - np.mean(covered))
    assert found.seconds == 1.5
    assert found.fidelity_interval.low <= found.fidelity + 1e-9
    assert found.fidelity_interval.high >= found.fidelity - 1e-9


def test_without_truth_there_is_no_accuracy():
    frame = pd.DataFrame({"x": range(4)})
    labels = ["a", "a", "b", "b"]
    schema = Schema.of(frame, labels)
    reference = Reference(Records(schema, frame), labels)
    found = evaluate(RankedTheory.of([], reference), reference)
    assert (found.accuracy, found.delta_accuracy, found.accuracy_interval) == (None, None, None)
    assert (found.size, found.length, found.coverage) == (0, 0.0, 0.0)
    assert found.fidelity == 0.5
    with pytest.raises(GLocalXError, match="3 true labels for 4 records"):
        evaluate(RankedTheory.of([], reference), reference, ["a"] * 3)


def test_truth_is_read_as_labels_are():
    frame = pd.DataFrame({"x": range(4)})
    schema = Schema.of(frame, [0, 1])
    reference = Reference(Records(schema, frame), [0, 0, 1, 1])
    theory = RankedTheory.of([schema.rule({"x": (2, 9)}, "1")], reference)
    assert evaluate(theory, reference, np.array([0.0, 0.0, 1.0, 0.0])).accuracy == 0.75


def test_intervals_are_those_of_scipy():
    hits = np.random.default_rng(0).random(400) < 0.87
    theirs = stats.bootstrap(
        (hits.astype(float),), np.mean, method="percentile", n_resamples=5000, rng=1
    ).confidence_interval
    ours = share_intervals(hits, seed=1).first
    assert ours.low == pytest.approx(theirs.low, abs=0.006)
    assert ours.high == pytest.approx(theirs.high, abs=0.006)


def test_intervals_cover_the_truth_about_as_often_as_they_say():
    generator = np.random.default_rng(3)
    inside = 0
    for seed in range(300):
        low, high = share_intervals(generator.random(300) < 0.8, resamples=500, seed=seed).first
        inside += low <= 0.8 <= high
    assert 0.90 <= inside / 300 <= 0.99


def test_the_difference_knows_that_both_shares_are_of_the_same_records():
    hits = np.array([True] * 70 + [False] * 30)
    same = share_intervals(hits, hits)
    assert same.difference == (0.0, 0.0)
    opposite = share_intervals(hits, ~hits)
    assert opposite.difference.low == pytest.approx(2 * opposite.first.low - 1)


def test_intervals_depend_on_the_seed_alone():
    hits = np.random.default_rng(0).random(97) < 0.6
    assert share_intervals(hits, seed=4) == share_intervals(hits, seed=4)
    assert share_intervals(np.ones(9, dtype=bool)).first == (1.0, 1.0)


def test_intervals_that_cannot_be():
    with pytest.raises(GLocalXError, match="0 resamples"):
        share_intervals(np.ones(3, dtype=bool), resamples=0)
    with pytest.raises(GLocalXError, match="no records"):
        share_intervals(np.ones(0, dtype=bool))
