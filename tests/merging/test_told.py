"""Steps as people count them: merges that change no rule are none."""

from dataclasses import replace

import pytest

from glocalx.merging.hierarchy import Hierarchy
from glocalx.merging.told import ToldSteps
from tests.plots.drawn import compas


@pytest.fixture(scope="module")
def hierarchy() -> Hierarchy:
    """A run in which every third merge, the first and the last change nothing."""
    made = compas().hierarchy
    nothing = {"rules_in": (), "rules_out": ()}
    last = len(made.steps)
    steps = [
        replace(step, **nothing) if step.number % 3 == 1 or step.number == last else step
        for step in made.steps
    ]
    return replace(made, steps=steps)


def test_every_step_changes_rules_and_none_is_missing(hierarchy):
    told = ToldSteps.of(hierarchy)
    assert [step.number for step in told.steps] == list(range(1, len(told) + 1))
    changing = [step for step in hierarchy.steps if step.changes_rules]
    assert 0 < len(told) == len(changing) < len(hierarchy.steps)
    assert [step.theory for step in told.steps] == [step.theory for step in changing]


def test_a_merge_that_is_no_step_belongs_to_the_next_one_or_to_the_last(hierarchy):
    told = ToldSteps.of(hierarchy)
    assert told.place(0) == 0
    assert told.place(len(told)) == len(hierarchy.steps)
    for at in range(1, len(told)):
        place = told.place(at)
        assert hierarchy.steps[place - 1].changes_rules
        assert told.count(place) == at == told.step_of(place)
    for step in hierarchy.steps:
        found = told.step_of(step.number)
        assert told.place(found - 1) < step.number <= told.place(found)
    assert told.step_of(0) == 0


def test_before_the_first_change_there_is_no_step(hierarchy):
    begun = replace(hierarchy, steps=hierarchy.steps[:1])
    told = ToldSteps.of(begun)
    assert len(told) == 0
    assert (told.place(0), told.step_of(1)) == (1, 0)
