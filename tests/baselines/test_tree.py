"""Trees as rules answer exactly as scikit-learn's trees do.

But for numbers that nobody had seen, between two that a threshold parts: there it is the shortest.
"""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glocalx.baselines.base import Task, reference_of
from glocalx.baselines.tree import first_above, fit_tree, grow, tree_matrix
from glocalx.errors import GLocalXError
from glocalx.rules.branches import TreeColumns
from glocalx.rules.coverage import Records, mask_of
from glocalx.rules.schema import Feature, Schema
from glocalx.table.samples import load_sample
from tests.strategies import World, worlds

SIZES = st.sampled_from([{}, {"max_depth": 4}, {"max_depth": 1}, {"max_leaves": 5}])


def _agree(frame: pd.DataFrame, labels, schema: Schema, others: pd.DataFrame, **size) -> None:
    rules = fit_tree(Task(frame, labels, schema, seed=3), **size)
    columns = TreeColumns(schema)
    theirs = grow(reference_of(Task(frame, labels, schema)), columns, seed=3, **size)
    assert rules.size == theirs.get_n_leaves()
    decimals = [each.name for each in schema.features if each.kind == "numeric"]
    seen = others
    for name in decimals:
        seen = seen[seen[name].isin(frame[name])]
    for rows in (frame, seen):
        records = Records(schema, rows)
        expected = np.array(schema.outcomes)[theirs.predict(tree_matrix(columns, records))]
        assert rules.predict(records).tolist() == expected.tolist()


@settings(max_examples=60)
@given(worlds(max_rules=1), worlds(max_rules=1), SIZES)
def test_rules_answer_as_the_tree_on_any_records(world: World, other: World, size: dict):
    cities = set(world.schema["city"].categories)
    others = pd.concat([world.frame[:1], other.frame[other.frame["city"].isin(cities)]])
    _agree(world.frame, world.labels, world.schema, others, **size)


@settings(max_examples=50)
@given(
    st.lists(st.floats(-1e6, 1e6, allow_subnormal=False), min_size=4, max_size=40),
    st.integers(0, 2**16),
)
def test_rules_answer_as_the_tree_on_numbers_that_32_bits_cannot_hold(values, seed):
    random = np.random.default_rng(seed)
    frame = pd.DataFrame({"x": values})
    labels = random.choice(["a", "b"], len(values))
    schema = Schema((Feature("x", "numeric"),), ("a", "b"))
    _agree(frame, labels, schema, frame)


def test_thresholds_of_trees_are_the_shortest_numbers():
    frame = pd.DataFrame({"x": [1.07, 3561.9, 3600.2, 8000.5]})
    rules = fit_tree(Task(frame, list("aabb"), Schema.of(frame, "ab"))).rules
    assert {rule.premises[0][1].sort_key[:2] for rule in rules} == {
        (-math.inf, 3600.0),
        (3600.0, math.inf),
    }


@given(st.floats(-1e30, 1e30, allow_subnormal=False))
def test_the_first_number_above_a_threshold_is_the_first(threshold: float):
    first = first_above(threshold)
    assert float(np.float32(first)) > threshold
    assert float(np.float32(math.nextafter(first, -math.inf))) <= threshold


@pytest.mark.parametrize("name", ["compas", "german"])
@pytest.mark.parametrize("size", [{}, {"max_depth": 4}, {"max_leaves": 10}])
def test_rules_answer_as_the_tree_on_samples(name: str, size: dict):
    table = load_sample(name)
    frame, labels = table.frame, table.target
    _agree(frame[:600], labels[:600], table.schema(), frame[600:1600], **size)


@settings(max_examples=30)
@given(worlds(max_rules=1))
def test_every_record_is_in_exactly_one_leaf(world: World):
    tree = fit_tree(Task(world.frame, world.labels, world.schema))
    records = Records(world.schema, world.frame)
    covered = sum(mask_of(records.coverage(rule), records.size).astype(int) for rule in tree.rules)
    assert np.array_equal(covered, np.ones(records.size))


def test_tests_on_one_feature_are_one_premise():
    frame = pd.DataFrame({"city": ["Bari", "Como", "Enna", "Pisa"] * 5, "n": range(20)})
    labels = ["far" if city in ("Bari", "Enna") else "near" for city in frame["city"]]
    schema = Schema.of(frame[["city"]], labels)
    rules = fit_tree(Task(frame, labels, schema)).rules
    assert {rule.features for rule in rules} == {("city",)}
    assert set().union(*(rule.premises[0][1].values for rule in rules)) == set(frame["city"])


def test_names_say_the_size():
    frame = pd.DataFrame({"x": range(8)})
    labels = list("aabbabba")
    schema = Schema.of(frame, labels)
    sizes = [{}, {"max_depth": 4}, {"max_leaves": 3}]
    trees = [fit_tree(Task(frame, labels, schema), **size) for size in sizes]
    assert [tree.name for tree in trees] == [
        "tree",
        "tree of depth 4",
        "tree of at most 3 leaves",
    ]
    assert trees[2].size == 3


@pytest.mark.parametrize("size", [{"max_depth": 0}, {"max_leaves": 1}])
def test_a_tree_that_asks_nothing_is_refused(size: dict):
    frame = pd.DataFrame({"x": [1, 2]})
    with pytest.raises(GLocalXError, match="Give at least"):
        fit_tree(Task(frame, ["a", "b"], Schema.of(frame, ["a", "b"])), **size)


def test_gaps_are_refused():
    schema = Schema((Feature("x", "numeric"), Feature("c", "categorical", ("u", "v"))), ("a", "b"))
    gap = pd.DataFrame({"x": [1.0, np.nan], "c": ["u", "v"]})
    with pytest.raises(GLocalXError, match="“x” has no usable value in row 2"):
        fit_tree(Task(gap, ["a", "b"], schema))
    strange = pd.DataFrame({"x": [1.0, 2.0], "c": ["w", "v"]})
    with pytest.raises(GLocalXError, match="“c” has no usable value in row 1"):
        fit_tree(Task(strange, ["a", "b"], schema))
