"""SQL gives what the theory predicts, whatever columns and categories are called."""

import math

import duckdb
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glocalx.errors import GLocalXError
from glocalx.rules.classifier import RankedRule, RankedTheory
from glocalx.rules.coverage import Records
from glocalx.rules.dialects import DUCKDB
from glocalx.rules.rule import Rule
from glocalx.rules.schema import Feature, Schema
from glocalx.rules.sql import (
    number_literal,
    quoted_name,
    quoted_text,
    rule_condition,
)
from tests.export.hostile import hostile_worlds, ranked
from tests.strategies import worlds

CONNECTION = duckdb.connect()


def answers(sql: str, frame: pd.DataFrame) -> pd.DataFrame:
    CONNECTION.register("records", frame)
    return CONNECTION.execute(sql).df()


@settings(max_examples=40)
@given(worlds(max_rules=6))
def test_the_query_predicts_as_the_theory(world):
    theory = ranked(world.schema, world.rules)
    records = Records(world.schema, world.frame)
    found = answers(theory.to_sql(table="records", rule="rule"), world.frame)
    assert found["outcome"].tolist() == theory.predict(records).tolist()
    deciding = [theory.explain(records, place).deciding for place in range(records.size)]
    expected = [math.nan if place is None else place + 1 for place in deciding]
    np.testing.assert_array_equal(found["rule"].to_numpy(dtype=float, na_value=np.nan), expected)


@settings(max_examples=60)
@given(hostile_worlds())
def test_hostile_names_and_missing_values_mean_themselves(world):
    schema, frame, rules = world
    theory = ranked(schema, rules)
    found = answers(theory.to_sql(table="records", outcome="; result"), frame)
    assert found["; result"].tolist() == theory.predict(Records(schema, frame)).tolist()


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_are_exact(number):
    found = CONNECTION.execute(f"SELECT CAST({number_literal(number)} AS DOUBLE)").fetchall()
    assert found == [(number,)]


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1))
def test_texts_and_names_are_exact(text):
    query = f"SELECT {quoted_text(text)} AS {quoted_name(text)}"
    found = CONNECTION.execute(query)
    assert found.description[0][0] == text
    assert found.fetchall() == [(text,)]


def test_dates_are_compared_as_dates():
    schema = Schema((Feature("day", "date"),), ("a", "b"))
    theory = ranked(schema, [schema.rule({"day": (18_262, 18_272)}, "b")])
    frame = pd.DataFrame({"day": pd.to_datetime(["2019-12-31", "2020-01-01", "2020-01-11", None])})
    sql = theory.to_sql(table="records")
    assert "DATE '2020-01-01'" in sql
    assert answers(sql, frame)["outcome"].tolist() == ["a", "b", "a", "a"]


def test_a_theory_without_rules_is_its_default():
    theory = RankedTheory(Schema((), ("a", "it's")), (), "it's")
    assert theory.to_sql().splitlines()[1:] == ["'it''s'"]
    assert rule_condition(Rule((), "a"), theory.schema, DUCKDB.notation) == "1 = 1"


def test_a_table_may_have_several_names():
    schema = Schema((Feature("x", "numeric"),), ("a", "b"))
    theory = RankedTheory(schema, (RankedRule(schema.rule({}, "b"), 1, 1, 1, 1),), "a")
    sql = theory.to_sql(table=("main", 'the "table"'))
    assert sql.endswith('FROM "main"."the ""table"""\n')


@pytest.mark.parametrize("name", ["", "a\0b"])
def test_what_sql_cannot_say_is_refused(name):
    with pytest.raises(GLocalXError, match="Rename the column"):
        quoted_name(name)
    with pytest.raises(GLocalXError, match="null character"):
        quoted_text("a\0")
