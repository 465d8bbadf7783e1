"""What was merged into each theory, against scipy's clusters."""

import pytest

from glocalx.merging.lineage import distances, folded_rules, outcomes_within
from tests.plots.test_tree import clustered


def test_folded_rules_are_scipys_cluster_sizes():
    hierarchy, table = clustered(60)
    assert folded_rules(hierarchy, 59)[60:] == table[:, 3].astype(int).tolist()


def test_a_merge_never_stands_before_those_it_rests_on():
    hierarchy, _ = clustered(60)
    found = distances(hierarchy)
    assert found == sorted(found)
    assert found[-1] == pytest.approx(max(1 - step.trial.similarity for step in hierarchy.steps))


def test_outcomes_within_are_those_of_the_local_rules():
    hierarchy, _ = clustered(20)
    within = outcomes_within(hierarchy, 19)
    for step in hierarchy.steps:
        assert within[step.theory] == {rule.outcome for rule in step.rules}
