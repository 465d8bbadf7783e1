"""Rectangles on the screen are the rules, and what is shaded is what two rules share."""

import numpy as np
import pytest

from glocalx.lessons.presets import SCENES
from glocalx.merging.told import other_rules, stops
from glocalx.plots import OutcomeColours, PlaneView, batch_dots, plane, shared_bar
from glocalx.words.wording import Wording


@pytest.fixture(scope="module")
def scene():
    return SCENES["loan"](0)


def _view(scene, **more):
    colours = OutcomeColours.of(scene.schema.outcomes, "deny")
    return PlaneView(scene, colours, Wording(scene.schema), **more)


def _shapes(figure, role):
    return {
        (s.name, s.x0, s.x1, s.y0, s.y1)
        for s in figure.layout.shapes
        if s.name.startswith(f"{role}: ")
    }


def _expected(scene, rules, role):
    wording = Wording(scene.schema)
    grounds = [scene.rectangle(rule) for rule in rules]
    return {(f"{role}: {wording.rule(g.rule)}", g.left, g.right, g.bottom, g.top) for g in grounds}


def _area(trace):
    """Of rectangles that do not overlap, from corner to corner."""
    x, y = [np.array(each, dtype=float).reshape(-1, 6) for each in (trace.x, trace.y)]
    return ((x[:, 2] - x[:, 0]) * (y[:, 1] - y[:, 0])).sum()


def test_all_rules_are_rectangles(scene):
    drawing = plane(_view(scene, others=scene.rules))
    assert _shapes(drawing.figure, "other") == _expected(scene, scene.rules, "other")
    assert "8 rules" in drawing.alt


@pytest.mark.parametrize("view", ["before", "change", "after"])
def test_a_pair_before_and_after(scene, view):
    hierarchy = scene.merged()
    for stop in stops(hierarchy):
        found = stop.calculation(hierarchy, scene.reference)
        others = other_rules(hierarchy, stop)
        figure = plane(_view(scene, calculation=found, others=others, view=view)).figure
        before = view != "after"
        assert _shapes(figure, "A") == _expected(scene, found.left if before else (), "A")
        assert _shapes(figure, "B") == _expected(scene, found.right if before else (), "B")
        after = found.resolution.rules if view != "before" else ()
        assert _shapes(figure, "after") == _expected(scene, after, "after")
        if view == "change":
            _shades_are_what_changed(scene, found, figure)


def _shades_are_what_changed(scene, found, figure):
    def area(rule):
        ground = scene.rectangle(rule)
        return (ground.right - ground.left) * (ground.top - ground.bottom)

    gone = [trace for trace in figure.data if trace.name == "cut away"]
    for cut, trace in zip(found.resolution.cuts, gone, strict=True):
        left = area(cut.after) if cut.after else 0
        assert _area(trace) == pytest.approx(area(cut.before) - left)


def test_only_the_batch_and_no_regions(scene):
    hierarchy = scene.merged()
    found = stops(hierarchy)[0].calculation(hierarchy, scene.reference)
    drawing = plane(_view(scene, calculation=found, batch_only=True, regions=False))
    names = dict(zip(scene.schema.outcomes, scene.schema.outcomes, strict=True))
    drawn = sum(len(trace.x) for trace in drawing.figure.data if trace.name in names)
    assert drawn == found.batch.bit_count() == 32
    assert drawing.alt.startswith("32 points. A: ")


def test_what_is_shared_and_the_batch_in_words(scene):
    hierarchy = scene.merged()
    found = stops(hierarchy)[0].calculation(hierarchy, scene.reference)
    colours = OutcomeColours.of(scene.schema.outcomes, "deny")
    both = found.both.bit_count()
    assert f"{both} in both" in shared_bar(found, colours.palette).alt
    picture = batch_dots(found, scene.reference, colours)
    assert picture.html.count("<span") == 32
    assert picture.html.count(f"border-color:{colours.palette.ink}") == found.meeting.bit_count()
