"""Scenes: points, a black box with its regions, rules as rectangles, every pair that was tried."""

import numpy as np
import pandas as pd
import pytest

from glocalx.errors import GLocalXError
from glocalx.lessons.outvoted import outvoting
from glocalx.lessons.presets import BLUE, ORANGE, SCENES, Point, drawn
from glocalx.lessons.scene import CELLS, LESSON, Scene, bounds_of, rule_between, scene_of
from glocalx.lessons.told import (
    decisive_decimals,
    lines,
    met_records,
    similarity_said,
    verdict,
    why_they_disagree,
)
from glocalx.merging.calculation import step_calculation
from glocalx.merging.search import MergeSettings
from glocalx.merging.told import other_rules, stops
from glocalx.rules.schema import Feature, Schema

WHOLE = MergeSettings(batch_size=32, bic_on="whole", complexity_weight=0.05)


@pytest.fixture(scope="module", params=SCENES)
def scene(request: pytest.FixtureRequest) -> Scene:
    return SCENES[request.param](0)


def test_points_are_answered_by_the_black_box_and_lie_in_the_plane(scene: Scene):
    assert scene.reference.labels.tolist() == scene.black_box.labels(scene.frame).tolist()
    assert set(scene.reference.labels) == set(scene.schema.outcomes)
    places = scene.places
    for column, axis in enumerate((scene.across, scene.up)):
        assert places[:, column].min() >= axis.low
        assert places[:, column].max() <= axis.high
    regions = scene.regions()
    assert regions.shape == (CELLS, CELLS)
    row, column = 7, 50
    cell = pd.DataFrame(
        {
            scene.across.feature: [scene.across.centres[column]],
            scene.up.feature: [scene.up.centres[row]],
        }
    )
    if scene.schema.features[0].is_whole:
        cell = np.floor(cell).astype(int)
    assert scene.schema.outcomes[regions[row, column]] == scene.black_box.labels(cell)[0]


def test_a_rectangle_holds_the_points_that_its_rule_covers(scene: Scene):
    for rule in scene.rules:
        ground = scene.rectangle(rule)
        covered = scene.reference.score(rule).coverage
        for place, (x, y) in enumerate(scene.places.tolist()):
            inside = ground.left <= x < ground.right and ground.bottom <= y < ground.top
            edge = x == scene.across.high or y == scene.up.high
            assert edge or inside == bool(covered >> place & 1)


def test_scenes_have_something_to_see(scene: Scene):
    """Joins and a cut that takes something in every scene, by the pair or by all rules."""
    runs = [scene.merged(settings) for settings in (LESSON, WHOLE)]
    steps = [step for run in runs for step in run.steps]
    assert any(step.joins for step in steps)
    assert any(cut.after != cut.before for step in steps for cut in step.cuts)
    assert any(run.rejected for run in runs)


def test_the_loan_has_a_cut_that_narrows_as_in_the_paper():
    loan = SCENES["loan"](0)
    cuts = [cut for step in loan.merged(WHOLE).steps for cut in step.cuts]
    (cut,) = [cut for cut in cuts if cut.after not in (None, cut.before)]
    rule = loan.schema.rule
    assert cut.dominant == rule({"age": (25, np.inf), "amount": (10_000, np.inf)}, "deny")
    assert cut.before == rule({"age": (20, np.inf), "amount": (8_001, np.inf)}, "accept")
    assert cut.after == rule({"age": (20, 25), "amount": (8_001, 10_000)}, "accept")


def test_same_seed_same_scene():
    one, other = (SCENES["xor"](3) for _ in range(2))
    assert one.frame.equals(other.frame)
    assert one.rules == other.rules


def test_every_pair_that_was_tried_is_a_stop(scene: Scene):
    hierarchy, reference = scene.merged(), scene.reference
    walk = stops(hierarchy)
    kept = [stop for stop in walk if stop.accepted]
    assert [stop.step for stop in kept] == [s.number for s in hierarchy.steps if s.changes_rules]
    assert len(walk) - len(kept) == hierarchy.rejected
    for stop in walk:
        found = stop.calculation(hierarchy, reference)
        assert found.trial.accepted == stop.accepted
        beside = set(other_rules(hierarchy, stop))
        assert beside | found.left | found.right == set(hierarchy.rules(stop.merges_before))


@pytest.mark.parametrize("settings", [LESSON, WHOLE, MergeSettings(batch_size=32, bic_on="batch")])
def test_what_is_told_is_what_was_computed(settings: MergeSettings):
    scene = SCENES["loan"](0)
    hierarchy, reference = scene.merged(settings), scene.reference
    for stop in stops(hierarchy):
        found = step_calculation(hierarchy, reference, stop.step, stop.refused)
        *_, last = told = lines(found)
        decimals = decisive_decimals(found)
        assert last.side_by_side == f"{stop.trial.bic_union:,.{decimals}f}"
        assert last.merged == f"{stop.trial.bic_merged:,.{decimals}f}"
        size = reference.size if settings.bic_on != "batch" else found.batch.bit_count()
        assert told[1].merged == f"{size:,}"
        assert told[2].merged.startswith(f"{found.merged.agreed:,} of {size:,}")
        assert ("turned down" in verdict(found)) == (not stop.accepted)
        assert f"{stop.trial.similarity:.3f}" in similarity_said(found)
        assert bool(why_they_disagree(found)) == found.disagree
        voted = outvoting(found, reference)
        assert voted.changed == found.everyone.better + found.everyone.worse
        assert voted.others + voted.merged + voted.nobody == voted.changed
        ranks = [reference.score(rung.rule).rank for rung in voted.rungs]
        assert ranks == sorted(ranks)
        assert all(rung.rule not in found.rules_after or not rung.gone for rung in voted.rungs)
        met = met_records(found, reference)
        assert [each.place for each in met] == [
            place for place in range(reference.size) if found.meeting >> place & 1
        ]
        for each in met:
            letters = {name[0] for name in each.covering}
            assert letters == {"A", "B"}
            assert each.outcome == reference.labels[each.place]


@pytest.mark.parametrize("name", ["moons", "loan"])
@pytest.mark.parametrize("settings", [LESSON, WHOLE], ids=["by the pair", "by the whole"])
def test_a_cut_that_narrows_a_rule_ships_with_the_lessons(name: str, settings: MergeSettings):
    hierarchy = SCENES[name](0).merged(settings)
    cuts = [cut for step in hierarchy.steps for cut in step.cuts]
    assert any(cut.after is not None and cut.after != cut.before for cut in cuts)


def test_bounds_there_and_back(scene: Scene):
    names = scene.schema.names
    again = [
        rule_between(scene.schema, {name: bounds_of(rule, name) for name in names}, rule.outcome)
        for rule in scene.rules
    ]
    assert scene.with_rules(reversed(again)).rules == scene.rules
    with pytest.raises(GLocalXError, match="holds nothing"):
        rule_between(scene.schema, {names[0]: (3.0, 3.0)}, scene.schema.outcomes[0])


def test_drawn_points_need_three_of_each_colour():
    points = [Point(x, 1.0, BLUE) for x in (1.0, 2.0, 3.0)]
    with pytest.raises(GLocalXError, match="0 orange points"):
        drawn(points)
    more = [*points, *(Point(x, 9.0, ORANGE) for x in (1.0, 2.0, 3.0))]
    scene = drawn(more)
    assert scene.reference.agreement(scene.merged().rules()) == 6
    with pytest.raises(GLocalXError, match="at most"):
        drawn(more * 40)


def test_a_plane_has_two_features():
    schema = Schema((Feature("x", "numeric"),), ("a", "b"))
    box = SCENES["loan"](0).black_box
    with pytest.raises(GLocalXError, match="two features"):
        scene_of("line", pd.DataFrame({"x": [1.0]}), schema, box, ((0, 1), (0, 1)))
