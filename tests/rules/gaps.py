"""Random tables with gaps, and premises that speak of them."""

from __future__ import annotations

import math
import sqlite3
from contextlib import closing
from dataclasses import dataclass

import duckdb
import numpy as np
import pandas as pd
from hypothesis import strategies as st

from glocalx.export import theory_to_python
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.coverage import Records
from glocalx.rules.dialects import SQLITE
from glocalx.rules.rule import Premise, Rule
from glocalx.rules.schema import Feature, Schema

INF = math.inf
SCHEMA = Schema(
    (
        Feature("income", "numeric", gaps=True),
        Feature("age", "integer", gaps=True),
        Feature("job", "categorical", ("clerk", "missing", "chief"), gaps=True),
        Feature("size", "integer"),
    ),
    ("no", "yes"),
)


@dataclass(frozen=True)
class GapWorld:
    """Records, some values of which are missing or were never seen, and rules."""

    frame: pd.DataFrame
    rules: tuple[Rule, ...]

    @property
    def records(self) -> Records:
        return Records(SCHEMA, self.frame)


@st.composite
def premises(draw: st.DrawFn, name: str) -> Premise:
    """Any premise on a feature that has gaps."""
    feature = SCHEMA[name]
    missing = feature.gaps and draw(st.booleans())
    if feature.is_categorical:
        least = 0 if missing else 1
        chosen = draw(st.sets(st.sampled_from(feature.categories), min_size=least))
        return feature.allowed(chosen, missing)
    if missing and draw(st.integers(0, 3)) == 0:
        return feature.only_missing
    low, high = sorted(draw(st.lists(st.integers(0, 6), min_size=2, max_size=2, unique=True)))
    return feature.interval(low if low else -INF, high if high < 6 else INF, missing)


@st.composite
def gap_rules(draw: st.DrawFn, outcome: str | None = None) -> Rule:
    named = draw(st.sets(st.sampled_from(SCHEMA.names)))
    made = {name: draw(premises(name)) for name in sorted(named)}
    return SCHEMA.rule(made, outcome or draw(st.sampled_from(SCHEMA.outcomes)))


@st.composite
def gap_worlds(draw: st.DrawFn, most_rules: int = 5) -> GapWorld:
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    size = draw(st.integers(1, 40))
    jobs = np.array(["clerk", "missing", "chief", "never seen", None], dtype=object)
    frame = pd.DataFrame(
        {
            "income": rng.choice([0.0, 1.0, 2.5, 4.0, 5.5, np.nan, np.inf], size),
            "age": rng.choice([0.0, 1.0, 3.0, 5.0, 7.0, np.nan], size),
            "job": pd.array(rng.choice(jobs, size), dtype="str"),
            "size": rng.integers(0, 7, size),
        }
    )
    rules = draw(st.lists(gap_rules(), min_size=1, max_size=most_rules))
    return GapWorld(frame, tuple(rules))


def exported_answers(
    theory: RankedTheory, frame: pd.DataFrame, connection: duckdb.DuckDBPyConnection
) -> dict[str, list[str]]:
    """What the theory answers as a Python function, and as SQL in two databases."""
    scope: dict = {}
    exec(theory_to_python(theory), scope)
    rows = frame.astype(object).to_dict("records")
    answers = {"python": [scope["predict"](row) for row in rows]}

    nulls = frame.astype(object).where(frame.notna(), None)
    query = theory.to_sql(table="records")
    in_sqlite = theory.to_sql(SQLITE, table="records")
    connection.register("records", nulls)
    answers["duckdb"] = [row[-1] for row in connection.execute(query).fetchall()]
    with closing(sqlite3.connect(":memory:")) as lite:
        lite.execute("CREATE TABLE records (income REAL, age REAL, job TEXT, size INTEGER)")
        lite.executemany("INSERT INTO records VALUES (?, ?, ?, ?)", nulls.to_numpy().tolist())
        answers["sqlite"] = [row[-1] for row in lite.execute(in_sqlite).fetchall()]
    return answers


def covered_plainly(rule: Rule, frame: pd.DataFrame) -> list[bool]:
    """Record by record, value by value."""
    return [
        all(row[name] in premise for name, premise in rule.premises)
        for row in frame.astype(object).to_dict("records")
    ]
