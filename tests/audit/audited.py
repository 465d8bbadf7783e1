"""Records to audit: random ones, and COMPAS with a random forest."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import pandas as pd
from hypothesis import strategies as st

from glocalx.audit.frame_source import FrameSource
from glocalx.merging.iterate import merged
from glocalx.pipeline.settings import SelectionSettings
from glocalx.pipeline.theories import chosen_theory
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.coverage import Records
from glocalx.rules.rule import Rule
from glocalx.rules.schema import Schema
from glocalx.rules.scoring import Reference
from tests.export.hostile import ranked
from tests.roads import compas_road, some_rules
from tests.strategies import worlds


@dataclass(frozen=True)
class Audited:
    """A theory, records and both kinds of labels; some are missing where `gaps` was asked for."""

    theory: RankedTheory
    frame: pd.DataFrame
    black_box: np.ndarray
    truth: np.ndarray

    @property
    def schema(self) -> Schema:
        return self.theory.schema

    @property
    def source(self) -> FrameSource:
        return FrameSource(self.schema, self.frame, self.black_box, self.truth)

    @property
    def predicted(self) -> np.ndarray:
        return self.theory.predict(Records(self.schema, self.frame))

    def covered(self, rule: Rule) -> np.ndarray:
        """Plainly, record by record."""
        masks = [
            [value is not None and value == value and value in premise for value in column]
            for column, premise in ((self.frame[name].tolist(), p) for name, p in rule.premises)
        ]
        return np.all(masks, axis=0) if masks else np.ones(len(self.frame), dtype=bool)


@st.composite
def audits(draw: st.DrawFn, gaps: bool = False) -> Audited:
    """A random theory on random records, with a column that no rule knows."""
    world = draw(worlds(max_rules=5, max_records=60))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    size = len(world.frame)
    frame = world.frame.assign(
        tribe=rng.choice(["x", "y", "z"], size), pay=rng.normal(size=size).round(2)
    )
    labels = [np.array(world.labels, dtype=object), rng.choice(world.schema.outcomes, size)]
    if gaps:
        for name in ("age", "score", "city", "tribe", "pay"):
            frame[name] = frame[name].mask(rng.random(size) < 0.15)
        labels = [np.where(rng.random(size) < 0.1, None, each) for each in labels]
    theory = ranked(world.schema, world.rules)
    return Audited(theory, frame, *(each.astype(object) for each in labels))


@cache
def compas() -> Audited:
    """The records of COMPAS that a random forest was not trained on, with six rules."""
    road = compas_road()
    table, parts, schema = road.split.table, road.split.parts, road.labelled.schema
    held = np.sort(np.concatenate([parts.explain, parts.test]))
    rest = table.frame.iloc[held].reset_index(drop=True)
    labels = road.black_box.labels(rest)
    theory = RankedTheory.of(_six_rules(schema), Reference(Records(schema, rest), labels))
    return Audited(theory, rest, labels, table.true_label[held])


@cache
def merged_compas() -> Audited:
    """The explained records of COMPAS with the theory that GLocalX makes of 101 local rules."""
    road = compas_road()
    split, reference = road.split, road.labelled.reference
    rules = some_rules(road, range(0, reference.size, 15), road.settings.rules)
    theory = chosen_theory(merged(rules, reference), reference, SelectionSettings("alpha", 6))
    truth = split.table.true_label[split.parts.explain]
    return Audited(theory, split.explain, reference.labels, truth)


def _six_rules(schema: Schema) -> list[Rule]:
    everything = float("inf")
    return [
        schema.rule({"priors_count": (6, everything), "age": (-everything, 43)}, "High"),
        schema.rule({"priors_count": (10, everything)}, "High"),
        schema.rule({"age": (-everything, 24), "two_year_recid": ["yes"]}, "High"),
        schema.rule({"priors_count": (-everything, 4)}, "Medium or Low"),
        schema.rule({"age": (45, everything)}, "Medium or Low"),
        schema.rule({"race": ["Caucasian", "Other"], "priors_count": (0, 6)}, "Medium or Low"),
    ]
