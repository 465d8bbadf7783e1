"""A lender whose answers depend on what applicants leave out, and applicants who do."""

from __future__ import annotations

import numpy as np
import pandas as pd

from glocalx.blackbox.python_object import PythonBlackBox
from glocalx.rules.schema import Feature, Schema

LENDER = Schema(
    (
        Feature("income", "numeric", gaps=True),
        Feature("age", "integer"),
        Feature("job", "categorical", ("chief", "clerk", "missing"), gaps=True),
        Feature("owner", "categorical", ("no", "yes"), gaps=True),
    ),
    ("accept", "deny"),
)


class Lender:
    """Denies low incomes, clerks who do not tell theirs, and the old who do not tell their job."""

    def predict(self, frame: pd.DataFrame) -> np.ndarray:
        silent = frame["income"].isna() & (frame["job"] == "clerk")
        secretive = frame["job"].isna() & (frame["age"] >= 50)
        return np.where((frame["income"] < 2_000.5) | silent | secretive, "deny", "accept")


class Forgetful(Lender):
    """Fails where anything is missing."""

    def predict(self, frame: pd.DataFrame) -> np.ndarray:
        if frame.isna().any(axis=None):
            raise ValueError("Input contains NaN")
        return super().predict(frame)


def lender_box(model: object | None = None) -> PythonBlackBox:
    return PythonBlackBox(model or Lender(), LENDER, outcomes=LENDER.outcomes, name="lender")


def applicants(rows: int, seed: int = 0) -> pd.DataFrame:
    random = np.random.default_rng(seed)
    income = random.gamma(2.0, 2_000.0, rows).round()
    jobs = np.array(["chief", "clerk", "missing", None], dtype=object)
    owners = np.array(["no", "yes", None], dtype=object)
    return pd.DataFrame(
        {
            "income": np.where(random.random(rows) < 0.25, np.nan, income),
            "age": random.integers(18, 80, rows),
            "job": pd.array(random.choice(jobs, rows), dtype="str"),
            "owner": pd.array(random.choice(owners, rows, p=[0.5, 0.4, 0.1]), dtype="str"),
        }
    )
