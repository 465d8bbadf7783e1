"""Figures say in words what they show."""

import math

from glocalx.plots.scale import Scale
from glocalx.report.marks import DotRow, coverage_bar, dot_figure


def test_a_row_draws_what_is_known_and_says_it():
    scale, ticks = Scale.over([-1, 1])
    row = DotRow("women", 0.5, math.nan, math.nan, "women: +50", "5 of 10", sure=False)
    drawn = dot_figure(["Sex", row], scale, {tick: str(tick) for tick in ticks}, zero=0)
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
