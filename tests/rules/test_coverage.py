"""Coverage against a value-by-value answer, similarity against scipy."""

import pickle
from itertools import islice

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import jaccard

from glocalx.errors import GLocalXError
from glocalx.rules.coverage import Records, bits_of, mask_of, similarity
from glocalx.rules.rule import Categories
from glocalx.rules.schema import Feature, Schema
from tests import plain
from tests.bits import records_in
from tests.strategies import worlds

masks = st.lists(st.booleans(), min_size=1, max_size=200).map(np.array)


def test_the_records_of_a_set_are_counted_from_its_lowest_bit():
    assert [list(islice(records_in(bits), 4)) for bits in (0, 1, 0b1101)] == [[], [0], [0, 2, 3]]


@given(masks)
def test_bits_and_masks_are_inverse(mask):
    bits = bits_of(mask)
    assert (mask_of(bits, len(mask)) == mask).all()
    assert list(records_in(bits)) == list(np.flatnonzero(mask))


@given(worlds())
def test_coverage_is_what_satisfies_every_premise(world):
    records = Records(world.schema, world.frame)
    for rule in world.rules:
        assert set(records_in(records.coverage(rule))) == plain.covered(rule, world.frame)
    union = set().union(*(plain.covered(rule, world.frame) for rule in world.rules))
    assert set(records_in(records.union(world.rules))) == union


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=50))
def test_similarity_agrees_with_scipy(pairs):
    a, b = (np.array(column) for column in zip(*pairs, strict=True))
    ours = similarity(bits_of(a), bits_of(b))
    assert ours == similarity(bits_of(b), bits_of(a))
    assert 0 <= ours <= 1
    if a.any() or b.any():
        assert ours == pytest.approx(1 - jaccard(a, b))
    else:
        assert ours == 0


SCHEMA = Schema(
    (Feature("age", "integer"), Feature("job", "categorical", ("clerk", "none"))), ("a", "b")
)


def test_missing_and_unseen_values_satisfy_nothing_and_are_counted():
    frame = pd.DataFrame({"age": [1, None, 3], "job": ["clerk", "pilot", None]})
    records = Records(SCHEMA, frame)
    older = SCHEMA.rule({"age": (2, np.inf)}, "a")
    any_age = SCHEMA.rule({"age": (-np.inf, 100)}, "a")
    clerk = SCHEMA.rule({"job": ["clerk"]}, "a")
    assert list(records_in(records.coverage(older))) == [2]
    assert list(records_in(records.coverage(any_age))) == [0, 2]
    assert list(records_in(records.coverage(clerk))) == [0]
    assert records.unseen == {"job": {"pilot": 1}}


def test_a_category_that_no_record_can_have_covers_no_record():
    frame = pd.DataFrame({"age": [1, 2], "job": ["pilot", None]})
    stranger = Categories(frozenset({"pilot"}), frozenset({"pilot", "clerk", "none"}))
    assert Records(SCHEMA, frame).satisfying("job", stranger) == 0
    jobs = Schema((SCHEMA["age"], Feature("job", "categorical", ("a", "b", "c", "d"))), "ab")
    known = frame.assign(job=["c", "d"])
    assert Records(jobs, known).satisfying("job", stranger) == 0
    assert list(Records(SCHEMA, frame).values("job")) == [-2, -1]


def test_what_stands_in_for_a_missing_value_stands_for_no_other():
    frame = pd.DataFrame({"age": [1, None, 7], "job": ["pilot", None, "none"]})
    filled = Records(SCHEMA.with_fills({"age": 4.0, "job": "clerk"}), frame)
    assert list(filled.values("age")) == [1, 4, 7]
    assert list(filled.values("job")) == [
        -2,
        *map(SCHEMA["job"].categories.index, ("clerk", "none")),
    ]
    assert filled.unseen == {"job": {"pilot": 1}}


def test_an_interval_without_a_high_end_covers_every_number():
    frame = pd.DataFrame({"age": [1, np.inf, None], "job": ["clerk"] * 3})
    older = SCHEMA.rule({"age": (0, np.inf)}, "a")
    assert list(records_in(Records(SCHEMA, frame).coverage(older))) == [0, 1]


def test_unseen_values_are_counted_each():
    frame = pd.DataFrame({"age": range(5), "job": ["pilot", "clerk", "baker", None, "pilot"]})
    records = Records(SCHEMA, frame)
    assert len(records) == 5
    assert records.unseen == {"job": {"pilot": 2, "baker": 1}}
    assert list(records.values("job")) == [-2, 0, -2, -1, -2]


def test_text_among_numbers_is_named_with_its_row():
    frame = pd.DataFrame({"age": ["1", "old"], "job": ["clerk", "none"]})
    with pytest.raises(GLocalXError, match="“age” should hold numbers, but row 2 holds “old”"):
        Records(SCHEMA, frame)


def test_missing_columns_are_named_and_counted():
    with pytest.raises(GLocalXError, match="lacks the column “job”\\. Add"):
        Records(SCHEMA, pd.DataFrame({"age": [1]}))
    with pytest.raises(GLocalXError, match="lacks the column “age” and 1 more\\. Add"):
        Records(SCHEMA, pd.DataFrame({"debt": [1]}))


def test_fingerprint_tells_tables_apart():
    frame = pd.DataFrame({"age": [1, 2], "job": ["clerk", "none"]})
    jobs = Schema((SCHEMA["age"], Feature("job", "categorical", ("clerk", "none", "x"))), "ab")
    renamed = Schema((Feature("years", "integer"), SCHEMA["job"]), ("a", "b"))
    found = [
        Records(SCHEMA, frame),
        Records(SCHEMA, frame.assign(age=[1, 3])),
        Records(SCHEMA, frame.assign(job=["none", "clerk"])),
        Records(jobs, frame),
        Records(renamed, frame.rename(columns={"age": "years"})),
    ]
    assert len({records.fingerprint() for records in found}) == len(found)
    assert Records(SCHEMA, frame.copy()).fingerprint() == found[0].fingerprint()


def test_the_fingerprint_is_the_same_in_other_words():
    frame = pd.DataFrame({"age": [1, 2], "job": ["clerk", "none"]})
    spoken = Schema(SCHEMA.features, SCHEMA.outcomes, {"a": "accepted"})
    assert spoken.to_dict() != SCHEMA.to_dict()
    assert Records(spoken, frame).fingerprint() == Records(SCHEMA, frame).fingerprint()


def test_what_was_remembered_is_left_behind_when_records_travel():
    records = Records(SCHEMA, pd.DataFrame({"age": [1, 2], "job": ["clerk", "none"]}))
    fresh, rule = len(pickle.dumps(records)), SCHEMA.rule({"age": (2, 9), "job": ["none"]}, "a")
    assert list(records_in(records.coverage(rule))) == [1]
    assert len(pickle.dumps(records)) == fresh
    assert list(records_in(pickle.loads(pickle.dumps(records)).coverage(rule))) == [1]


@given(worlds(), st.data())
def test_taken_records_are_covered_as_those_of_a_table_of_them(world, data):
    records = Records(world.schema, world.frame)
    records.union(world.rules)  # what it remembers is of other records
    drawn = data.draw(st.lists(st.integers(0, records.size - 1), min_size=1, max_size=60))
    taken = records.taken(np.array(drawn))
    again = Records(world.schema, world.frame.iloc[drawn].reset_index(drop=True))
    assert (len(taken), taken.everything) == (len(again), again.everything)
    assert taken.fingerprint() == again.fingerprint()
    for rule in world.rules:
        assert taken.coverage(rule) == again.coverage(rule)
