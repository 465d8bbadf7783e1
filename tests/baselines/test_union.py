"""UNI: the union of the local rules, by definition."""

import pytest
from hypothesis import given, settings

from glocalx.baselines.base import Task, fit_union
from glocalx.errors import GLocalXError
from glocalx.rules.coverage import Records
from tests import plain
from tests.strategies import World, worlds


@settings(max_examples=30)
@given(worlds())
def test_it_is_every_local_rule_once_and_the_most_accurate_decides(world: World):
    twice = world.rules + world.rules
    union = fit_union(Task(world.frame, world.labels, world.schema, local_rules=twice))
    assert set(union.rules) == set(world.rules)
    assert union.size == len(set(world.rules))
    expected = plain.predict(world.rules, world.frame, world.labels, world.schema.outcomes)
    assert union.predict(Records(world.schema, world.frame)).tolist() == expected
    assert union.theory.length == pytest.approx(sum(map(len, union.rules)) / union.size)


@settings(max_examples=5)
@given(worlds(max_rules=1))
def test_no_rules_are_refused(world: World):
    with pytest.raises(GLocalXError, match="no local rules"):
        fit_union(Task(world.frame, world.labels, world.schema, local_rules=[]))
