import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from glocalx.extraction.encoding import Encoding
from glocalx.extraction.neighbourhood import neighbours
from tests.extraction.small_worlds import BANK, customers


@given(st.integers(0, 49), st.floats(0.05, 1.0), st.integers(0, 1_000))
def test_neighbours_hold_only_observed_values(place, resample, seed):
    frame = customers(50)
    encoding = Encoding(BANK, [frame])
    codes = encoding.encode(frame)
    rows = neighbours(codes[place], codes, 60, resample, np.random.default_rng(seed))
    np.testing.assert_array_equal(rows[0], codes[place])
    drawn = encoding.decode(rows)
    assert drawn.dtypes.to_dict() == frame.dtypes.to_dict()
    for name in frame:
        assert set(drawn[name]) <= set(frame[name])


def test_each_feature_changes_about_as_often_as_asked_for():
    background = np.arange(40_000, dtype=np.int32).reshape(10_000, 4)
    rows = neighbours(background[0], background, 5_000, 0.3, np.random.default_rng(0))
    np.testing.assert_allclose((rows != background[0]).mean(axis=0), 0.3, atol=0.03)
