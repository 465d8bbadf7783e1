"""A missing value is a value, with one meaning in rules, coverage, files, exports and words."""

import json
import math

import duckdb
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glocalx.errors import GLocalXError
from glocalx.files.rules import rule_from_dict, rule_to_dict
from glocalx.merging.operators import cut, join
from glocalx.rules.coverage import Records, mask_of
from glocalx.rules.rule import Categories, Interval
from glocalx.rules.schema import Feature, Schema
from glocalx.words.wording import Wording
from tests.export.hostile import ranked
from tests.rules.gaps import (
    SCHEMA,
    covered_plainly,
    exported_answers,
    gap_rules,
    gap_worlds,
    premises,
)

INF = math.inf
VALUES = {
    "income": [0, 1, 2, 2.5, 3, 4, 5, 5.5, INF, -INF, None, math.nan],
    "job": [*SCHEMA["job"].categories, None, math.nan],
}
CONNECTION = duckdb.connect()


@pytest.mark.parametrize("name", VALUES)
@given(data=st.data())
def test_the_hull_holds_both_and_the_difference_none_of_the_other(name, data):
    first, second = data.draw(premises(name)), data.draw(premises(name))
    hull, left = first.hull(second), first.minus(second)
    for value in VALUES[name]:
        if value in first or value in second:
            assert value in hull
        assert any(value in piece for piece in left) == (value in first and value not in second)


@pytest.mark.parametrize("name", VALUES)
@given(data=st.data())
def test_what_is_made_of_premises_knows_that_there_are_gaps(name, data):
    first, second = data.draw(premises(name)), data.draw(premises(name))
    made = (first.hull(second), *first.minus(second))
    assert all(each.gaps for each in made)
    assert len(set(made[1:])) == len(made) - 1
    for each in made:
        known = [value for value in VALUES[name][:-2] if value in each]
        assert each.is_only_missing == (not known)


def test_where_no_number_is_allowed_there_is_one_form():
    assert Interval(3, 3, missing=True) == Interval(INF, -INF, missing=True)
    assert Interval(5, 3, missing=True).low == INF
    assert Interval(5, 3, missing=True).high == -INF
    with pytest.raises(GLocalXError, match="holds no number"):
        Interval(3, 3)
    with pytest.raises(GLocalXError, match="at least one category"):
        Categories(frozenset(), frozenset({"a"}))


def test_the_mark_counts_in_order_and_gaps_do_not():
    assert Interval(0, 1) != Interval(0, 1, missing=True)
    assert Interval(0, 1) == Interval(0, 1, gaps=True)
    assert Interval(0, 1).sort_key < Interval(0, 1, missing=True).sort_key
    domain = frozenset({"a", "b"})
    plain = Categories(frozenset({"a"}), domain)
    marked = Categories(frozenset({"a"}), domain, missing=True, gaps=True)
    assert plain != marked
    assert plain == Categories(frozenset({"a"}), domain, gaps=True)
    assert plain.sort_key < marked.sort_key


@given(gap_rules("yes"), gap_rules("yes"))
def test_join_includes_missing_where_either_does(first, second):
    joined = join([first, second])
    for name, premise in joined.premises:
        either = [rule.premise(name) for rule in (first, second)]
        assert premise.missing == any(each.missing for each in either)


def test_cut_takes_the_gap_too():
    income = SCHEMA["income"]
    rule = SCHEMA.rule({"income": income.interval(0, 5, missing=True)}, "no")
    numbers = SCHEMA.rule({"income": (-INF, 9)}, "yes")
    gap = SCHEMA.rule({"income": None}, "yes")
    both = SCHEMA.rule({"income": income.interval(-INF, 9, missing=True)}, "yes")
    assert cut(rule, numbers, len) == SCHEMA.rule({"income": None}, "no")
    assert cut(rule, gap, len) == SCHEMA.rule({"income": (0, 5)}, "no")
    assert cut(rule, both, len) is None


def test_two_sides_keep_the_gap_that_the_dominant_leaves():
    income = SCHEMA["income"]
    rule = SCHEMA.rule({"income": income.interval(0, 9, missing=True)}, "no")
    dominant = SCHEMA.rule({"income": (3, 4)}, "yes")
    assert cut(rule, dominant, lambda _: 0).premise("income") == Interval(0, 3, missing=True)


@given(gap_worlds())
def test_coverage_is_that_of_each_record(world):
    records = world.records
    for rule in world.rules:
        covered = mask_of(records.coverage(rule), records.size)
        assert covered.tolist() == covered_plainly(rule, world.frame)


@given(gap_worlds())
def test_every_export_answers_as_the_theory(world):
    theory = ranked(SCHEMA, world.rules)
    expected = theory.predict(world.records).tolist()
    answers = exported_answers(theory, world.frame, CONNECTION)
    assert answers == dict.fromkeys(answers, expected)


@given(gap_rules())
def test_files_keep_what_a_rule_says_of_gaps(rule):
    text = json.dumps(rule_to_dict(rule))
    assert rule_from_dict(json.loads(text), SCHEMA) == rule
    assert Schema.from_dict(json.loads(json.dumps(SCHEMA.to_dict())))["job"].gaps


@pytest.mark.parametrize("name", ["income", "age", "job"])
@given(data=st.data())
def test_other_premises_have_other_words(name, data):
    first, second = data.draw(premises(name)), data.draw(premises(name))
    if first.is_everything or second.is_everything:
        return
    wording = Wording(SCHEMA)
    for say in (wording.premise, wording.condition, wording.short_premise, wording.asked):
        assert (say(name, first) == say(name, second)) == (first == second)


@pytest.mark.parametrize(
    ("premise", "sentence", "notation"),
    [
        ({"income": None}, "income is missing", "income missing"),
        (
            {"income": Interval(-INF, 2000, missing=True)},
            "income is below 2,000 or missing",
            "(income < 2,000 or missing)",
        ),
        ({"income": (-INF, INF)}, "income is known", "income known"),
        ({"job": ["clerk", None]}, "job is clerk or missing", "job ∈ {clerk, missing}"),
        ({"job": ["clerk", "missing"]}, "job is clerk or “missing”", "job ∈ {clerk, “missing”}"),
        ({"job": ["missing"]}, "job is “missing”", "job = “missing”"),
        ({"job": ["chief", "missing", None]}, "job is not clerk", "job ≠ clerk"),
        ({"job": ["chief", "clerk", "missing"]}, "job is known", "job known"),
    ],
)
def test_people_read_what_is_meant(premise, sentence, notation):
    rule, wording = SCHEMA.rule(premise, "no"), Wording(SCHEMA)
    ((name, made),) = rule.premises
    assert wording.condition(name, made) == sentence
    assert wording.premise(name, made) == notation


def test_a_feature_without_gaps_reads_as_ever():
    size = SCHEMA["size"]
    assert size.interval(0, 5, missing=True) == Interval(0, 5)
    assert SCHEMA.rule({"size": (-INF, INF)}, "no") == SCHEMA.rule({}, "no")
    with pytest.raises(GLocalXError, match="none lacks one"):
        SCHEMA.rule({"size": None}, "no")
    sure = Feature("job", "categorical", ("clerk",))
    with pytest.raises(GLocalXError, match="none lacks one"):
        sure.allowed([None])


def test_everything_and_missing_is_no_premise():
    income, job = SCHEMA["income"], SCHEMA["job"]
    assert not SCHEMA.rule({"income": income.interval(-INF, INF, missing=True)}, "no").premises
    assert not SCHEMA.rule({"job": [*job.categories, None]}, "no").premises
    assert len(SCHEMA.rule({"income": (-INF, INF), "job": job.categories}, "no")) == 2


def test_a_schema_is_told_by_its_frame():
    frame = pd.DataFrame({"x": [1.0, np.nan], "y": ["a", None], "z": [1, 2]})
    schema = Schema.of(frame, ["no", "yes"])
    assert [feature.gaps for feature in schema.features] == [True, True, False]
    records = Records(schema, frame)
    assert records.coverage(schema.rule({"x": None, "y": None}, "no")) == 0b10


def test_what_is_wrong_in_a_file_is_said():
    with pytest.raises(GLocalXError, match="true or false"):
        rule_from_dict({"if": {"income": {"below": 3, "missing": "yes"}}, "then": "no"}, SCHEMA)
    with pytest.raises(GLocalXError, match="none lacks one"):
        rule_from_dict({"if": {"size": {"missing": True}}, "then": "no"}, SCHEMA)


def test_values_that_stand_for_nothing():
    allowed = Categories(frozenset({"a"}), frozenset({"a", "b"}), missing=True, gaps=True)
    for nothing in (None, math.nan, pd.NA, pd.NaT, np.float64("nan")):
        assert nothing in allowed
        assert nothing in Interval(0, 1, missing=True)
        assert nothing not in Interval(0, 1)
