import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, confusion_matrix, recall_score

from glocalx.blackbox.confusion import count_confusion

PAIRS = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=1).map(
    lambda pairs: [*pairs, ("a", "b")]  # scikit-learn warns of a single label
)


@given(PAIRS)
def test_counts_are_those_of_scikit_learn(pairs):
    true, given_ = (np.array(side, dtype=object) for side in zip(*pairs, strict=True))
    found = count_confusion(true, given_)
    assert found.counts.tolist() == confusion_matrix(true, given_, labels=found.outcomes).tolist()
    assert found.accuracy == accuracy_score(true, given_)
    assert found.records == len(pairs)


def test_share_found_and_majority():
    found = count_confusion(["a", "a", "a", "b"], ["a", "b", "a", "b"])
    assert found.found("a") == recall_score(
        ["a", "a", "a", "b"], ["a", "b", "a", "b"], pos_label="a"
    )
    assert found.majority_share == 0.75


def test_no_records():
    assert count_confusion([], []).accuracy == 0.0
