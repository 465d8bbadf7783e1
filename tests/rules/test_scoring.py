"""Rule accuracy, rule fidelity, prediction and BIC against plain answers."""

import math
import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given

from glocalx.errors import GLocalXError
from glocalx.rules.coverage import Records
from glocalx.rules.schema import Feature, Schema
from glocalx.rules.scoring import Reference, bic, mean_length
from tests import plain
from tests.strategies import World, worlds


@given(worlds())
def test_accuracy_is_laplace_and_fidelity_is_one_outcome_against_the_rest(world: World):
    reference = world.reference
    table = plain.PlainTable(world.frame, world.labels, world.schema.outcomes)
    for rule in world.rules:
        score = reference.score(rule)
        inside = plain.covered(rule, world.frame)
        expected = table.accuracy(plain.read(rule))
        assert score.accuracy == pytest.approx(float(expected))
        assert score.covered == len(inside)
        assert score.agreed == sum(world.labels[i] == rule.outcome for i in inside)
        if inside:
            assert score.precision == score.agreed / len(inside)
        else:
            assert math.isnan(score.precision)
            assert score.accuracy == 1 / len(world.schema.outcomes)
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
    assert bic(0.0, 3, 200) == bic(1e-12, 3, 200) < math.inf
    assert bic(1e-11, 3, 200) < bic(0.0, 3, 200)


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


def test_the_majority_is_the_most_frequent_label_and_a_tie_goes_to_the_canonical_first():
    frame = pd.DataFrame({"age": range(6)})
    records = Records(Schema.of(frame, ["a", "b", "c"]), frame)
    for labels, expected in [("abbcca", "a"), ("cccbba", "c"), ("bbbcca", "b"), ("ccbbbc", "b")]:
        assert Reference(records, list(labels)).majority == expected


@given(worlds())
def test_rules_decide_in_the_order_of_accuracy_coverage_and_canon(world: World):
    reference = world.reference
    scores = {rule: reference.score(rule) for rule in world.rules}
    expected = sorted(
        set(world.rules),
        key=lambda r: (-scores[r].accuracy, -scores[r].covered, r.sort_key),
    )
    assert reference.ranked(set(world.rules)) == expected
    assert [scores[r].rank for r in expected] == sorted(scores[r].rank for r in expected)


def test_of_rules_that_no_record_tells_apart_the_canonical_first_decides():
    frame = pd.DataFrame({"age": [1, 2, 3, 4]})
    schema = Schema.of(frame, ["a", "b"])
    reference = Reference(Records(schema, frame), ["a", "b", "a", "b"])
    one, other = schema.rule({"age": (1, 3)}, "a"), schema.rule({"age": (1, 3)}, "b")
    wide = schema.rule({}, "b")
    assert reference.ranked([wide, other, one]) == [wide, one, other]
    assert reference.agreement([other, one], 0b0011) == 1
    assert reference.ranked([other, one]) == [one, other]


def test_the_fingerprint_tells_records_and_labels_apart(frame_of_two):
    schema, frame = frame_of_two
    records = Records(schema, frame)
    prints = {
        Reference(records, ["a", "b"]).fingerprint(),
        Reference(records, ["b", "a"]).fingerprint(),
        Reference(records, ["b", "b"]).fingerprint(),
        Reference(Records(schema, frame + 1), ["a", "b"]).fingerprint(),
    }
    assert len(prints) == 4
    assert Reference(records, ["a", "b"]).fingerprint() in prints


def test_labels_are_not_run_together_in_the_fingerprint():
    frame = pd.DataFrame({"age": [1, 2]})
    records = Records(Schema((Feature("age", "integer"),), ("a", "aa")), frame)
    one, other = Reference(records, ["a", "aa"]), Reference(records, ["aa", "a"])
    assert one.fingerprint() != other.fingerprint()


def test_what_was_measured_is_left_behind_when_a_reference_travels(frame_of_two):
    schema, frame = frame_of_two
    reference = Reference(Records(schema, frame), ["a", "b"])
    fresh = len(pickle.dumps(reference))
    for high in range(2, 60):
        reference.score(schema.rule({"age": (-50, high)}, "a"))
    copy = pickle.loads(pickle.dumps(reference))
    assert len(pickle.dumps(reference)) == fresh
    assert copy.score(schema.rule({"age": (2, 5)}, "a")).covered == 1


def test_no_records_are_refused(frame_of_two):
    schema, frame = frame_of_two
    with pytest.raises(GLocalXError, match="no records"):
        Reference(Records(schema, frame.iloc[:0]), [])


def test_length_is_the_mean_number_of_premises(frame_of_two):
    schema, _ = frame_of_two
    assert mean_length([]) == 0
    assert mean_length([schema.rule({}, "a"), schema.rule({"age": (0, 2)}, "b")]) == 0.5


@pytest.fixture
def frame_of_two():
    frame = pd.DataFrame({"age": [1, 2]})
    return Schema.of(frame, ["a", "b"]), frame


def test_taken_records_bring_their_labels():
    frame = pd.DataFrame({"x": [1, 2, 3]})
    schema = Schema.of(frame, ["a", "b"])
    taken = Reference(Records(schema, frame), ["a", "b", "b"]).taken(np.array([0, 0, 2, 0]))
    assert list(taken.labels) == ["a", "a", "b", "a"]
    assert taken.majority == "a"
    assert taken.score(schema.rule({"x": (1, 2)}, "a")).covered == 3
