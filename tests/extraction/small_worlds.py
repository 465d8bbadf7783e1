"""Small tables with black boxes for the tests of extraction."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

from glocalx.blackbox.base import BlackBox
from glocalx.blackbox.python_object import PythonBlackBox
from glocalx.rules.schema import Feature, Schema

SAMPLES = Path(__file__).resolve().parents[2] / "sample_data"
TARGETS = {"compas": "score", "adult": "income", "german": "credit", "diva": "fraud"}
BANK = Schema(
    (
        Feature("age", "integer"),
        Feature("amount", "numeric"),
        Feature("job", "categorical", ("chief", "clerk", "none")),
        Feature("owner", "categorical", ("no", "yes")),
    ),
    ("accept", "ask", "deny"),
)


class Bank:
    """Three outcomes that depend on numbers and on categories."""

    def predict(self, frame: pd.DataFrame) -> np.ndarray:
        risky = (frame["amount"] > 10_000.5) & (frame["job"] == "none")
        young = (frame["age"] < 25) & (frame["owner"] == "no")
        return np.where(risky, "deny", np.where(young, "ask", "accept"))


class Stubborn:
    """Gives one answer to everything."""

    def predict(self, frame: pd.DataFrame) -> np.ndarray:
        return np.full(len(frame), "accept")


def bank_box(model: object | None = None) -> PythonBlackBox:
    return PythonBlackBox(model or Bank(), BANK, outcomes=BANK.outcomes, name="bank")


def customers(rows: int, seed: int = 0) -> pd.DataFrame:
    random = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "age": random.integers(18, 80, rows),
            "amount": random.gamma(2.0, 6_000.0, rows).round(2),
            "job": pd.array(random.choice(["chief", "clerk", "none"], rows), dtype="str"),
            "owner": pd.array(random.choice(["no", "yes"], rows), dtype="str"),
        }
    )


@dataclass(frozen=True)
class World:
    """A table cut into background and explained records, with a forest trained on the former."""

    schema: Schema
    box: BlackBox
    background: pd.DataFrame
    frame: pd.DataFrame


@lru_cache(maxsize=4)
def sample_world(name: str, trees: int = 12) -> World:
    table = pd.read_csv(SAMPLES / f"{name}.csv", keep_default_na=True)
    table = table.fillna(table.mode().iloc[0]).sample(1_000, random_state=0, ignore_index=True)
    target = table.pop(TARGETS[name]).astype(str)
    schema = Schema.of(table, target)
    texts = [feature.name for feature in schema.features if feature.is_categorical]
    table = table.astype(dict.fromkeys(texts, "str"))
    encoder = make_column_transformer(
        (OneHotEncoder(handle_unknown="ignore"), texts), remainder="passthrough"
    )
    model = make_pipeline(encoder, RandomForestClassifier(trees, random_state=0))
    model.fit(table[:700], target[:700])
    box = PythonBlackBox(model, schema, name="random forest")
    return World(schema, box, table[:700], table[700:].reset_index(drop=True))
