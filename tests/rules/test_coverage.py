"""Coverage against a value-by-value answer, similarity against scipy."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import jaccard

from glocalx.errors import GLocalXError
from glocalx.rules.coverage import Records, bits_of, mask_of, records_in, similarity
from glocalx.rules.schema import Feature, Schema
from tests import plain
from tests.strategies import worlds

masks = st.lists(st.booleans(), min_size=1, max_size=200).map(np.array)


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


def test_text_among_numbers_is_named_with_its_row():
    frame = pd.DataFrame({"age": ["1", "old"], "job": ["clerk", "none"]})
    with pytest.raises(GLocalXError, match="“age” should hold numbers, but row 2 holds “old”"):
        Records(SCHEMA, frame)


def test_missing_columns_are_named():
    with pytest.raises(GLocalXError, match="lacks the column “job”"):
        Records(SCHEMA, pd.DataFrame({"age": [1]}))


def test_fingerprint_tells_tables_apart():
    frame = pd.DataFrame({"age": [1, 2], "job": ["clerk", "none"]})
    same, other = frame.copy(), frame.assign(age=[1, 3])
    one = Records(SCHEMA, frame).fingerprint()
    assert one == Records(SCHEMA, same).fingerprint()
    assert one != Records(SCHEMA, other).fingerprint()
