"""One way to say each number."""

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glocalx.words.figures import duration_range, in_points, percent, points, trimmed


def test_a_range_of_time():
    assert duration_range(0.3, 0.8) == "about a second"
    assert duration_range(5, 5) == "about 5 seconds"
    assert duration_range(3, 4.5) == "3 to 5 seconds"


@given(st.floats(0, 1), st.integers(0, 2))
def test_only_all_reads_as_all_and_only_nothing_as_nothing(share: float, decimals: int):
    number = float(re.sub("over |under | %", "", percent(share, decimals)))
    assert (number == 100) == (share == 1)
    assert (number == 0) == (share == 0)


@pytest.mark.parametrize("share", [0.005, 0.995, 0.9995])
def test_halves_are_not_rounded_to_all_or_nothing(share: float):
    assert percent(share) not in ("0 %", "100 %", "100.0 %")


def test_what_rounds_to_zero_has_no_sign():
    assert points(-0.0001) == "0.0 points"
    assert points(0.0) == "0.0 points"
    assert points(float("nan")) == "–"


def test_what_trims_to_zero_has_no_sign():
    assert trimmed(-0.0004, 2) == "0"
    assert in_points(math.nan) == "–"
