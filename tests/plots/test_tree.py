"""The tree: its layout against scipy's linkage, its figure against the hierarchy."""

import re
from base64 import b64decode
from functools import cache

import numpy as np
import pytest
from scipy.cluster.hierarchy import linkage

from glocalx.merging.hierarchy import Hierarchy, MergeStep
from glocalx.merging.search import MergeSettings, Trial
from glocalx.merging.series import RunSeries
from glocalx.plots import OutcomeColours, bic_plot, bic_strip, merge_tree, trends
from glocalx.plots.canvas import DROP
from glocalx.plots.tree_layout import tree_layout
from glocalx.rules.rule import Interval, Rule

COLOURS = OutcomeColours.of(("a", "b"))


@cache
def clustered(leaves: int) -> tuple[Hierarchy, np.ndarray]:
    """A hierarchy whose merges are those of scipy's linkage of random points."""
    points = np.random.default_rng(leaves).normal(size=(leaves, 2))
    table = linkage(points, "average")
    rules = tuple(Rule((("x", Interval(i, i + 1)),), "ab"[i % 2]) for i in range(leaves))
    hierarchy = Hierarchy(rules, MergeSettings(), "")
    for k, (left, right, distance, _) in enumerate(table, start=1):
        pair = sorted((int(left), int(right)))
        union = hierarchy.rules_of(pair[0]) | hierarchy.rules_of(pair[1])
        trial = Trial(*pair, 1 / (1 + distance), 10.0, 9.0, 0.9, 0.9)
        hierarchy.steps.append(
            MergeStep(
                number=k,
                trial=trial,
                theory=leaves + k - 1,
                rules=union,
                rules_out=(),
                rules_in=rules[:1],
                joins=(),
                cuts=(),
                rejected=(),
                piece=0,
                theories_left=leaves - k,
                rules_left=leaves,
                progress=k / leaves,
            )
        )
    return hierarchy, table


@pytest.mark.parametrize(("first", "last"), [(0, 59), (0, 12), (30, 50), (9, 59)])
def test_the_branches_of_a_theory_stand_together(first, last):
    hierarchy, _ = clustered(60)
    layout = tree_layout(hierarchy, first, last, room=200)
    slots = {branch.theory: branch.slot for branch in layout.branches}
    assert sorted(slots) == sorted(hierarchy.numbers(first))
    assert len(set(slots.values())) == len(slots)
    under = {theory: {theory} for theory in slots}
    for joint in layout.joints:
        step = joint.step
        under[step.theory] = under[step.left] | under[step.right]
        mine = [slots[theory] for theory in under[step.theory]]
        others = [slot for theory, slot in slots.items() if theory not in under[step.theory]]
        assert not any(min(mine) < slot < max(mine) for slot in others)
        assert min(mine) <= joint.slot <= max(mine)
        assert joint.slot == pytest.approx(sum(joint.slots) / 2)
    roots = [joint.step.theory for joint in layout.joints if joint.is_root]
    roots += [branch.theory for branch in layout.branches if branch.idle]
    assert sorted(roots) == hierarchy.numbers(last)


def test_idle_theories_are_left_out_and_counted_where_there_is_no_room():
    hierarchy, _ = clustered(60)
    layout = tree_layout(hierarchy, 0, 5, room=20)
    assert not any(branch.idle for branch in layout.branches)
    assert layout.hidden + len(layout.branches) == 60


@pytest.mark.parametrize("leaves", [2, 10, 1_500])
@pytest.mark.parametrize("by", ["step", "distance"])
def test_small_and_large_trees_draw_with_few_traces(leaves, by):
    hierarchy, _ = clustered(leaves)
    drawing = merge_tree(hierarchy, leaves - 1, COLOURS, by=by)
    assert len(drawing.figure.data) < 15
    points = _merge_points(drawing.figure)
    assert sorted(points) == list(range(max(leaves - 50, 1), leaves))
    assert points[leaves - 1] == 2 * leaves - 2


def test_the_whole_tree_has_every_merge():
    hierarchy, _ = clustered(1_500)
    figure = merge_tree(hierarchy, 1_499, COLOURS, window=None).figure
    assert sorted(_merge_points(figure)) == list(range(1, 1_500))
    assert len(figure.data) < 15


def _merge_points(figure) -> dict[int, int]:
    """Step and theory of all points that can be clicked, folded branches not among them."""
    return {
        about[0]: about[1]
        for trace in figure.data
        if trace.customdata is not None
        for about in trace.customdata
        if len(about) > 6
    }


def test_a_step_after_which_fidelity_falls_is_marked_in_every_curve():
    hierarchy, _ = clustered(10)
    colours, drops = COLOURS, (3, 7)
    series = RunSeries(tuple(range(10)), (0.9,) * 10, (10,) * 10, (1.0,) * 10)
    for window in (50, None):
        tree = merge_tree(hierarchy, 9, colours, window=window, drops=drops)
        marks = [t.x for t in tree.figure.data if t.marker.symbol == "triangle-down"]
        assert marks == [drops]
        assert "Fidelity falls after 2 steps" in tree.alt
        assert "fidelity falls" in tree.legend
    for picture, rows in (
        (bic_plot(hierarchy, 9, colours.palette, drops=drops), 1),
        (bic_strip(hierarchy, 5, colours.palette, drops=drops), 1),
        (trends(series, 9, colours.palette, drops=drops), 3),
    ):
        drawn = b"".join(map(b64decode, re.findall(r"base64,([^\"]+)", picture.html)))
        assert drawn.decode().count(DROP) == rows * len(drops)
        assert "Fidelity falls after 2 steps" in picture.alt


def test_a_half_built_hierarchy_is_drawn_as_far_as_it_is():
    hierarchy, _ = clustered(60)
    half = Hierarchy(hierarchy.local_rules, hierarchy.settings, "", hierarchy.steps[:7])
    assert "Steps 1 to 7 of 60 local rules" in merge_tree(half, 59, COLOURS).alt
    assert "60 rules are waiting" in merge_tree(half, 0, COLOURS).alt


def test_folded_branches_carry_their_theory_and_size():
    hierarchy, _ = clustered(200)
    figure = merge_tree(hierarchy, 199, COLOURS, window=10).figure
    dots = next(t for t in figure.data if t.customdata is not None and len(t.customdata[0]) == 5)
    assert sorted(about[1] for about in dots.customdata) == hierarchy.numbers(189)
    assert sum(int(about[2].split()[0].replace(",", "")) for about in dots.customdata) == 200
    assert all(about[0] == max(about[1] - 199, 0) for about in dots.customdata)
