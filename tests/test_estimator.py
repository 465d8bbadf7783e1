"""The estimator as scikit-learn's users know it."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_wine
from sklearn.exceptions import NotFittedError
from sklearn.tree import DecisionTreeClassifier

from glocalx.errors import GLocalXError
from glocalx.estimator import GLocalX
from glocalx.rules.schema import Schema
from tests.merging.test_hierarchy import many_rules


def test_fit_predict_and_params():
    world = many_rules()
    model = GLocalX(budget=6, seed=3)
    assert clone(model).get_params() == model.get_params()
    model.fit(world.frame, world.labels, rules=world.rules)
    assert model.theory_.size <= 6
    assert model.score(world.frame, world.labels) > 0.9
    assert len(model.rules_text()) == model.theory_.size
    assert model.hierarchy_.finished
    again = clone(model).fit(world.frame, world.labels, rules=world.rules[::-1])
    assert again.theory_ == model.theory_
    assert (again.predict(world.frame) == model.predict(world.frame)).all()


def test_reselect_keeps_the_hierarchy():
    world = many_rules()
    model = GLocalX().fit(world.frame, world.labels, rules=world.rules)
    hierarchy = model.hierarchy_
    assert model.reselect(alpha=2).theory_.size <= 2
    assert model.hierarchy_ is hierarchy


@pytest.mark.parametrize("labels", [["no", "yes"], [0, 1], [0.0, 1.0], [False, True]])
def test_labels_come_back_as_they_were_given(labels):
    frame = pd.DataFrame({"x": range(20)})
    y = np.array(labels)[(frame["x"] >= 10).astype(int)]
    schema = Schema.of(frame, y)
    rules = [schema.rule({"x": (10, np.inf)}, schema.outcomes[1])]
    model = GLocalX().fit(frame, y, rules=rules)
    predicted = model.predict(frame)
    assert predicted.dtype == y.dtype
    assert (predicted == y).all()


def test_more_than_two_outcomes_beat_a_small_tree():
    wine = load_wine(as_frame=True)
    tree = DecisionTreeClassifier(random_state=0).fit(wine.data, wine.target)
    schema = Schema.of(wine.data, wine.target)
    rules = [_path(tree, schema, row) for row in wine.data.to_numpy()]
    model = GLocalX(budget=10).fit(wine.data, wine.target, rules=rules)
    assert set(model.classes_) == {0, 1, 2}
    assert model.score(wine.data, wine.target) > 0.95


def _path(tree, schema, row):
    nodes, node, premises = tree.tree_, 0, {}
    while nodes.children_left[node] >= 0:
        feature = schema.features[nodes.feature[node]]
        left = row[nodes.feature[node]] <= nodes.threshold[node]
        branch = (feature.at_most if left else feature.above)(nodes.threshold[node])
        low, high = premises.get(feature.name, (-np.inf, np.inf))
        premises[feature.name] = (max(low, branch.low), min(high, branch.high))
        node = (nodes.children_left if left else nodes.children_right)[node]
    return schema.rule(premises, str(int(np.argmax(nodes.value[node]))))


def test_explain_one_record():
    world = many_rules()
    model = GLocalX(budget=4).fit(world.frame, world.labels, rules=world.rules)
    why = model.explain(world.frame, 7, black_box=world.labels[7])
    assert why.outcome == model.predict(world.frame)[7]
    assert why.agrees == (why.outcome == world.labels[7])


def test_not_fitted_and_two_ways_at_once():
    with pytest.raises(NotFittedError):
        GLocalX().predict(pd.DataFrame({"x": [1]}))
    world = many_rules()
    with pytest.raises(GLocalXError, match="one of alpha"):
        GLocalX(alpha=2, budget=2).fit(world.frame, world.labels, rules=world.rules)


def test_labels_that_read_the_same_are_refused():
    frame = pd.DataFrame({"x": [1, 2]})
    schema = Schema.of(frame, ["1", "2"])
    y = np.array([1.0, "1"], dtype=object)
    with pytest.raises(GLocalXError, match="read the same"):
        GLocalX().fit(frame, y, rules=[schema.rule({}, "1")])
