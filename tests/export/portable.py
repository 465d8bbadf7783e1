"""Random tables of every kind of column, with gaps, NaN, dates and hostile names, and rules."""

from __future__ import annotations

import datetime
import math
from dataclasses import dataclass
from typing import Any

import pandas as pd
from hypothesis import strategies as st

from glocalx.rules.classifier import RankedTheory
from glocalx.rules.coverage import Records
from glocalx.rules.rule import Premise, Rule
from glocalx.rules.schema import Feature, Schema
from tests.export.hostile import ranked, texts

INF = math.inf
EPOCH = datetime.date(1970, 1, 1)
NUMBERS = (-0.5, 0.1, 0.30000000000000004, 2.5, 1e22, INF, -INF, math.nan, None)
WHOLES = (-3, 0, 1, 2, 7, 2**53, None)
DAYS = (-700_000, -1, 0, 18_262, 18_272, 2_900_000, None)


@dataclass(frozen=True)
class PortableWorld:
    """Rows as a program holds them, and a theory over them."""

    theory: RankedTheory
    rows: tuple[dict[str, Any], ...]

    @property
    def expected(self) -> list[str]:
        """What the library answers."""
        schema = self.theory.schema
        columns = {
            each.name: [_inside(each, row[each.name]) for row in self.rows]
            for each in schema.features
        }
        frame = pd.DataFrame(
            {
                each.name: pd.array(columns[each.name], dtype="str")
                if each.is_categorical
                else pd.Series(columns[each.name], dtype=float)
                for each in schema.features
            }
        )
        return self.theory.predict(Records(schema, frame)).tolist()


def _inside(feature: Feature, value: Any) -> Any:
    """A value as the library holds it: days for dates."""
    return (value - EPOCH).days if isinstance(value, datetime.date) else value


@st.composite
def portable_worlds(draw: st.DrawFn, names: Any = texts) -> PortableWorld:
    called = draw(
        st.lists(names, min_size=5, max_size=5, unique_by=lambda name: name.strip().casefold())
    )
    jobs = tuple(draw(st.lists(texts, min_size=2, max_size=4, unique_by=lambda text: text.strip())))
    fill = draw(st.sampled_from([None, 2.5]))
    schema = Schema(
        (
            Feature(called[0], "categorical", jobs, gaps=True),
            Feature(called[1], "numeric", gaps=fill is None, fill=fill),
            Feature(called[2], "integer", gaps=True),
            Feature(called[3], "date", gaps=True),
            Feature(called[4], "categorical", ("False", "True"), gaps=True),
        ),
        tuple(draw(st.lists(texts, min_size=2, max_size=3, unique=True))),
    )
    days = [None if day is None else EPOCH + datetime.timedelta(day) for day in DAYS]
    pools = [(*jobs, None), NUMBERS, WHOLES, days, ("True", "False", None)]
    row = st.fixed_dictionaries(
        {name: st.sampled_from(pool) for name, pool in zip(called, pools, strict=True)}
    )
    rows = tuple(draw(st.lists(row, min_size=1, max_size=12)))
    rules = draw(st.lists(_rules(schema), min_size=1, max_size=5))
    return PortableWorld(ranked(schema, rules), rows)


@st.composite
def _rules(draw: st.DrawFn, schema: Schema) -> Rule:
    named = draw(st.lists(st.sampled_from(schema.features), max_size=3, unique_by=id))
    premises = {feature.name: draw(_premises(feature)) for feature in named}
    return schema.rule(premises, draw(st.sampled_from(schema.outcomes)))


@st.composite
def _premises(draw: st.DrawFn, feature: Feature) -> Premise:
    missing = feature.gaps and draw(st.booleans())
    if missing and draw(st.integers(0, 3)) == 0:
        return feature.only_missing
    if feature.is_categorical:
        chosen = draw(st.sets(st.sampled_from(feature.categories), min_size=0 if missing else 1))
        return feature.allowed(chosen, missing)
    pool = {"numeric": NUMBERS, "integer": WHOLES, "date": DAYS}[feature.kind]
    ends = [each for each in pool if each is not None and math.isfinite(each)]
    low, high = sorted(draw(st.lists(st.sampled_from(ends), min_size=2, max_size=2, unique=True)))
    low = draw(st.sampled_from([-INF, low]))
    return feature.interval(low, draw(st.sampled_from([high, INF])), missing)
