import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glocalx.errors import GLocalXError
from glocalx.extraction.encoding import Encoding
from glocalx.extraction.oracle import Oracle, distinct_rows
from tests.extraction.small_worlds import BANK, bank_box, customers


class Counting:
    """A black box that remembers how many rows it was asked about."""

    name, outcomes = "counting", BANK.outcomes

    def __init__(self):
        self.calls = []

    def labels(self, frame):
        self.calls.append(len(frame))
        return bank_box().labels(frame)

    def probabilities(self, frame):
        return None


class Odd(Counting):
    """A black box with an answer that is none of the outcomes."""

    name = "odd"

    def labels(self, frame):
        return np.array(["perhaps"] * len(frame), dtype=object)


class Short(Counting):
    """A black box that leaves a record out."""

    name = "short"

    def labels(self, frame):
        return bank_box().labels(frame)[1:]


def oracle_of(box) -> tuple[Oracle, np.ndarray]:
    frame = customers(30)
    encoding = Encoding(BANK, [frame])
    return Oracle(box, encoding), encoding.encode(frame)


def test_equal_rows_are_asked_about_once():
    box = Counting()
    oracle, codes = oracle_of(box)
    answers = oracle.labels(np.vstack([codes, codes[::-1]]))
    assert box.calls == [30]
    expected = [BANK.outcomes.index(label) for label in bank_box().labels(customers(30))]
    assert answers.tolist() == expected + expected[::-1]


def test_strange_answers_are_named():
    oracle, codes = oracle_of(Odd())
    with pytest.raises(GLocalXError, match="“odd” answers “perhaps”"):
        oracle.labels(codes)
    oracle, codes = oracle_of(Short())
    with pytest.raises(GLocalXError, match="asked about 30 records and gave 29 labels"):
        oracle.labels(codes)


@given(st.integers(1, 40), st.sampled_from([2, 2**20]), st.integers(0, 100))
def test_distinct_rows_are_those_of_pandas(columns, most, seed):
    random = np.random.default_rng(seed)
    few = random.integers(0, most, (5, columns), dtype=np.int32)
    rows = few[random.integers(0, 5, 30)]
    first, places = distinct_rows(rows)
    np.testing.assert_array_equal(rows[first][places], rows)
    assert len(first) == len(pd.DataFrame(rows).drop_duplicates())
