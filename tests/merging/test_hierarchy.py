"""The hierarchy: what it promises."""

import dataclasses
from itertools import islice

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glocalx.errors import GLocalXError
from glocalx.merging.hierarchy import Hierarchy
from glocalx.merging.iterate import iter_merges
from glocalx.merging.search import MergeSettings
from glocalx.merging.shards import shard_rules
from glocalx.rules.schema import Schema
from tests.strategies import World, worlds

merge_settings = st.builds(
    MergeSettings,
    batch_size=st.sampled_from([1, 5, 16, 128]),
    seed=st.integers(0, 3),
    bic_on=st.sampled_from(["all", "batch", "whole"]),
    patience=st.sampled_from([None, 1, 4]),
    complexity_weight=st.sampled_from([0.0, 0.1, 1.0]),
    shards=st.sampled_from([None, 1, 2, 3]),
)


def grown(world: World, settings: MergeSettings | None = None, *, jobs: int = 1) -> Hierarchy:
    reference = world.reference
    hierarchy = Hierarchy.start(world.rules, reference, settings)
    for _ in iter_merges(hierarchy, reference, jobs=jobs):
        pass
    return hierarchy


@given(worlds(), merge_settings, st.randoms(use_true_random=False))
def test_the_order_of_the_rules_changes_nothing(world: World, settings: MergeSettings, random):
    shuffled = list(world.rules)
    random.shuffle(shuffled)
    other = dataclasses.replace(world, rules=(*shuffled, *world.rules[:3]))
    assert grown(world, settings) == grown(other, settings)


@given(worlds(), merge_settings, st.data())
def test_stopped_and_resumed_equals_never_stopped(world: World, settings: MergeSettings, data):
    whole = grown(world, settings)
    reference = world.reference
    hierarchy = Hierarchy.start(world.rules, reference, settings)
    while not hierarchy.finished:
        steps = data.draw(st.integers(0, 4))
        drawn = list(islice(iter_merges(hierarchy, reference), steps or None))
        assert drawn == hierarchy.steps[-len(drawn) :] or not drawn
    assert hierarchy == whole


@given(worlds(), merge_settings, st.integers(1, 5))
def test_a_run_can_be_stopped_between_two_steps(world: World, settings: MergeSettings, every: int):
    """Stopped at every few candidates it still ends as if it never had been."""
    reference = world.reference
    hierarchy = Hierarchy.start(world.rules, reference, settings)
    patience = 0
    while not hierarchy.finished:
        patience += every
        tried = iter(range(patience))
        for _ in iter_merges(
            hierarchy, reference, stop=lambda tried=tried: next(tried, None) is None
        ):
            pass
    assert hierarchy == grown(world, settings)


@given(worlds(), merge_settings)
def test_an_accepted_merge_never_has_a_worse_bic(world: World, settings: MergeSettings):
    hierarchy = grown(world, settings)
    for step in hierarchy.steps:
        assert step.trial.accepted
        assert step.trial.bic_merged <= step.trial.bic_union
        assert step.trial.similarity > 0
        assert all(not trial.accepted for trial in step.rejected)
        if settings.patience is not None:
            assert len(step.rejected) < settings.patience


@given(worlds(), merge_settings)
def test_every_step_tells_the_truth(world: World, settings: MergeSettings):
    hierarchy = grown(world, settings)
    reference = world.reference
    for step in hierarchy.steps:
        before, after = hierarchy.theories(step.number - 1), hierarchy.theories(step.number)
        assert before.keys() - after.keys() == {step.left, step.right}
        assert after.keys() - before.keys() == {step.theory}
        union = {*before[step.left], *before[step.right]}
        assert set(after[step.theory]) == union - {*step.rules_out} | {*step.rules_in}
        assert step.theories_left == len(after)
        assert step.rules_left == hierarchy.rules(step.number).size
        assert (step.kind == "side by side") == (union == step.rules)
        if settings.bic_on == "all":
            assert step.trial.fidelity_union == reference.fidelity(union)
            assert step.trial.fidelity_merged == reference.fidelity(step.rules)
        if settings.bic_on == "whole" and settings.shards == 1:
            whole = [hierarchy.rules(at) for at in (step.number - 1, step.number)]
            told = [step.trial.fidelity_union, step.trial.fidelity_merged]
            assert told == [reference.fidelity(rules) for rules in whole]
        for done in step.joins:
            assert {*done.parts} <= union


@given(worlds(), merge_settings)
def test_the_hierarchy_is_one_forest(world: World, settings: MergeSettings):
    hierarchy = grown(world, settings)
    merged = [number for step in hierarchy.steps for number in (step.left, step.right)]
    assert len(set(merged)) == len(merged)
    assert all(max(step.left, step.right) < step.theory for step in hierarchy.steps)
    assert set(hierarchy.rules()) <= set(hierarchy.every_rule())
    assert set(hierarchy.local_rules) <= set(hierarchy.every_rule())
    assert set(hierarchy.rules(0)) == set(world.rules)


def test_processes_change_nothing():
    world = many_rules()
    settings = MergeSettings(shards=3, batch_size=16)
    assert grown(world, settings, jobs=2) == grown(world, settings)


def many_rules() -> World:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"x": rng.integers(0, 50, 200), "y": rng.random(200)})
    labels = tuple(np.where(frame["x"] + 20 * frame["y"] > 35, "high", "low"))
    schema = Schema.of(frame, labels)
    rules = tuple(
        schema.rule({"x": (x - 5, x + 6), "y": (y - 0.2, y + 0.2)}, label)
        for x, y, label in zip(frame["x"], frame["y"], labels, strict=True)
    )
    return World(schema, frame, labels, rules)


def test_shards_hold_every_rule_once_and_are_chosen_by_number(monkeypatch):
    world = many_rules()
    rules = Hierarchy.start(world.rules, world.reference).local_rules
    assert shard_rules(rules, world.reference, None, seed=0) == [tuple(range(len(rules)))]
    monkeypatch.setattr("glocalx.merging.shards.RULES_PER_SHARD", len(rules) // 4)
    shards = shard_rules(rules, world.reference, None, seed=0)
    assert len(shards) == len(rules) // (len(rules) // 4)
    assert sorted(place for shard in shards for place in shard) == list(range(len(rules)))
    assert len(shard_rules(rules[:3], world.reference, 8, seed=0)) == 3


def test_another_table_is_refused():
    world = many_rules()
    hierarchy = Hierarchy.start(world.rules, world.reference)
    other = dataclasses.replace(world, frame=world.frame.assign(x=0))
    with pytest.raises(GLocalXError, match="other records"):
        next(iter_merges(hierarchy, other.reference))


def test_other_labels_of_the_same_records_are_refused():
    """Even where as many records have each outcome."""
    world = many_rules()
    hierarchy = Hierarchy.start(world.rules, world.reference)
    other = dataclasses.replace(world, labels=world.labels[::-1])
    with pytest.raises(GLocalXError, match="other labels"):
        next(iter_merges(hierarchy, other.reference))


def test_a_rule_that_two_theories_share_counts_once():
    """Two rules become a third, which is there already; then all become a fourth."""
    frame = pd.DataFrame({"x": [1, 2, 7, 20], "y": [2, 3, 13, 30]})
    labels = ("yes", "yes", "yes", "no")
    schema = Schema.of(frame, labels)
    spans = [((0, 5), (1, 12)), ((0, 6), (1, 9)), ((0, 6), (1, 12)), ((0, 8), (1, 14))]
    rules = tuple(schema.rule({"x": x, "y": y}, "yes") for x, y in spans)
    hierarchy = grown(World(schema, frame, labels, rules))
    assert [(s.left, s.right, *s.rules) for s in hierarchy.steps] == [
        (0, 1, rules[2]),
        (2, 4, rules[2]),
        (3, 5, rules[3]),
    ]
    assert [step.rules_left for step in hierarchy.steps] == [2, 2, 1]


def test_rules_for_another_table_are_refused():
    world = many_rules()
    stranger = dataclasses.replace(world.rules[0], outcome="middle")
    with pytest.raises(GLocalXError, match="outcome “middle”"):
        Hierarchy.start([stranger], world.reference)
    with pytest.raises(GLocalXError, match="no local rules"):
        Hierarchy.start([], world.reference)
