"""The exported function says what the theory says, and needs nothing."""

import ast
import csv
import datetime
import io
import re
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings

from glocalx.errors import GLocalXError
from glocalx.export.python_source import theory_to_python
from glocalx.rules.coverage import Records
from glocalx.rules.schema import Feature, Schema
from glocalx.table.cells import MISSING
from tests.export.hostile import hostile_worlds, ranked
from tests.export.portable import PortableWorld, portable_worlds
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


@settings(max_examples=60)
@given(portable_worlds())
def test_texts_and_typed_values_are_read_alike(world: PortableWorld):
    predict = function_of(theory_to_python(world.theory))
    assert [predict(row) for row in world.rows] == world.expected
    frame = pd.DataFrame(list(world.rows))
    assert [predict(row) for _, row in frame.iterrows()] == world.expected


@settings(max_examples=60)
@given(portable_worlds())
def test_rows_of_a_csv_file_are_read(world: PortableWorld):
    names = world.theory.schema.names
    assume(not any(set(name) & set("\r\n") or name != name.strip() for name in names))
    kept = [row for row in world.rows if all(_written(row[name]) for name in names)]
    text = io.StringIO()
    writer = csv.DictWriter(text, names, quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writeheader()
    writer.writerows(kept)
    predict = function_of(theory_to_python(world.theory))
    text.seek(0)
    expected = PortableWorld(world.theory, tuple(kept)).expected if kept else []
    assert [predict(row) for row in csv.DictReader(text)] == expected


def _written(value: object) -> bool:
    """Whether a value is the same after a CSV file, which turns some ends of lines into others."""
    return not isinstance(value, str) or not set(value) & set("\r\n")


NUMBERED = Schema(
    (
        Feature("zip", "categorical", ("01", "2", "30", "a"), gaps=True),
        Feature("x", "numeric", gaps=True),
        Feature("day", "date"),
    ),
    ("no", "yes"),
)
KNOWN = {"zip": "a", "x": 0, "day": "1970-01-01"}


@pytest.mark.parametrize(
    ("rule", "record", "said"),
    [
        ({"zip": ["2"]}, {"zip": 2.0}, "yes"),  # a column with gaps
        ({"zip": ["01"]}, {"zip": "01"}, "yes"),
        ({"zip": ["2"]}, {"zip": " 2 "}, "yes"),
        ({"zip": ["2"]}, {"zip": 7}, "no"),  # nobody has seen it
        ({"zip": ["2", None]}, {"zip": pd.NA}, "yes"),
        ({"x": (1, 2)}, {"x": " 1.5 "}, "yes"),
        ({"x": (1, 2)}, {"x": "01"}, "yes"),
        ({"x": (1, 2)}, {"x": "n/a"}, "no"),
        ({"x": (1, 2)}, {"x": Decimal("1.5")}, "yes"),
        ({"day": (0, 2)}, {"day": "1970-01-02 10:00:00"}, "yes"),
        ({"day": (0, 2)}, {"day": np.datetime64("1970-01-02")}, "yes"),
        ({"day": (0, 2)}, {"day": pd.NaT}, "no"),
    ],
)
def test_what_stands_in_files_is_read(rule, record, said):
    predict = function_of(theory_to_python(ranked(NUMBERED, [NUMBERED.rule(rule, "yes")])))
    assert predict({**KNOWN, **record}) == said


@pytest.mark.parametrize(
    ("rule", "record", "sentence"),
    [
        ({"zip": ["01"]}, {"zip": 1}, "the rules know the text '01'. Read this column as text"),
        ({"x": (1, 2)}, {"x": "3,5"}, "'x' should hold a number, but holds '3,5'"),
        ({"x": (1, 2)}, {"x": "1_5"}, "'x' should hold a number, but holds '1_5'"),
        ({"x": (1, 2)}, {"x": [1.5]}, "'x' should hold a number"),
        ({"day": (0, 2)}, {"day": "31/05/2024"}, "Write it as 2024-05-31"),
    ],
)
def test_what_cannot_be_read_is_refused_in_a_sentence(rule, record, sentence):
    predict = function_of(theory_to_python(ranked(NUMBERED, [NUMBERED.rule(rule, "yes")])))
    with pytest.raises(ValueError, match=re.escape(sentence)):
        predict({**KNOWN, **record})


def test_texts_that_say_not_known_are_those_of_the_library():
    space: dict = {}
    exec(theory_to_python(ranked(NUMBERED, [])), space)
    assert space["MISSING"] == set(MISSING)
