import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glocalx.blackbox.confusion import count_confusion
from glocalx.blackbox.presets import MODEL_KINDS, MODEL_NAMES, settings_grid
from glocalx.blackbox.trained import iter_training, outcome_codes, sampled_rows, train
from glocalx.errors import GLocalXError
from glocalx.rules.schema import Feature, Schema
from tests.blackbox.model_files import adult, people, schema_of

FRAME, TARGET = people()
SCHEMA = schema_of(FRAME, TARGET)
AGES = Schema((Feature("age", "integer"),), ("a", "b"))
CODES = st.lists(st.integers(0, 3), min_size=1, max_size=60).map(np.array)


@pytest.fixture(scope="module", params=MODEL_KINDS)
def box(request):
    return train(request.param, FRAME, TARGET, SCHEMA, seed=1)


def test_answers_keep_to_the_interface(box):
    labels, probabilities = box.labels(FRAME), box.probabilities(FRAME)
    assert box.name in MODEL_NAMES.values()
    assert box.outcomes == ("accept", "deny")
    assert labels.shape == (len(FRAME),)
    assert set(labels) == {"accept", "deny"}
    if probabilities is not None:
        np.testing.assert_allclose(probabilities.sum(axis=1), 1, atol=1e-6)
        sure = np.abs(probabilities[:, 0] - 0.5) > 1e-6
        likelier = np.array(box.outcomes)[probabilities.argmax(axis=1)]
        assert (likelier == labels)[sure].all()


def test_it_has_learnt_something(box):
    assert box.cross_validated_accuracy > 0.8
    others, truth = people(seed=9)
    found = count_confusion(truth, box.labels(others))
    assert found.records == 300
    assert found.accuracy > found.majority_share


def test_extra_columns_are_ignored_and_unseen_categories_are_not_fatal(box):
    other = FRAME.assign(job=pd.Series(["astronaut"] * len(FRAME), dtype="str"), more=1)
    assert len(box.labels(other[["more", "job", "amount", "age"]])) == len(FRAME)


def test_a_missing_column_is_named(box):
    with pytest.raises(GLocalXError, match="needs “job”"):
        box.labels(FRAME.drop(columns="job"))


def test_no_records_no_answers(box):
    assert len(box.labels(FRAME[:0])) == 0


def test_it_survives_a_trip_to_another_process(box):
    copy = pickle.loads(pickle.dumps(box))
    assert (copy.labels(FRAME) == box.labels(FRAME)).all()


@pytest.mark.parametrize("kind", MODEL_KINDS)
def test_same_seed_same_model_whatever_the_number_of_jobs(kind):
    rows = FRAME[:120], TARGET[:120]
    one = train(kind, *rows, SCHEMA, seed=3, jobs=1)
    two = train(kind, *rows, SCHEMA, seed=3, jobs=2)
    assert one.cross_validated_accuracy == two.cross_validated_accuracy
    assert (one.labels(FRAME) == two.labels(FRAME)).all()
    if one.probabilities(FRAME) is not None:
        assert (one.probabilities(FRAME) == two.probabilities(FRAME)).all()


def test_progress_counts_up_and_ends_with_the_box():
    steps = list(iter_training("gb", FRAME[:90], TARGET[:90], SCHEMA, preset="paper"))
    total = len(settings_grid("gb", "paper").settings) * 3 + 1
    assert [step.done for step in steps] == list(range(total + 1))
    assert {step.total for step in steps} == {total}
    assert all(step.box is None for step in steps[:-1])
    assert steps[-1].box.parameters in settings_grid("gb", "paper").settings


def test_training_can_be_left_in_the_middle():
    steps = iter_training("rf", FRAME, TARGET, SCHEMA, preset="paper", jobs=2)
    next(steps)
    next(steps)
    steps.close()


def test_an_exact_support_vector_machine_says_what_it_left_out(monkeypatch):
    monkeypatch.setattr("glocalx.blackbox.presets.EXACT_SVM_ROWS", 100)
    found = train("svm", FRAME, TARGET, SCHEMA, preset="paper")
    assert 100 <= found.trained_on <= 104
    assert found.notes == (
        "An exact support vector machine takes very long on 300 records: it was trained on "
        f"{found.trained_on} of them, drawn in proportion to the outcomes.",
    )


def test_many_categories_are_counted(monkeypatch):
    towns = pd.Series([f"town {row % 150}" for row in range(len(FRAME))], dtype="str")
    frame = FRAME.assign(town=towns)
    found = train("rf", frame, TARGET, schema_of(frame, TARGET))
    assert found.notes == (
        "“town” has many categories: the 100 most frequent ones were used, 50 rare ones were "
        "treated as unknown.",
    )


def test_more_than_two_outcomes_and_a_very_rare_one():
    target = TARGET.copy()
    target[:40] = "ask"
    target[0] = "once"
    for kind in MODEL_KINDS:
        found = train(kind, FRAME, target, SCHEMA)
        assert found.outcomes == ("accept", "ask", "deny", "once")
        probabilities = found.probabilities(FRAME)
        assert probabilities is None or probabilities.shape == (len(FRAME), 4)


def test_unknown_names_are_refused():
    with pytest.raises(GLocalXError, match="no model “tree”"):
        train("tree", FRAME, TARGET, SCHEMA)
    with pytest.raises(GLocalXError, match="no preset “slow”"):
        train("rf", FRAME, TARGET, SCHEMA, preset="slow")


def test_a_quick_forest_on_adult_is_as_good_as_expected():
    frame, target = adult()
    box = train("rf", frame[:8000], target[:8000], schema_of(frame, target), jobs=2)
    found = count_confusion(target[8000:12000], box.labels(frame[8000:12000]))
    assert found.accuracy > 0.85


@given(
    CODES,
    st.integers(1, 60),
    st.integers(0, 5),
)
def test_a_sample_keeps_every_outcome(codes, most, seed):
    rows = sampled_rows(codes, most, seed)
    assert len(set(rows.tolist())) == len(rows) <= most + 2 * len(np.unique(codes))
    for code in np.unique(codes):
        assert (codes[rows] == code).sum() >= min(2, (codes == code).sum())


def test_codes_are_places_in_the_sorted_outcomes():
    frame = pd.DataFrame({"age": [1, 2, 3, 4]})
    outcomes, codes = outcome_codes(frame, ["b", "a", "b", "a"], AGES)
    assert (outcomes, codes.tolist()) == (("a", "b"), [1, 0, 1, 0])


@pytest.mark.parametrize(
    ("target", "sentence"),
    [
        (["a"] * 4, "All 4 records have the same label"),
        (["a", "b"], "4 records and 2 labels"),
        (["a", "a", "a", "b"], "Only 1 of 4 records has the outcome “b”"),
        (["a", None, "b", "b"], "NaN"),
    ],
)
def test_targets_that_cannot_be_learnt(target, sentence):
    with pytest.raises(GLocalXError, match=sentence):
        outcome_codes(pd.DataFrame({"age": [1, 2, 3, 4]}), target, AGES)
