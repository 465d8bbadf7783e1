"""The one encoder: texts to codes, codes to columns of 0 and 1."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder

from glocalx.errors import GLocalXError
from glocalx.rules.codes import NO_CODE, Coded, OneHot, numbers_of, texts_of
from glocalx.rules.schema import Feature

TEXTS = st.lists(st.sampled_from(["a", "b", "c", "", "<script>", "1"]), min_size=1)
MAYBE = st.lists(st.sampled_from(["a", "b", "c", None, float("nan")]), min_size=1)


@pytest.mark.parametrize("dtype", ["str", "object", "category"])
def test_columns_of_any_kind_are_coded_alike(dtype):
    column = Coded.of(pd.Series(["b", "a", None, "b"], dtype=dtype))
    assert [column.texts[code] for code in column.codes[[0, 1, 3]]] == ["b", "a", "b"]
    assert column.codes[2] == NO_CODE
    assert column.among(("a", "b")).tolist() == [1, 0, NO_CODE, 1]


@given(TEXTS, TEXTS)
def test_codes_in_a_domain_as_scikit_learn_gives_them(known, asked):
    domain = tuple(sorted(set(known)))
    theirs = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=NO_CODE)
    theirs.fit(np.array(domain, dtype=object)[:, None])
    expected = theirs.transform(np.array(asked, dtype=object)[:, None])[:, 0]
    codes = Coded.of(pd.Series(asked, dtype="str")).among(domain)
    assert codes.tolist() == expected.tolist()
    known = codes != NO_CODE
    assert texts_of(domain).take(codes[known]).tolist() == np.array(asked)[known].tolist()


@given(MAYBE)
def test_every_record_is_in_the_domain_outside_it_or_missing(values):
    column = Coded.of(pd.Series(values, dtype=object))
    missing = sum(not isinstance(value, str) for value in values)
    inside = int(np.count_nonzero(column.among(("a",)) != NO_CODE))
    assert column.counts().sum() == len(values) - missing
    assert inside + sum(column.outside(("a",)).values()) + missing == len(values)
    assert column.outside(("a", "b", "c")) == {}


def test_a_category_that_nobody_has_is_not_outside():
    column = pd.Series(["a"]).astype(pd.CategoricalDtype(["a", "b"]))
    assert Coded.of(column).outside(("a",)) == {}


@given(TEXTS, TEXTS)
def test_columns_of_0_and_1_as_scikit_learn_makes_them(known, asked):
    domain = tuple(sorted(set(known)))
    theirs = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    theirs.fit(np.array(domain, dtype=object)[:, None])
    expected = theirs.transform(np.array(asked, dtype=object)[:, None])
    codes = Coded.of(pd.Series(asked, dtype="str")).among(domain)
    matrix = OneHot([None, range(len(domain))]).matrix([np.arange(len(asked)), codes], len(asked))
    assert matrix[:, 0].tolist() == list(range(len(asked)))
    assert matrix[:, 1:].tolist() == expected.tolist()


def test_codes_without_a_column_are_0_everywhere():
    codes = np.array([NO_CODE, 0, 1, 2, 3], dtype=np.int32)
    assert OneHot([(3, 1)]).matrix([codes], 5).tolist() == [[0, 0], [0, 0], [0, 1], [0, 0], [1, 0]]
    assert OneHot([()]).matrix([codes], 5).shape == (5, 0)
    assert OneHot([(0,)]).matrix([codes[:0]], 0).shape == (0, 1)


def test_numbers_may_be_missing_where_gaps_are_allowed():
    feature, column = Feature("age", "integer"), pd.Series(["4", None, 2], dtype=object)
    np.testing.assert_array_equal(numbers_of(feature, column), [4.0, np.nan, 2.0])
    with pytest.raises(GLocalXError, match="“age” should hold numbers, but row 2 holds “None”"):
        numbers_of(feature, column, known=True)
    with pytest.raises(GLocalXError, match="“age” should hold numbers, but row 1 holds “old”"):
        numbers_of(feature, pd.Series(["old", None, 2], dtype=object))
