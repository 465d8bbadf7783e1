"""A scene: points in a plane, a black box with its regions, and local rules as rectangles."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import pandas as pd

from glocalx.blackbox.base import BlackBox
from glocalx.errors import GLocalXError
from glocalx.extraction.iterate import local_rules
from glocalx.extraction.local_rule import LocalRule
from glocalx.extraction.settings import ExtractionSettings
from glocalx.merging.hierarchy import Hierarchy
from glocalx.merging.iterate import merged
from glocalx.merging.search import MergeSettings
from glocalx.rules.codes import Coded, Codes
from glocalx.rules.coverage import Records
from glocalx.rules.rule import Interval, Rule
from glocalx.rules.schema import Schema
from glocalx.rules.scoring import Reference
from glocalx.rules.theory import Theory

CELLS = 60  # of the regions, along each axis
EXPLAINED = 24  # records with a local rule
NEIGHBOURS = 200
LESSON = MergeSettings(batch_size=32)
"""How a lesson merges unless told otherwise: the paper's way, on batches that can be seen."""


@dataclass(frozen=True, slots=True)
class PlaneSide:
    """One side of the plane: a feature, and from where to where it is shown."""

    feature: str
    low: float
    high: float

    def clipped(self, rule: Rule) -> tuple[float, float]:
        """From where to where a rule reaches on this axis; no condition reaches the edges."""
        premise = rule.premise(self.feature)
        if not isinstance(premise, Interval):
            return self.low, self.high
        return max(premise.low, self.low), min(premise.high, self.high)

    @property
    def centres(self) -> npt.NDArray[np.float64]:
        """The middles of the cells along this axis."""
        width = (self.high - self.low) / CELLS
        return np.asarray(self.low + width * (np.arange(CELLS) + 0.5), dtype=np.float64)


@dataclass(frozen=True, slots=True)
class Rectangle:
    """The ground of a rule in the plane, as far as the plane goes."""

    rule: Rule
    left: float
    right: float
    bottom: float
    top: float

    @property
    def is_empty(self) -> bool:
        """Whether the rule lies outside of the plane."""
        return not (self.left < self.right and self.bottom < self.top)


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """Points, what the black box answers, and local rules.

    Parameters
    ----------
    name
        What it is called in an address.
    black_box
        Who answers.
    across, up
        The two axes.
    frame, reference
        The points, and these with the answers of the black box.
    rules
        The local rules, distinct and in canonical order.
    """

    name: str
    black_box: BlackBox
    across: PlaneSide
    up: PlaneSide
    frame: pd.DataFrame
    reference: Reference
    rules: tuple[Rule, ...]

    @property
    def schema(self) -> Schema:
        return self.reference.records.schema

    @property
    def places(self) -> npt.NDArray[np.float64]:
        """Where each point lies: across and up."""
        return self.frame[[self.across.feature, self.up.feature]].to_numpy(dtype=float)

    def rectangle(self, rule: Rule) -> Rectangle:
        """The ground of a rule."""
        return Rectangle(rule, *self.across.clipped(rule), *self.up.clipped(rule))

    def regions(self) -> Codes:
        """For each cell, row by row from below, the place of the black box's outcome."""
        across, up = np.meshgrid(self.across.centres, self.up.centres)
        cells = pd.DataFrame({self.across.feature: across.ravel(), self.up.feature: up.ravel()})
        for feature in self.schema.features:
            if feature.is_whole:
                cells[feature.name] = np.floor(cells[feature.name]).astype(int)
        answers = self.black_box.labels(cells[list(self.schema.names)])
        return Coded.of(answers).among(self.schema.outcomes).reshape(CELLS, CELLS)

    def explained(
        self, records: Sequence[int], *, neighbours: int = NEIGHBOURS, seed: int = 0
    ) -> list[LocalRule]:
        """The paths of local trees: longer than refined rules, so that there is much to merge."""
        return local_rules(
            self.frame,
            self.black_box,
            self.schema,
            background=self.frame,
            settings=ExtractionSettings(refine=False, neighbours=neighbours, counterfactuals=0),
            records=records,
            seed=seed,
        )

    def with_rules(self, rules: Iterable[Rule]) -> Scene:
        """The scene with other local rules; the points and the black box stay."""
        made = Theory.of(self.schema.rule(dict(rule.premises), rule.outcome) for rule in rules)
        return replace(self, rules=made.rules)

    def merged(self, settings: MergeSettings = LESSON) -> Hierarchy:
        """All merges of the local rules, from the start to the end."""
        return merged(self.rules, self.reference, settings)


def scene_of(
    name: str,
    frame: pd.DataFrame,
    schema: Schema,
    black_box: BlackBox,
    edges: tuple[tuple[float, float], tuple[float, float]],
    *,
    rules: Sequence[Rule] | None = None,
    seed: int = 0,
) -> Scene:
    """A scene around a black box; its local rules are extracted, unless they are given."""
    names = schema.names
    if len(names) != 2:
        raise GLocalXError(f"A plane has two features, and there are {len(names)}. Choose two.")
    across, up = (PlaneSide(feature, *ends) for feature, ends in zip(names, edges, strict=True))
    reference = Reference(Records(schema, frame), black_box.labels(frame))
    scene = Scene(name, black_box, across, up, frame, reference, ())
    if rules is None:
        rng = np.random.default_rng([seed, len(frame)])
        chosen = sorted(rng.permutation(len(frame))[:EXPLAINED].tolist())
        rules = [local.rule for local in scene.explained(chosen, seed=seed)]
    return scene.with_rules(rules)


def bounds_of(rule: Rule, feature: str) -> tuple[float | None, float | None]:
    """The ends of a rule on a feature; None where it is open."""
    premise = rule.premise(feature)
    if not isinstance(premise, Interval):
        return None, None
    low = premise.low if math.isfinite(premise.low) else None
    high = premise.high if math.isfinite(premise.high) else None
    return low, high


def rule_between(
    schema: Schema, bounds: dict[str, tuple[float | None, float | None]], outcome: str
) -> Rule:
    """The rule with these ends, each feature from and up to but not including; None: open.

    The inverse of :func:`bounds_of`.
    """
    premises = {}
    for feature, (low, high) in bounds.items():
        if low is not None and high is not None and not low < high:
            raise GLocalXError(
                f"A rule asks for {feature} from {low:g} to below {high:g}, which holds nothing. "
                "Give a lower start, or a higher end."
            )
        ends = (-math.inf if low is None else low, math.inf if high is None else high)
        premises[feature] = ends
    return schema.rule(premises, outcome)
