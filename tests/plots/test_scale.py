"""Places of values: round numbers, days, heights."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from glocalx.plots.scale import Scale, bar_heights, said_ticks

values = st.floats(-1e6, 1e6).filter(lambda value: value == 0 or abs(value) > 1e-6)


@given(st.lists(values, min_size=1))
def test_a_scale_holds_all_values_and_is_round(given_values):
    scale, ticks = Scale.over(given_values)
    slack = 1e-6 * (scale.high - scale.low)
    assert scale.low - slack <= min(given_values)
    assert max(given_values) <= scale.high + slack
    assert 2 <= len(ticks) <= 8
    places = [scale.place(tick) for tick in ticks]
    assert places == sorted(places)
    assert (places[0], places[-1]) == (0, 1)


def test_a_scale_of_nothing_or_of_one_value_can_be_drawn():
    assert Scale.over([math.nan])[0].low == 0
    one, _ = Scale.over([0.5])
    assert one.low <= 0.5 <= one.high


def test_one_tall_bar_makes_heights_square_roots():
    heights, rooted = bar_heights(np.array([100, 25, 4]))
    assert rooted
    assert heights.tolist() == [1, 0.5, 0.2]
    assert not bar_heights(np.array([10, 9, 8, 7]))[1]


def test_days_read_as_days():
    days = said_ticks(0, 4, str, whole=True, dates=True)
    assert [text for _, text in days] == ["1970-01-02", "1970-01-03", "1970-01-04"]
