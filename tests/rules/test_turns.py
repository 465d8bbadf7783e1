"""What each rule does in its turn, counted again in another way."""

import numpy as np
import pytest

from glocalx.rules.coverage import mask_of
from glocalx.rules.turns import feature_importance, rule_overlap, rule_turns
from tests.plots.drawn import compas


@pytest.fixture(scope="module")
def run():
    return compas()


def test_turns_add_up_to_all_records(run):
    turns = rule_turns(run.theory, run.reference)
    assert sum(turn.decided for turn in turns) == run.reference.size
    assert [turn.waiting for turn in turns[1:]] == [
        turn.waiting - turn.decided for turn in turns[:-1]
    ]
    for turn, ranked in zip(turns, run.theory.ranked, strict=False):
        assert (turn.covered, turn.agreed) == (ranked.covered, ranked.agreed)


def test_importance_counts_the_deciding_rules(run):
    found = feature_importance(run.theory, run.records)
    places = [run.theory.explain(run.records, i).deciding for i in range(run.records.size)]
    for each in found:
        naming = {i for i, rule in enumerate(run.theory.rules) if each.feature in rule.features}
        assert each.rules == len(naming)
        assert each.decided == sum(place in naming for place in places)
    assert [each.decided for each in found] == sorted((e.decided for e in found), reverse=True)


def test_overlap_is_the_product_of_the_masks(run):
    masks = np.array(
        [mask_of(run.records.coverage(rule), run.records.size) for rule in run.theory.rules], int
    )
    assert (rule_overlap(run.theory, run.records) == masks @ masks.T).all()
