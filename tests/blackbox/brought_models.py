"""Four models of other libraries in ONNX, their table, and what the libraries themselves answer.

`models/make_models.py` makes the files and says what is in them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd

HERE = Path(__file__).resolve().parent / "models"
LOANS = HERE / "loans.csv"
NUMBERS = {
    "Income": "Income (€ per month)",
    "Debt_to_income": "Debt to income (%)",
    "Groesse_des_Haushalts": "Größe des Haushalts",
    "years_at_address": "Years at address",
}
"""What a model calls a column, and what the table does."""
INPUTS = {**NUMBERS, "HomeOwnership": "Home ownership"}


@dataclass(frozen=True, slots=True)
class Brought:
    """A model file, and what a person has to say so that it can be asked about the loans.

    Parameters
    ----------
    target
        The column that it was trained to tell.
    reads
        The columns of the table that it reads, in its order.
    columns
        The same where the file takes a matrix and cannot name them, else None.
    outcomes
        What its answers mean, where it answers otherwise than the table.
    """

    name: str
    target: str
    reads: tuple[str, ...]
    columns: tuple[str, ...] | None = None
    outcomes: dict[str, str] | None = None

    @property
    def file(self) -> Path:
        return HERE / f"{self.name}.onnx"

    @property
    def answers(self) -> np.ndarray:
        """What the library that made it answers for each row, in the table's words."""
        said = pd.read_csv(HERE / "answers.csv", dtype=str)[self.name]
        return said.replace(self.outcomes or {}).to_numpy(dtype=object)


BROUGHT = (
    Brought(
        "xgboost", "Decision", tuple(INPUTS.values()), outcomes={"0": "granted", "1": "denied"}
    ),
    Brought("lightgbm", "Tier", tuple(INPUTS.values())),
    Brought("sklearn", "Tier", tuple(INPUTS.values())),
    Brought("catboost", "Decision", tuple(NUMBERS.values()), columns=tuple(NUMBERS.values())),
)
UNREAD = ("Filed on", "Gender")
"""Features that no model reads and that the table keeps."""


@cache
def loans() -> pd.DataFrame:
    """The rows as they are in the file, gaps included."""
    return pd.read_csv(LOANS)
