"""Random tables, rules and references for property tests."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd
from hypothesis import strategies as st

from glocalx.rules.coverage import Records
from glocalx.rules.rule import Rule
from glocalx.rules.schema import Feature, Schema
from glocalx.rules.scoring import Reference

CITIES = ("Bari", "Como", "Enna", "Pisa")
OUTCOMES = ("a", "b", "c", "d")


@dataclass(frozen=True)
class World:
    """A table with labels and rules over it."""

    schema: Schema
    frame: pd.DataFrame
    labels: tuple[str, ...]
    rules: tuple[Rule, ...]

    @property
    def reference(self) -> Reference:
        return Reference(Records(self.schema, self.frame), self.labels)


@st.composite
def schemas(draw: st.DrawFn) -> Schema:
    outcomes = OUTCOMES[: draw(st.integers(2, 4))]
    features = (
        Feature("age", "integer"),
        Feature("score", "numeric"),
        Feature("city", "categorical", CITIES[: draw(st.integers(2, 4))]),
        Feature("sex", "categorical", ("f", "m")),
    )
    return Schema(features, outcomes)


@st.composite
def rules(draw: st.DrawFn, schema: Schema, outcome: str | None = None) -> Rule:
    premises = {}
    for feature in schema.features:
        if draw(st.booleans()):
            continue
        if feature.is_categorical:
            premises[feature.name] = draw(st.sets(st.sampled_from(feature.categories), min_size=1))
        else:
            ends = draw(st.lists(st.integers(-1, 9), min_size=2, max_size=2, unique=True))
            low, high = sorted(ends)
            premises[feature.name] = (
                -math.inf if low < 0 else low,
                math.inf if high > 8 else high,
            )
    return schema.rule(premises, outcome or draw(st.sampled_from(schema.outcomes)))


@st.composite
def worlds(draw: st.DrawFn, max_rules: int = 12, max_records: int = 40) -> World:
    schema = draw(schemas())
    size = draw(st.integers(5, max_records))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    frame = pd.DataFrame(
        {
            "age": rng.integers(0, 10, size),
            "score": rng.integers(0, 20, size) / 2,
            "city": rng.choice(schema["city"].categories, size),
            "sex": rng.choice(["f", "m"], size),
        }
    )
    labels = tuple(rng.choice(schema.outcomes, size, p=_uneven(rng, len(schema.outcomes))))
    chosen = draw(st.lists(rules(schema), min_size=1, max_size=max_rules))
    return World(schema, frame, labels, tuple(chosen))


def _uneven(rng: np.random.Generator, outcomes: int) -> np.ndarray:
    weights = rng.random(outcomes) + 0.1
    return weights / weights.sum()
