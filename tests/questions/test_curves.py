"""Curves along a feature: beside scikit-learn's answer, and where the truth is planted."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import make_column_transformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.inspection import partial_dependence
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder

from glocalx.blackbox.python_object import PythonBlackBox
from glocalx.errors import GLocalXError
from glocalx.questions.curve_cuts import curve_sentences, match_cuts
from glocalx.questions.curves import cuts_of, feature_curve, premises_on
from glocalx.rules.rule import Interval
from glocalx.rules.schema import Schema

RANDOM = np.random.default_rng(1)
SIZE = 120
TABLE = pd.DataFrame(
    {
        "x": RANDOM.normal(size=SIZE).round(2),
        "count": RANDOM.integers(0, 12, SIZE),
        "job": pd.array(RANDOM.choice(["a", "b", "c"], SIZE), dtype="str"),
    }
)
TARGET = ((TABLE["x"] > 0.2) | ((TABLE["count"] > 6) & (TABLE["job"] == "b"))).astype(str)
SCHEMA = Schema.of(TABLE, TARGET)


@pytest.fixture(scope="module")
def forest():
    coded = make_column_transformer((OrdinalEncoder(), ["job"]), remainder="passthrough")
    return make_pipeline(coded, RandomForestClassifier(15, random_state=0)).fit(TABLE, TARGET)


class Stepped:
    """Says yes from 5 on, and where `x` is missing; gives no probabilities."""

    classes_ = np.array(["no", "yes"])

    def predict(self, frame: pd.DataFrame) -> np.ndarray:
        return np.where((frame["x"] >= 5) | frame["x"].isna(), "yes", "no")


def stepped(values):
    table = pd.DataFrame({"x": values, "other": np.arange(len(values)) % 3})
    schema = Schema.of(table, ["no", "yes"])
    return PythonBlackBox(Stepped(), schema, name="stepped"), table, schema


@pytest.mark.parametrize("feature", ["x", "count", "job"])
def test_it_agrees_with_partial_dependence(forest, feature):
    box = PythonBlackBox(forest, SCHEMA, name="forest")
    curve = feature_curve(box, TABLE, SCHEMA, feature, preferred="True", cuts=[0.2])
    assert (curve.records, curve.is_probability, curve.focus) == (SIZE, True, "True")
    wanted = np.array(
        [stop.value for stop in curve.stops], dtype=object if feature == "job" else float
    )
    theirs = partial_dependence(
        forest,
        TABLE.astype({"count": float}),
        [feature],
        kind="both",
        custom_values={feature: wanted},
        categorical_features=["job"],
    )
    np.testing.assert_allclose(curve.focused, theirs["average"][0], atol=1e-12)
    each = theirs["individual"][0]
    for place in range(len(curve.stops[0].singles)):
        line = [stop.singles[place] for stop in curve.stops]
        assert np.isclose(each, line).all(axis=1).any()


def test_stops_are_real_values_and_stand_close_to_the_cuts():
    box, table, schema = stepped(RANDOM.normal(5, 3, 400).round(3))
    curve = feature_curve(box, table, schema, "x", cuts=[5.0])
    values = np.array([stop.value for stop in curve.stops])
    real = np.sort(table["x"].to_numpy())
    assert np.isin(values, real).all()
    assert {real[real < 5].max(), real[real >= 5].min()} <= set(values)
    assert sum(stop.weight for stop in curve.stops) == pytest.approx(1)
    assert not curve.is_probability
    assert curve.focused.tolist() == (values >= 5).astype(float).tolist()
    assert curve == feature_curve(box, table, schema, "x", cuts=[5.0])


def test_gaps_are_a_value_only_where_there_are_some():
    box, table, schema = stepped([1.0, 2.0, 7.0, np.nan] * 5)
    curve = feature_curve(box, table, schema, "x", preferred="yes")
    assert [stop.value for stop in curve.stops] == [1.0, 2.0, 7.0, None]
    assert curve.focused.tolist() == [0, 0, 1, 1]
    box, table, schema = stepped([1, 2, 7])
    assert None not in [stop.value for stop in feature_curve(box, table, schema, "x").stops]
    with pytest.raises(GLocalXError, match="no records"):
        feature_curve(box, table[:0], schema, "x")


def test_rules_that_cut_where_the_model_does_are_told_from_others():
    box, table, schema = stepped(list(range(10)) * 4)
    curve = feature_curve(box, table, schema, "x", preferred="yes")
    right, wrong = Interval(5, np.inf), Interval(1, np.inf)
    assert match_cuts(curve, [right]).caught == pytest.approx(1)
    missed = match_cuts(curve, [wrong])
    assert missed.best == pytest.approx(1)
    assert missed.between == ((4.0, 5.0),)
    # a level up to 1 and one above: what regression on that indicator explains
    x, y = np.arange(10) >= 1, np.arange(10) >= 5
    assert missed.caught == pytest.approx(np.corrcoef(x, y)[0, 1] ** 2)

    said = curve_sentences(curve, [right], value=lambda each: f"{each:g}")
    assert said[0].endswith("the share of answers yes lies between 0 % (at 0) and 100 % (at 5).")
    assert said[1].startswith("The rules cut at 5, which is where the model does")
    said = curve_sentences(curve, [wrong], value=lambda each: f"{each:g}")
    assert "not where the curve moves most" in said[1]
    assert said[1].endswith("cut between 4 and 5.")
    assert curve_sentences(curve, [])[1] == "No rule names x."
    flat = feature_curve(box, table, schema, "other", preferred="yes")
    assert curve_sentences(flat, [right])[0].startswith("Whatever the value of other")


def test_no_other_cuts_catch_more_than_the_best_ones(forest):
    box = PythonBlackBox(forest, SCHEMA, name="forest")
    curve = feature_curve(box, TABLE, SCHEMA, "count")
    values = [stop.value for stop in curve.stops]
    tried = [match_cuts(curve, [Interval(low, high)]) for low, high in combinations(values[1:], 2)]
    best = {match.best for match in tried if match.groups == 3}
    assert len(best) == 1
    assert max(match.caught for match in tried) == pytest.approx(best.pop())


def test_categories_are_parted_as_the_rules_part_them(forest):
    box = PythonBlackBox(forest, SCHEMA, name="forest")
    curve = feature_curve(box, TABLE, SCHEMA, "job")
    rules = [
        SCHEMA.rule({"job": {"b"}, "count": (7, np.inf)}, "True"),
        SCHEMA.rule({"count": (-np.inf, 7)}, "False"),
    ]
    (asked,) = premises_on(rules, "job")
    assert match_cuts(curve, [asked]).ratio > 0.9
    assert match_cuts(curve, [SCHEMA.rule({"job": {"a"}}, "True").premise("job")]).ratio < 0.6
    assert "into 2 groups, which is where the model does" in curve_sentences(curve, [asked])[1]
    assert cuts_of(premises_on(rules, "count")) == (7,)
