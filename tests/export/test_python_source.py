"""The exported function says what the theory says, and needs nothing."""

import ast
import datetime

import pandas as pd
import pytest
from hypothesis import given, settings

from glocalx.errors import GLocalXError
from glocalx.export.python_source import theory_to_python
from glocalx.rules.coverage import Records
from glocalx.rules.schema import Feature, Schema
from tests.export.hostile import hostile_worlds, ranked
from tests.strategies import worlds


def function_of(source: str, name: str = "predict"):
    space: dict = {}
    exec(compile(source, "exported", "exec"), space)
    return space[name]


def rows_of(frame: pd.DataFrame) -> list[dict]:
    plain = frame.astype(object).where(frame.notna(), None)
    return plain.to_dict("records")


@settings(max_examples=40)
@given(worlds(max_rules=6))
def test_the_function_predicts_as_the_theory(world):
    theory = ranked(world.schema, world.rules)
    predict = function_of(theory_to_python(theory))
    expected = theory.predict(Records(world.schema, world.frame)).tolist()
    assert [predict(row) for row in rows_of(world.frame)] == expected


@settings(max_examples=60)
@given(hostile_worlds())
def test_hostile_names_and_missing_values_mean_themselves(world):
    schema, frame, rules = world
    theory = ranked(schema, rules)
    predict = function_of(theory_to_python(theory, "ask"), "ask")
    expected = theory.predict(Records(schema, frame)).tolist()
    assert [predict(row) for row in rows_of(frame)] == expected


def test_nan_and_infinity():
    schema = Schema((Feature("x", "numeric"),), ("a", "b"))
    rules = [schema.rule({"x": (1, float("inf"))}, "b")]
    predict = function_of(theory_to_python(ranked(schema, rules)))
    assert predict({"x": float("nan")}) == "a"
    assert predict({"x": float("inf")}) == "b"


def test_dates_may_be_dates():
    schema = Schema((Feature("day", "date"),), ("a", "b"))
    predict = function_of(theory_to_python(ranked(schema, [schema.rule({"day": (0, 2)}, "b")])))
    assert predict({"day": datetime.date(1970, 1, 2)}) == "b"
    assert predict({"day": datetime.datetime(1970, 1, 3, 12)}) == "a"
    assert predict({"day": 1}) == "b"


def test_it_imports_nothing_but_the_standard_library():
    schema = Schema((Feature("x", "numeric"),), ("a", "b"))
    tree = ast.parse(theory_to_python(ranked(schema, [])))
    imported = [node.names[0].name for node in ast.walk(tree) if isinstance(node, ast.Import)]
    assert imported == ["datetime"]


def test_a_column_that_is_not_there_is_an_error():
    schema = Schema((Feature("x", "numeric"),), ("a", "b"))
    predict = function_of(theory_to_python(ranked(schema, [schema.rule({"x": (0, 1)}, "b")])))
    with pytest.raises(KeyError):
        predict({"X": 0.5})


@pytest.mark.parametrize("name", ["", "two words", "lambda", "f():\n  pass\ndef g"])
def test_a_name_that_is_none_is_refused(name):
    schema = Schema((Feature("x", "numeric"),), ("a", "b"))
    with pytest.raises(GLocalXError, match="name of a Python function"):
        theory_to_python(ranked(schema, []), name)
