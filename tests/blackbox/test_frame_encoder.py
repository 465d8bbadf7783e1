import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from glocalx.blackbox.frame_encoder import FrameEncoder
from glocalx.rules.schema import Feature

TEXTS = st.lists(st.sampled_from(["a", "b", "c", "", "<script>"]), min_size=1)


@given(TEXTS, TEXTS)
def test_categories_as_scikit_learn_encodes_them(fitted, asked):
    frame = pd.DataFrame({"job": pd.Series(fitted, dtype="str")})
    other = pd.DataFrame({"job": pd.Series(asked, dtype="str")})
    features = (Feature("job", "categorical", tuple(fitted)),)
    theirs = OneHotEncoder(handle_unknown="ignore", sparse_output=False).fit(frame.to_numpy())
    mine = FrameEncoder(features).fit(frame)
    assert mine.transform(other).tolist() == theirs.transform(other.to_numpy()).tolist()


def test_numbers_as_they_are_or_scaled():
    frame = pd.DataFrame({"age": [20, 40, 60], "same": [1.5, 1.5, 1.5]})
    features = (Feature("age", "integer"), Feature("same", "numeric"))
    plain = FrameEncoder(features).fit_transform(frame)
    assert plain.tolist() == [[20, 1.5], [40, 1.5], [60, 1.5]]
    scaled = FrameEncoder(features, scale=True).fit_transform(frame)
    np.testing.assert_allclose(scaled, StandardScaler().fit_transform(frame), rtol=1e-6)


def test_only_frequent_categories_are_kept_and_the_rest_counted():
    frame = pd.DataFrame({"town": pd.Series(["x", "x", "y", "y", "w", "z"], dtype="str")})
    features = (Feature("town", "categorical", ("w", "x", "y", "z")),)
    encoder = FrameEncoder(features, most_categories=2).fit(frame)
    assert list(encoder.categories_["town"]) == ["x", "y"]
    assert encoder.dropped_ == {"town": 2}
    assert encoder.transform(frame).sum() == 4
