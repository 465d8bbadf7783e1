import math

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glocalx.table.cells import cells_of
from glocalx.table.numbers import COMMA, GROUPED_POINT, POINT, NumberForm, number_form


def found(*texts: str, decimal_comma: bool = False) -> tuple[NumberForm, list[float]]:
    cells = cells_of(pa.chunked_array([pa.array(texts)]))
    form, share = number_form(cells, decimal_comma=decimal_comma)
    assert share == 1
    return form, form.parse(pa.array(texts)).tolist()


@pytest.mark.parametrize(
    ("texts", "form", "numbers"),
    [
        (["1", "-2.5", "+3", ".5", "1e3", "1E-2"], POINT, [1, -2.5, 3, 0.5, 1000, 0.01]),
        (["3,5", "-1,25", "7"], COMMA, [3.5, -1.25, 7]),
        (["1,234", "12,345,678", "5"], GROUPED_POINT, [1234, 12345678, 5]),
        (["1,234.5", "0.5"], GROUPED_POINT, [1234.5, 0.5]),
        (["1.234,5", "12.345", "3,1"], COMMA, [1234.5, 12345, 3.1]),
        (["0,125", "0,250"], COMMA, [0.125, 0.25]),
        (["−7", "8"], POINT, [-7, 8]),
        (["1 234", "12\u00a0345", "7"], POINT, [1234, 12345, 7]),
        (["1'234.5", "7"], POINT, [1234.5, 7]),
        (["1\u202f234,5", "7,1"], COMMA, [1234.5, 7.1]),
        (["inf", "-Infinity", "1"], POINT, [math.inf, -math.inf, 1]),
    ],
)
def test_how_people_write_numbers(texts: list[str], form: NumberForm, numbers: list[float]) -> None:
    assert found(*texts) == (form, numbers)


def test_the_file_decides_what_one_comma_means() -> None:
    assert found("1,234", "5,678")[1] == [1234, 5678]
    assert found("1,234", "5,678", decimal_comma=True)[1] == [1.234, 5.678]
    assert found("1.234", "900", decimal_comma=True)[1] == [1234, 900]
    assert found("1.234", "900")[1] == [1.234, 900]


@pytest.mark.parametrize("text", ["", "x", "1x", "1.2.3", "1,2,3", "0x10", "1_000", "--1", "1 2"])
def test_what_is_no_number(text: str) -> None:
    for form in (POINT, GROUPED_POINT, COMMA):
        assert np.isnan(form.parse(pa.array([text, "x"]))).all()


def test_codes_with_leading_zeros_are_not_numbers() -> None:
    cells = cells_of(pa.chunked_array([pa.array(["007", "12345", "90210"])]))
    assert number_form(cells)[1] == 0


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1))
def test_numbers_come_back_exactly(numbers: list[float]) -> None:
    texts = pa.array([repr(number) for number in numbers])
    assert POINT.parse(texts).tolist() == numbers
    commas = pa.array([repr(number).replace(".", ",") for number in numbers])
    assert COMMA.parse(commas).tolist() == numbers


@given(st.integers(-(10**12), 10**12))
def test_thousands_come_back_exactly(number: int) -> None:
    assert GROUPED_POINT.parse(pa.array([f"{number:,}", "x"]))[0] == number
    assert COMMA.parse(pa.array([f"{number:,}".replace(",", "."), "x"]))[0] == number
