"""Figures say in words what they show."""

import math

from glocalx.report.figures import DotFigure, DotRow
from glocalx.report.render import templates


def drawn(macro: str, *values: object) -> str:
    """What a macro of the templates draws."""
    return str(getattr(templates().get_template("blocks.html").module, macro)(*values))


def test_a_row_draws_what_is_known_and_says_it():
    row = DotRow("women", 0.5, math.nan, math.nan, "women: +50", "5 of 10", sure=False)
    ends = [DotRow("end", end, end, end, "", "") for end in (-1.0, 1.0)]
    figure = DotFigure("Sex", ("Sex", *ends, row), "points", zero=0)
    last = drawn("dot_figure", figure).split('<div class="row">')[-1]
    assert "<title>women: +50</title>" in last
    assert 'cx="73.50%"' in last
    assert "hollow" in last
    assert "whisker" not in last
    assert "diamond" not in last


def test_a_bar_is_as_long_as_what_is_covered():
    made = drawn("coverage_bar", 0.75, 0.25, 1, "covers 75 %")
    assert 'width="25.00%"' in made
    assert 'x="25.00%"' in made
    assert 'width="50.00%"' in made
