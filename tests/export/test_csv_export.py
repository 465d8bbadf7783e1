"""CSV that a spreadsheet can open."""

import csv
import io
import math

from hypothesis import given
from hypothesis import strategies as st

from glocalx.export.csv import defused, table_to_csv
from tests.export.hostile import texts

STARTS = ("=", "+", "-", "@", "\t", "\r")


@given(st.one_of(texts, st.tuples(st.sampled_from(STARTS), texts).map("".join)))
def test_no_cell_is_a_formula_and_nothing_is_lost(text):
    rows = list(csv.reader(io.StringIO(table_to_csv([{text: text}]), newline="")))
    for (cell,) in rows:
        assert not cell.startswith(STARTS)
        assert not cell.lstrip().startswith(STARTS)
        assert cell.removeprefix("'") == text.removeprefix("'")


def test_harmless_texts_stay_as_they_are():
    assert defused("a = b") == "a = b"
    assert defused("") == ""


def test_numbers_stay_numbers_and_the_undefined_is_empty():
    row = {"a": -1.5, "b": 2, "c": math.nan, "d": None, "e": True}
    assert table_to_csv([row]).splitlines()[1] == '-1.5,2,"","","yes"'


def test_texts_are_quoted_so_that_no_other_separator_splits_them():
    assert table_to_csv([{"a": "x;=y"}]).splitlines()[1] == '"x;=y"'


def test_columns_can_be_chosen():
    assert table_to_csv([{"a": 1, "b": 2}], ["b"]) == '"b"\r\n2\r\n'
    assert table_to_csv([], ["b"]) == '"b"\r\n'
