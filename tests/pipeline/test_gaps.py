"""The whole road on a table whose gaps carry the answer, with models of four libraries."""

import sqlite3
from dataclasses import replace
from functools import cache
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import pytest

from glocalx.blackbox.python_object import PythonBlackBox
from glocalx.errors import GLocalXError
from glocalx.export import theory_to_python
from glocalx.files import read_theory, write_theory
from glocalx.pipeline.asking import iter_black_box
from glocalx.pipeline.road import Road
from glocalx.pipeline.settings import BoxSettings, DataSettings, RuleSettings, RunSettings
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.coverage import Records
from glocalx.rules.dialects import SQLITE
from glocalx.rules.scoring import Reference
from tests.blackbox.brought_models import BROUGHT, INPUTS, NUMBERS, Brought, loans

TEXT = "HomeOwnership"
LEAST = 0.95
"""Share of raw records on which ten rules and a model agree."""


def raw_rows() -> pd.DataFrame:
    """The table with the models' own names for columns."""
    return loans().rename(columns={ours: theirs for theirs, ours in INPUTS.items()})


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    made = tmp_path_factory.mktemp("loans")
    raw_rows().to_csv(made / "loans.csv", index=False)
    return made


@cache
def road_of(name: str, folder: Path, gaps: str = "keep") -> Road:
    brought = next(each for each in BROUGHT if each.name == name)
    reads = tuple(NUMBERS) if brought.columns else tuple(INPUTS)
    roles = {column: "ignored" for column in raw_rows() if column not in reads}
    data = DataSettings(
        file="loans.csv",
        name="loans.csv",
        roles={**roles, brought.target: "target"},
        gaps=gaps,
    )
    box = BoxSettings(
        source="model",
        file=str(brought.file),
        name=brought.file.name,
        columns=reads if brought.columns else None,
        outcomes=brought.outcomes,
    )
    return Road(RunSettings(data=data, rules=RuleSettings(records=200)).with_box(box), folder)


def answers_in_duckdb(theory: RankedTheory, rows: pd.DataFrame) -> list[str]:
    with duckdb.connect() as connection:
        connection.register("records", rows.astype(object).where(rows.notna(), None))
        query = theory.to_sql(table="records")
        return [row[-1] for row in connection.execute(query).fetchall()]


def answers_in_sqlite(theory: RankedTheory, rows: pd.DataFrame) -> list[str]:
    nulls = rows.astype(object).where(rows.notna(), None)
    kinds = ("TEXT" if name == TEXT else "REAL" for name in rows)
    columns = ", ".join(f'"{name}" {kind}' for name, kind in zip(rows, kinds, strict=True))
    with sqlite3.connect(":memory:") as lite:
        lite.execute(f"CREATE TABLE records ({columns})")
        marks = ", ".join("?" * rows.shape[1])
        lite.executemany(f"INSERT INTO records VALUES ({marks})", nulls.to_numpy().tolist())
        query = theory.to_sql(SQLITE, table="records")
        return [row[-1] for row in lite.execute(query).fetchall()]


def answers_in_python(theory: RankedTheory, rows: pd.DataFrame) -> list[str]:
    scope: dict = {}
    exec(theory_to_python(theory), scope)
    return [scope["predict"](row) for row in rows.astype(object).to_dict("records")]


def all_rows() -> pd.DataFrame:
    """Every row as it is in the file, and some with a category that nobody has seen."""
    rows = raw_rows()[list(INPUTS)]
    strange = rows[:40].assign(**{TEXT: "PALACE"})
    return pd.concat([rows, strange], ignore_index=True)


@pytest.mark.parametrize("brought", BROUGHT, ids=lambda each: each.name)
def test_rules_answer_as_the_model_on_raw_records_and_speak_of_gaps(brought: Brought, folder):
    road = road_of(brought.name, folder)
    theory, held_out = road.theory, road.labelled.held_out
    assert np.array_equal(held_out.labels, brought.answers[road.split.parts.test])
    rows = raw_rows()
    reference = Reference(Records(theory.schema, rows), brought.answers)
    assert theory.fidelity(reference) >= LEAST
    assert theory.fidelity(held_out) >= LEAST
    missing = {n for rule in theory.rules for n, premise in rule.premises if premise.missing}
    assert "Income" in missing


@pytest.mark.parametrize(
    ("name", "gaps"),
    [*((brought.name, "keep") for brought in BROUGHT), ("xgboost", "fill"), ("sklearn", "fill")],
)
def test_library_sql_and_python_answer_alike_on_every_raw_row(name, gaps, folder, tmp_path):
    theory, rows = road_of(name, folder, gaps).theory, all_rows()
    write_theory(tmp_path / "theory.json", theory)
    read = read_theory(tmp_path / "theory.json")
    expected = theory.predict(Records(theory.schema, rows)).tolist()
    assert len(set(expected)) > 1
    assert read.predict(Records(read.schema, rows)).tolist() == expected
    assert answers_in_duckdb(theory, rows) == expected
    assert answers_in_sqlite(theory, rows) == expected
    assert answers_in_python(theory, rows) == expected
    assert bool(theory.schema.fills) == (gaps == "fill")


def test_filled_gaps_are_answered_otherwise(folder):
    """Why gaps are kept: the same model, asked about filled records, is another one."""
    kept, filled = (road_of("xgboost", folder, gaps) for gaps in ("keep", "fill"))
    said = kept.labelled.held_out.labels
    assert np.mean(filled.labelled.held_out.labels == said) < 0.97
    frame = kept.split.test
    on_raw = filled.theory.predict(Records(filled.theory.schema, frame))
    assert np.mean(on_raw == said) < np.mean(
        kept.theory.predict(kept.labelled.held_out.records) == said
    )


def test_a_model_that_takes_no_gaps_is_refused_with_what_to_do(folder, monkeypatch):
    class Forgetful:
        classes_ = ("denied", "granted")

        def predict(self, frame: pd.DataFrame) -> np.ndarray:
            if frame.isna().any(axis=None):
                raise ValueError("Input X contains NaN")
            return np.where(frame["Income"] < 3_000, "denied", "granted")

    def opened(box, split, folder):
        return PythonBlackBox(Forgetful(), split.table.schema(), name="forgetful")

    monkeypatch.setattr("glocalx.pipeline.asking.open_brought", opened)
    road = road_of("xgboost", folder)
    with pytest.raises(GLocalXError, match=r"does not answer .*--gaps fill"):
        list(iter_black_box(road.settings.box, road.split))
    data = replace(road.settings.data, gaps="fill")
    filled = Road(replace(road.settings, data=data), folder)
    assert list(iter_black_box(filled.settings.box, filled.split))[-1].name == "forgetful"
