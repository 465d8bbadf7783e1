"""Thresholds tell the same two values apart, in as few digits as will do."""

import math
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from glocalx.rules.branches import shortest_between

NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
PAIRS = st.tuples(NUMBERS, NUMBERS).map(sorted).filter(lambda pair: pair[0] < pair[1])


def digits(number: float) -> int:
    return len(Decimal(repr(number)).normalize().as_tuple().digits)


@given(PAIRS)
def test_it_parts_the_two_values(pair):
    below, above = pair
    assert below < shortest_between(below, above) <= above


@given(st.integers(-10_000, 10_000), st.integers(1, 500), st.integers(0, 4))
def test_it_has_no_more_digits_than_either_value_or_their_middle(start, step, decimals):
    below, above = start / 10**decimals, (start + step) / 10**decimals
    found = shortest_between(below, above)
    assert digits(found) <= min(digits(above), digits(below / 2 + above / 2))


@given(NUMBERS)
def test_between_two_neighbours_it_is_the_upper_one(number):
    above = math.nextafter(number, math.inf)
    if math.isfinite(above):
        assert shortest_between(number, above) == above
