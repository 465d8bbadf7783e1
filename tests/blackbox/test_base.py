import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glocalx.blackbox.base import (
    checked_labels,
    checked_outcomes,
    checked_probabilities,
    label_texts,
)
from glocalx.errors import GLocalXError
from glocalx.words.phrases import listing


@pytest.mark.parametrize(
    ("answers", "texts"),
    [
        ([1, 0], ["1", "0"]),
        ([1.0, 0.0], ["1", "0"]),
        (np.array([[1], [0]]), ["1", "0"]),
        ([True, False], ["True", "False"]),
        (["no", "yes"], ["no", "yes"]),
        (np.array([b"no", b"yes"]), ["no", "yes"]),
        ([], []),
    ],
)
def test_labels_become_texts(answers, texts):
    assert label_texts(answers, "m").tolist() == texts


@given(st.lists(st.text(max_size=5)))
def test_texts_stay_as_they_are(texts):
    assert label_texts(np.array(texts, dtype=object), "m").tolist() == texts


@pytest.mark.parametrize("gap", [float("nan"), None])
def test_no_answer_is_counted(gap):
    with pytest.raises(GLocalXError, match=r"“m” gives no answer \(NaN\) for 2 of 3 records"):
        label_texts(np.array([gap, "yes", gap], dtype=object), "m")


def test_nan_among_numbers():
    with pytest.raises(GLocalXError, match="1 of 2 records"):
        label_texts(np.array([1.0, np.nan]), "m")


def test_a_regression_is_not_a_classifier():
    with pytest.raises(GLocalXError, match=r"numbers such as 0\.37, not with classes"):
        label_texts([0.37], "m")


def test_a_table_of_answers():
    with pytest.raises(GLocalXError, match=r"table of shape \(2, 2\)"):
        label_texts(np.eye(2), "m")


def test_the_wrong_number_of_answers():
    with pytest.raises(GLocalXError, match="gives 1,001 answers for 1,000 records"):
        checked_labels(["a"] * 1001, 1000, ("a", "b"), "m")


def test_an_answer_that_is_no_outcome():
    with pytest.raises(GLocalXError, match=r"answers “c”, which is not among its outcomes"):
        checked_labels(["a", "c"], 2, ("a", "b"), "m")


def test_probabilities_with_gaps_or_of_another_shape():
    with pytest.raises(GLocalXError, match=r"no probability \(NaN\) for 1 of 2"):
        checked_probabilities([[np.nan, 1], [0, 1]], 2, ("a", "b"), "m")
    with pytest.raises(GLocalXError, match=r"shape \(1, 3\)"):
        checked_probabilities([[0, 0, 1]], 1, ("a", "b"), "m")


def test_one_outcome_is_nothing_to_explain():
    with pytest.raises(GLocalXError, match="can only answer “a”"):
        checked_outcomes(["a", "a"], "m")


def test_long_lists_and_names_are_cut():
    assert listing(range(1010), most=1) == "“0” and 1,009 more"
    assert len(listing(["x" * 500])) < 70
