"""A row for each method."""

import math

from glocalx.plots.colours import DARK, LIGHT
from glocalx.plots.compare import MethodRow, method_dots

OURS = MethodRow("these rules", 10, 0.95, 0.93, 0.97, ours=True)
TREE = MethodRow("tree", 1_200, 0.90, 0.88, 0.93, chosen=True)
OTHER = MethodRow("<b>CPAR</b>", 1, 0.93)


def points(drawing):
    return [trace for trace in drawing.figure.data if trace.mode == "markers"]


def test_each_method_is_a_point_with_its_interval_and_its_size():
    drawing = method_dots([OURS, TREE, OTHER], LIGHT)
    assert [trace.x[0] for trace in points(drawing)] == [0.95, 0.90, 0.93]
    lines = [trace for trace in drawing.figure.data if trace.mode == "lines"]
    assert [tuple(trace.x) for trace in lines] == [(0.93, 0.97), (0.88, 0.93)]
    edges = [each.text for each in drawing.figure.layout.annotations]
    assert edges == ["10 rules", "1,200 rules", "1 rule"]


def test_ours_the_chosen_and_the_others_are_told_apart_without_colour_alone():
    ours, chosen, other = points(method_dots([OURS, TREE, OTHER], DARK))
    assert ours.marker.color == DARK.accent
    assert chosen.marker.color == DARK.ink
    assert ours.marker.size > chosen.marker.size
    assert other.marker.symbol == "circle-open"


def test_the_first_row_is_on_top():
    low, high = method_dots([OURS, TREE], LIGHT).figure.layout.yaxis.range
    assert low > high


def test_the_axis_holds_every_value_and_is_never_too_narrow():
    axis = method_dots([OURS, TREE], LIGHT, majority=0.6).figure.layout.xaxis
    assert axis.range[0] < 0.6
    assert axis.range[1] > 0.97
    alone = method_dots([MethodRow("one", 1, 0.5)], LIGHT).figure.layout.xaxis
    assert math.isclose(alone.range[1] - alone.range[0], 0.02)


def test_names_are_shown_as_they_are():
    drawing = method_dots([OTHER], LIGHT, majority=0.5, majority_outcome="<i>no</i>")
    assert drawing.figure.layout.yaxis.ticktext[0] == "&lt;b&gt;CPAR&lt;/b&gt;"
    assert "&lt;i&gt;no" in drawing.figure.layout.annotations[0].text


def test_the_text_says_it_all():
    alt = method_dots([OURS, TREE], LIGHT, majority=0.6).alt
    assert "these rules 95.0 % (93.0 % to 97.0 %) with 10 rules" in alt
    assert "tree 90.0 % (88.0 % to 93.0 %) with 1,200 rules" in alt
    assert "most common outcome reaches 60.0 %" in alt


def test_nothing_to_compare_is_said():
    assert method_dots([], LIGHT).alt == "No methods to compare yet."
