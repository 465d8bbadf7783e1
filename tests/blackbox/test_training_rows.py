import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glocalx.blackbox.training_rows import FOLDS, assigned_folds, outcome_codes, sampled_rows
from glocalx.errors import GLocalXError
from glocalx.rules.schema import Feature, Schema

CODES = st.lists(st.integers(0, 3), min_size=1, max_size=60).map(np.array)
SCHEMA = Schema((Feature("age", "integer"),), ("a", "b"))


@given(CODES, st.integers(0, 5))
def test_folds_hold_each_outcome_evenly(codes, seed):
    folds = assigned_folds(codes, seed)
    for code in np.unique(codes):
        counts = np.bincount(folds[codes == code], minlength=FOLDS)
        assert counts.max() - counts.min() <= 1


@given(CODES, st.integers(1, 60), st.integers(0, 5))
def test_a_sample_keeps_every_outcome(codes, most, seed):
    rows = sampled_rows(codes, most, seed)
    assert len(set(rows.tolist())) == len(rows) <= most + 2 * len(np.unique(codes))
    for code in np.unique(codes):
        assert (codes[rows] == code).sum() >= min(2, (codes == code).sum())


def test_codes_are_places_in_the_sorted_outcomes():
    frame = pd.DataFrame({"age": [1, 2, 3, 4]})
    outcomes, codes = outcome_codes(frame, ["b", "a", "b", "a"], SCHEMA)
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
        outcome_codes(pd.DataFrame({"age": [1, 2, 3, 4]}), target, SCHEMA)
