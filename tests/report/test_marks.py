"""Scales hold what they are to hold; figures say in words what they show."""

import math

from hypothesis import given
from hypothesis import strategies as st

from glocalx.report.marks import DotRow, Scale, coverage_bar, dot_figure

values = st.floats(-1e6, 1e6).filter(lambda value: value == 0 or abs(value) > 1e-6)


@given(st.lists(values, min_size=1))
def test_a_scale_holds_all_values_and_is_round(given_values):
    scale = Scale.over(given_values)
    slack = 1e-6 * (scale.ticks[-1] - scale.ticks[0])
    assert scale.ticks[0] - slack <= min(given_values)
    assert max(given_values) <= scale.ticks[-1] + slack
    assert 2 <= len(scale.ticks) <= 8
    places = [float(scale.place(tick).rstrip("%")) for tick in scale.ticks]
    assert places == sorted(places)
    assert (places[0], places[-1]) == (3, 97)


def test_a_scale_of_nothing_or_of_one_value_can_be_drawn():
    assert Scale.over([math.nan]).ticks[0] == 0
    one = Scale.over([0.5])
    assert one.ticks[0] <= 0.5 <= one.ticks[-1]


def test_a_row_draws_what_is_known_and_says_it():
    scale = Scale.over([-1, 1])
    row = DotRow("women", 0.5, math.nan, math.nan, "women: +50", "5 of 10", sure=False)
    drawn = dot_figure(["Sex", row], scale, [str(tick) for tick in scale.ticks], zero=0)
    assert "<title>women: +50</title>" in drawn
    assert 'cx="73.50%"' in drawn
    assert "hollow" in drawn
    assert "whisker" not in drawn
    assert "diamond" not in drawn


def test_a_bar_is_as_long_as_what_is_covered():
    drawn = coverage_bar(0.25, 0.5, 1, "covers 75 %")
    assert 'width="25.00%"' in drawn
    assert 'x="25.00%"' in drawn
    assert 'width="50.00%"' in drawn
