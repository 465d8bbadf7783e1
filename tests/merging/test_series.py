"""A run from its start to its end, as the hierarchy counts it."""

import pytest

from glocalx.merging.series import run_series
from glocalx.merging.told import ToldSteps
from tests.plots.drawn import compas


@pytest.fixture(scope="module")
def run():
    return compas()


def test_the_series_is_what_the_hierarchy_says(run):
    series = run_series(run.hierarchy, run.reference)
    told = ToldSteps.of(run.hierarchy)
    assert series.steps == tuple(range(len(told) + 1))
    for at in (0, 1, 17, len(told) // 2, len(told)):
        theory = run.hierarchy.rules(told.place(at))
        assert series.fidelity[at] == pytest.approx(run.reference.fidelity(theory))
        assert series.rules[at] == theory.size
        assert series.length[at] == pytest.approx(theory.length)


def test_a_long_run_is_measured_now_and_then(run):
    series = run_series(run.hierarchy, run.reference, most=10)
    whole = run_series(run.hierarchy, run.reference)
    assert len(series.steps) == 10
    assert (series.steps[0], series.steps[-1]) == (0, len(ToldSteps.of(run.hierarchy)))
    assert series.fidelity[4] == whole.fidelity[series.steps[4]]
