"""Rule accuracy, rule fidelity, prediction and BIC against plain answers."""

import math

import pytest
from hypothesis import given

from glocalx.errors import GLocalXError
from glocalx.rules.coverage import Records
from glocalx.rules.schema import Schema
from glocalx.rules.scoring import Reference, bic, mean_length
from tests import plain
from tests.strategies import World, worlds


@given(worlds())
def test_accuracy_is_laplace_and_fidelity_is_one_outcome_against_the_rest(world: World):
    reference = world.reference
    for rule in world.rules:
        score = reference.score(rule)
        inside = plain.covered(rule, world.frame)
        expected = plain.accuracy(rule, world.frame, world.labels, world.schema.outcomes)
        assert score.accuracy == pytest.approx(float(expected))
        assert score.covered == len(inside)
        agree = [(i in inside) == (label == rule.outcome) for i, label in enumerate(world.labels)]
        assert score.fidelity == pytest.approx(sum(agree) / len(agree))


@given(worlds())
def test_fidelity_agrees_with_a_plain_vote(world: World):
    predicted = plain.predict(world.rules, world.frame, world.labels, world.schema.outcomes)
    expected = sum(p == y for p, y in zip(predicted, world.labels, strict=True))
    assert world.reference.agreement(world.rules) == expected
    assert world.reference.fidelity(world.rules) == expected / len(world.labels)


@given(worlds())
def test_fidelity_on_some_records_counts_these_alone(world: World):
    predicted = plain.predict(world.rules, world.frame, world.labels, world.schema.outcomes)
    half = len(world.labels) // 2
    agreed = [p == y for p, y in zip(predicted, world.labels, strict=True)][:half]
    assert world.reference.fidelity(world.rules, (1 << half) - 1) == sum(agreed) / half


def test_bic_follows_its_formula():
    expected = 0.1 * 3 * math.log(200) - 2 * 200 * math.log(0.9)
    assert bic(0.9, 3, 200) == pytest.approx(expected)
    weighted = 2 * 3 * math.log(200) - 2 * 0.5 * 200 * math.log(0.9)
    assert bic(0.9, 3, 200, fidelity_weight=0.5, complexity_weight=2) == pytest.approx(weighted)
    assert math.isfinite(bic(0.0, 3, 200))


def test_majority_tie_goes_to_the_first_outcome(frame_of_two):
    schema, frame = frame_of_two
    assert Reference(Records(schema, frame), ["b", "a"]).majority == "a"


@pytest.mark.parametrize(
    ("labels", "sentence"),
    [(["a"], "1 labels for 2 records"), (["a", "z"], "label “z” is none of the outcomes")],
)
def test_labels_that_do_not_fit_are_refused(frame_of_two, labels, sentence):
    schema, frame = frame_of_two
    with pytest.raises(GLocalXError, match=sentence):
        Reference(Records(schema, frame), labels)


def test_no_records_are_refused(frame_of_two):
    schema, frame = frame_of_two
    with pytest.raises(GLocalXError, match="no records"):
        Reference(Records(schema, frame.iloc[:0]), [])


def test_length_of_nothing_is_nothing():
    assert mean_length([]) == 0


@pytest.fixture
def frame_of_two():
    import pandas as pd

    frame = pd.DataFrame({"age": [1, 2]})
    return Schema.of(frame, ["a", "b"]), frame
