"""Schemas: building canonical rules, saying how tables differ."""

import math

import pandas as pd
import pytest

from glocalx.errors import GLocalXError
from glocalx.rules.schema import Feature, Schema, outcome_text

SCHEMA = Schema(
    (
        Feature("age", "integer"),
        Feature("income", "numeric"),
        Feature("job", "categorical", ("clerk", "manager", "none")),
    ),
    ("accept", "deny"),
)


def test_rules_that_say_the_same_are_equal():
    one = SCHEMA.rule({"age": (24.2, 43.5), "job": ["manager", "clerk"]}, "deny")
    two = SCHEMA.rule({"job": ("clerk", "manager"), "age": (25, 44)}, "deny")
    assert one == two


def test_premises_that_allow_everything_do_not_exist():
    everything = {"age": (-math.inf, math.inf), "job": ["clerk", "manager", "none"]}
    assert len(SCHEMA.rule(everything, "deny")) == 0


def test_tree_branches_split_every_number():
    age, income = SCHEMA["age"], SCHEMA["income"]
    assert 43.5 in income.at_most(43.5)
    assert 43.5 not in income.above(43.5)
    assert math.nextafter(43.5, 44) in income.above(43.5)
    assert age.at_most(43.5).high == age.above(43.5).low == 44


@pytest.mark.parametrize(
    ("premises", "outcome", "sentence"),
    [
        ({"salary": (0, 1)}, "deny", "“salary”, a column that the table does not have"),
        ({"job": ["pilot"]}, "deny", "“pilot” in “job”, a category that the table does not have"),
        ({"job": (0, 1)}, "deny", "category that the table does not have"),
        ({"age": (25, 25)}, "deny", "holds no number"),
        ({}, "perhaps", "outcome “perhaps”, which the labels do not have"),
    ],
)
def test_impossible_rules_are_refused_in_a_sentence(premises, outcome, sentence):
    with pytest.raises(GLocalXError, match=sentence):
        SCHEMA.rule(premises, outcome)


def test_schema_of_a_frame():
    frame = pd.DataFrame(
        {"n": [1, 2], "x": [0.5, 2], "w": [1.0, None], "s": ["b", "a"], "b": [True, False]}
    )
    schema = Schema.of(frame, [1, 0, 1])
    kinds = {feature.name: feature.kind for feature in schema.features}
    assert kinds == {
        "n": "integer",
        "x": "numeric",
        "w": "integer",
        "s": "categorical",
        "b": "categorical",
    }
    assert schema["s"].categories == ("a", "b")
    assert schema.outcomes == ("0", "1")


def test_one_outcome_is_nothing_to_explain():
    with pytest.raises(GLocalXError, match="only one outcome"):
        Schema.of(pd.DataFrame({"x": [1]}), ["yes", "yes"])


def test_difference_names_the_column():
    def changed(**features):
        kept = {feature.name: feature for feature in SCHEMA.features} | features
        return Schema(tuple(f for f in kept.values() if f), SCHEMA.outcomes)

    assert SCHEMA.difference(SCHEMA) is None
    assert SCHEMA.difference(changed(age=None)) == "the column “age” is missing"
    assert "“age” is numeric and should be integer" in SCHEMA.difference(
        changed(age=Feature("age", "numeric"))
    )
    assert "category “none”" in SCHEMA.difference(
        changed(job=Feature("job", "categorical", ("clerk", "manager")))
    )
    assert SCHEMA.difference(changed(new=Feature("new", "numeric"))) == "the column “new” is new"
    other = Schema(SCHEMA.features, ("no", "yes"))
    assert "outcomes are “no” and “yes”" in SCHEMA.difference(other)


def test_schema_round_trip():
    labelled = Feature("age", "integer", label="Age", unit="years")
    schema = Schema((labelled, *SCHEMA.features[1:]), SCHEMA.outcomes)
    copy = Schema.from_dict(schema.to_dict())
    assert copy == schema
    assert copy["age"].label == "Age"
    assert copy["age"].unit == "years"


@pytest.mark.parametrize(
    "feature",
    [
        lambda: Feature("x", "colour"),
        lambda: Feature("x", "categorical"),
        lambda: Feature("x", "numeric", ("a",)),
        lambda: Schema((Feature("x", "numeric"), Feature("x", "numeric")), ("a", "b")),
    ],
)
def test_impossible_schemas_are_refused(feature):
    with pytest.raises(GLocalXError):
        feature()


def test_outcome_text_keeps_what_people_wrote():
    assert outcome_text(True) == "True"
    assert outcome_text(0.5) == "0.5"
