"""Codes, and the way back from branches to premises (`encoding.py`)."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glocalx.errors import GLocalXError
from glocalx.extraction.encoding import Encoding
from glocalx.rules.branches import Branch
from glocalx.rules.coverage import Records, bits_of
from glocalx.rules.schema import Feature, Schema
from glocalx.rules.sql import Notation, number_literal, rule_condition
from glocalx.words.wording import Wording
from tests.extraction.small_worlds import BANK, customers
from tests.lender import LENDER, applicants


def test_codes_and_back_is_the_same_table():
    frame = customers(50)
    encoding = Encoding(BANK, [frame])
    back = encoding.decode(encoding.encode(frame))
    pd.testing.assert_frame_equal(back, frame)


def test_whole_numbers_stay_whole_only_where_all_tables_have_them():
    frame = customers(20)
    floats = frame.astype({"age": float})
    assert Encoding(BANK, [frame]).decode(Encoding(BANK, [frame]).encode(frame))["age"].dtype == int
    mixed = Encoding(BANK, [frame, floats])
    assert mixed.decode(mixed.encode(frame))["age"].dtype == float


def test_two_categories_make_one_column_and_three_make_three():
    frame = customers(50)
    encoding = Encoding(BANK, [frame])
    expanded = encoding.expand(encoding.encode(frame))
    assert expanded.shape == (50, 1 + 1 + 3 + 1)
    np.testing.assert_array_equal(expanded[:, 3] == 1, frame["job"] == "clerk")
    np.testing.assert_array_equal(expanded[:, 5] == 1, frame["owner"] == "yes")


@pytest.mark.parametrize(("schema", "drawn"), [(BANK, customers), (LENDER, applicants)])
@given(st.data())
def test_a_rule_covers_exactly_the_records_that_take_its_branches(schema, drawn, data):
    frame = drawn(40, seed=data.draw(st.integers(0, 5)))
    encoding = Encoding(schema, [frame])
    expanded = encoding.expand(encoding.encode(frame))
    columns = data.draw(st.lists(st.integers(0, expanded.shape[1] - 1), max_size=5))
    record = data.draw(st.integers(0, 39))  # a record takes them all, so they do not contradict
    branches = []
    for column in columns:
        lowest, highest = int(expanded[:, column].min()), int(expanded[:, column].max())
        cut = data.draw(st.integers(lowest, max(lowest, highest - 1)))
        branches.append(Branch(column, cut, bool(expanded[record, column] <= cut)))
    taken = np.ones(40, dtype=bool)
    for branch in branches:
        taken &= (expanded[:, branch.column] <= branch.cut) == branch.below
    rule = encoding.rule(branches, "accept")
    assert Records(schema, frame).coverage(rule) == bits_of(taken)


@given(
    st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=2, max_size=8, unique=True),
    st.data(),
)
def test_thresholds_part_any_two_floats(values, data):
    schema = Schema((Feature("x", "numeric"),), ("no", "yes"))
    frame = pd.DataFrame({"x": values})
    encoding = Encoding(schema, [frame])
    distinct = sorted({value + 0.0 for value in values})
    if len(distinct) < 2:
        return
    cut = data.draw(st.integers(0, len(distinct) - 2))
    interval = encoding.premises([Branch(0, cut, True)])["x"]
    assert [value for value in distinct if value in interval] == distinct[: cut + 1]


def test_thresholds_on_whole_numbers_read_as_whole_numbers():
    encoding = Encoding(
        Schema((Feature("age", "integer"),), ("a", "b")), [pd.DataFrame({"age": [18, 25, 40]})]
    )
    assert encoding.premises([Branch(0, 0, False)])["age"].low == 22
    assert encoding.premises([Branch(0, 1, True)])["age"].high == math.ceil(32.5)


def test_values_that_are_not_clean_are_named():
    frame = customers(10)
    encoding = Encoding(BANK, [frame])
    strange = frame.copy()
    strange.loc[3, "job"] = "king"
    with pytest.raises(GLocalXError, match="“job” holds “king” in row 4"):
        encoding.encode(strange)
    holes = frame.astype({"amount": float})
    holes.loc[6, "amount"] = np.nan
    with pytest.raises(GLocalXError, match="“amount” should hold numbers, but row 7"):
        encoding.encode(holes)


def test_words_and_sql_have_the_number_that_the_rule_was_made_with():
    frame = pd.DataFrame({"income": [1207.33, 3561.9, 3600.2, 8000.51]})
    schema = Schema((Feature("income", "numeric"),), ("no", "yes"))
    encoding = Encoding(schema, [frame])
    rules = [encoding.rule([Branch(0, cut, True)], "no") for cut in range(3)]
    texts = [Wording(schema).rule(rule) for rule in rules]
    assert texts == [f"income < {number} → no" for number in ("2,000", "3,600", "6,000")]
    bare = Notation(lambda each: each.name, lambda _, end: number_literal(end))
    conditions = [rule_condition(rule, schema, bare) for rule in rules]
    assert conditions == [f"income < {number}" for number in (2000, 3600, 6000)]
