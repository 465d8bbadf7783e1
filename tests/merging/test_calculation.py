"""Every number of a step, done again: what is shown equals what decided."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given

from glocalx.errors import GLocalXError
from glocalx.merging.calculation import answered, pieces_left, step_calculation
from glocalx.merging.landmarks import LANDMARKS, landmarks
from glocalx.merging.operators import Cut, cut
from glocalx.merging.search import MergeSettings
from glocalx.merging.told import ToldSteps
from glocalx.rules.coverage import similarity
from glocalx.rules.schema import Feature, Schema
from tests.merging.test_hierarchy import grown, merge_settings
from tests.strategies import World, worlds


@given(worlds(), merge_settings)
def test_each_step_comes_out_as_it_was_decided(world: World, settings: MergeSettings):
    hierarchy, reference = grown(world, settings), world.reference
    for step in hierarchy.steps:
        found = step_calculation(hierarchy, reference, step.number)
        _is_the_trial(found, step.trial)
        assert found.resolution.rules == step.rules
        assert (found.resolution.joins, found.resolution.cuts) == (step.joins, step.cuts)
        before, after = (reference.agreement(hierarchy.rules(step.number - 1 + i)) for i in (0, 1))
        assert found.everyone.before.bit_count() == before
        assert found.everyone.gain == after - before
        assert found.pair.after == answered(step.rules, reference)
    told = ToldSteps.of(hierarchy)
    refused = [each for at in range(len(told) + 1) for each in told.refused(hierarchy, at + 1)]
    assert len(refused) == hierarchy.rejected  # each once, whatever was found after it
    for pair in (*refused[:3], *refused[-3:]):
        found = pair.calculation(hierarchy, reference)
        _is_the_trial(found, pair.trial)
        assert not found.trial.accepted


def _is_the_trial(found, trial):
    assert found.trial == trial
    assert found.side_by_side.bic == trial.bic_union
    assert found.merged.bic == trial.bic_merged
    assert (found.side_by_side.fidelity, found.merged.fidelity) == (
        trial.fidelity_union,
        trial.fidelity_merged,
    )
    assert similarity(found.covered_left, found.covered_right) == trial.similarity
    assert found.both.bit_count() / found.either.bit_count() == trial.similarity


def test_a_step_that_is_not_there_is_refused(small_world: World):
    hierarchy = grown(small_world)
    steps = len(hierarchy.steps)
    for number, refused in ((0, None), (steps + 1, None), (steps + 2, 0), (1, 10_000)):
        with pytest.raises(GLocalXError, match="step"):
            step_calculation(hierarchy, small_world.reference, number, refused)


@pytest.fixture
def small_world() -> World:
    schema = Schema((Feature("x", "integer"),), ("no", "yes"))
    frame = pd.DataFrame({"x": np.arange(20)})
    labels = tuple("yes" if 8 <= x < 14 else "no" for x in range(20))
    rules = (
        schema.rule({"x": (0, 20)}, "no"),
        schema.rule({"x": (8, 14)}, "yes"),
        schema.rule({"x": (9, 14)}, "yes"),
    )
    return World(schema, frame, labels, rules)


def test_both_sides_that_a_cut_leaves_are_counted(small_world: World):
    schema, reference = small_world.schema, small_world.reference
    wide, narrow = schema.rule({"x": (0, 20)}, "no"), schema.rule({"x": (8, 14)}, "yes")
    records = reference.records
    after = cut(wide, narrow, lambda rule: records.coverage(rule).bit_count())
    pieces = pieces_left(Cut(narrow, wide, after), reference)
    assert [piece.covered for piece in pieces["x"]] == [8, 6]
    assert after == schema.rule({"x": (0, 8)}, "no")
    assert pieces_left(Cut(wide, narrow, None), reference) == {}


@given(worlds(), merge_settings)
def test_landmarks_are_the_steps_that_they_name(world: World, settings: MergeSettings):
    hierarchy, reference = grown(world, settings), world.reference
    marks = landmarks(hierarchy, reference)
    for at in range(len(hierarchy.steps) + 1):
        assert marks.agreed[at] == reference.agreement(hierarchy.rules(at))
    for step in hierarchy.steps:
        fell = marks.agreed[step.number] < marks.agreed[step.number - 1]
        bites = any(done.after != done.before for done in step.cuts)
        holds = (bool(step.joins), bites, bool(step.rejected), fell)
        expected = tuple(kind for kind, true in zip(LANDMARKS, holds, strict=True) if true)
        assert marks.kinds(step.number) == expected
    for kind in LANDMARKS:
        way, at = [], 0
        while (found := marks.after(at, kind)) is not None:
            way.append(found)
            at = found
        assert tuple(way) == marks.steps[kind]
