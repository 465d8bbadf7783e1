"""What figures are made of: a small real run, and a table whose names try to be markup."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
import pandas as pd

from glocalx import plots
from glocalx.audit import Audit, AuditSettings, FrameSource, run_audit
from glocalx.audit.forest import forest_rows
from glocalx.audit.tally import Tally
from glocalx.blackbox.confusion import count_confusion
from glocalx.extraction.settings import ExtractionSettings
from glocalx.merging.hierarchy import Hierarchy
from glocalx.merging.iterate import merged
from glocalx.merging.operators import Cut, Join, cut, join
from glocalx.merging.series import run_series
from glocalx.pipeline.settings import RuleSettings, SelectionSettings
from glocalx.pipeline.theories import chosen_theory
from glocalx.plots import Drawing, OutcomeColours, Picture
from glocalx.questions.curves import FeatureCurve, cuts_of, feature_curve, premises_on
from glocalx.questions.reliance import rules_reliance
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.coverage import Records
from glocalx.rules.schema import Feature, Schema
from glocalx.rules.scoring import Reference
from glocalx.words.wording import Wording
from sample_data.rule_flow import flow
from tests.roads import compas_road, some_rules

LINK = '<a href="javascript:alert(1)">x</a>'
TEX = r"$\alpha$"
HOSTILE = (LINK, TEX, "<b>bold</b>", "%{x}", "a & b\n<br>c", "=1+1")


@dataclass(frozen=True)
class Run:
    """A merged run and its final theory."""

    frame: pd.DataFrame
    reference: Reference
    hierarchy: Hierarchy
    theory: RankedTheory

    @property
    def schema(self) -> Schema:
        return self.reference.records.schema

    @property
    def records(self) -> Records:
        return self.reference.records

    def colours(self, scheme: str = "light") -> OutcomeColours:
        outcomes = self.schema.outcomes
        return OutcomeColours.of(outcomes, outcomes[0], plots.palette(scheme))


def _run(frame: pd.DataFrame, schema: Schema, labels, rules, budget: int = 5) -> Run:
    reference = Reference(Records(schema, frame), labels)
    hierarchy = merged(rules, reference)
    theory = chosen_theory(hierarchy, reference, SelectionSettings("budget", budget))
    return Run(frame, reference, hierarchy, theory)


@cache
def compas() -> Run:
    """A random forest on COMPAS, 152 of its records explained."""
    road = compas_road()
    reference = road.labelled.reference
    settings = RuleSettings(ExtractionSettings(refine=False, neighbours=200))
    rules = some_rules(road, range(0, reference.size, 10), settings)
    return _run(road.split.explain, road.labelled.schema, reference.labels, rules)


@cache
def audited_compas() -> tuple[Audit, Tally]:
    """An audit of that run, and what was counted for it."""
    run = compas()
    source = FrameSource(run.schema, run.frame, run.reference.labels)
    audit = run_audit(
        source, run.theory, AuditSettings("High", ("race", "sex"), combinations="none")
    )
    return audit, source.tally(run.theory.rules, audit.axes)


@cache
def hostile() -> Run:
    """Three outcomes, and features and categories that would be markup if they were let."""
    rng = np.random.default_rng(3)
    size = 300
    schema = Schema(
        (
            Feature(LINK, "numeric"),
            Feature(TEX, "categorical", HOSTILE),
            Feature("day", "date"),
            Feature("%{customdata}", "integer", label="<i>label</i>"),
        ),
        (LINK, TEX, "<b>"),
    )
    frame = pd.DataFrame(
        {
            LINK: rng.normal(size=size).round(2),
            TEX: rng.choice(HOSTILE, size),
            "day": rng.integers(15_000, 15_400, size),
            "%{customdata}": rng.poisson(1.2, size),
        }
    )
    labels = np.where(frame[LINK] > 0.5, LINK, np.where(frame["day"] > 15_200, TEX, "<b>"))
    rules = [_around(schema, frame, labels, place, rng) for place in range(0, size, 6)]
    return _run(frame, schema, labels, rules, budget=6)


def _around(schema: Schema, frame: pd.DataFrame, labels, place: int, rng: np.random.Generator):
    number, day = frame[LINK][place], frame["day"][place]
    premises = {
        LINK: (number - rng.uniform(0.1, 2), number + 0.3),
        "day": (day - rng.integers(20, 200), float("inf")),
        TEX: [frame[TEX][place], *rng.choice(HOSTILE, 2)],
    }
    kept = rng.choice(list(premises), 2, replace=False)
    return schema.rule({name: premises[name] for name in kept}, labels[place])


def a_join(run: Run) -> Join:
    """Two rules of one outcome with all features, joined."""
    one = run.schema.rule(_wide(run, 0.2), run.schema.outcomes[0])
    other = run.schema.rule(_wide(run, 0.5), run.schema.outcomes[0])
    return Join((one, other), join([one, other]))


def a_cut(run: Run) -> Cut:
    before = run.schema.rule(_wide(run, 0.2), run.schema.outcomes[0])
    dominant = run.schema.rule(_wide(run, 0.35), run.schema.outcomes[1])
    return Cut(dominant, before, cut(before, dominant, lambda rule: 1))


def _wide(run: Run, start: float) -> dict:
    """On every feature a stretch that begins at this quantile, and all but a few categories."""
    premises: dict = {}
    for feature in run.schema.features:
        values = run.records.values(feature.name)
        if feature.is_categorical:
            skipped = int(start * len(feature.categories))
            premises[feature.name] = feature.categories[skipped : skipped + 2]
        else:
            low, high = np.quantile(values, [start, min(start + 0.3, 1)])
            premises[feature.name] = (low, high + 1)
    return premises


@dataclass(frozen=True)
class SaidByRules:
    """A black box that says what the rules of a run say."""

    run: Run

    @property
    def outcomes(self) -> tuple[str, ...]:
        return self.run.schema.outcomes

    def labels(self, frame: pd.DataFrame) -> np.ndarray:
        return self.run.theory.predict(Records(self.run.schema, frame))

    def probabilities(self, frame: pd.DataFrame) -> None:
        return None


def curves(run: Run) -> list[FeatureCurve]:
    """A curve along each feature."""
    box, rules = SaidByRules(run), run.theory.rules
    return [
        feature_curve(box, run.frame[:60], run.schema, name, cuts=cuts_of(premises_on(rules, name)))
        for name in run.schema.names
    ]


def pictures(run: Run) -> dict[str, Callable[[str], list[Picture]]]:
    """Every picture, by name, for a scheme."""
    at = len(run.hierarchy.steps)
    series = run_series(run.hierarchy, run.reference)
    measured = rules_reliance(run.theory, run.frame)
    along = curves(run)

    def moved(operation, **look):
        return lambda scheme: [
            picture
            for _, picture in plots.operation_pictures(
                operation, run.records, run.colours(scheme), **look
            )
        ]

    return {
        "trends": lambda scheme: [plots.trends(series, at // 2, plots.palette(scheme))],
        "bic": lambda scheme: [
            plots.bic_plot(run.hierarchy, at, plots.palette(scheme), drops=(at,))
        ],
        "bic of all steps": lambda scheme: [
            plots.bic_strip(run.hierarchy, at // 2, plots.palette(scheme), drops=(2,), text=14)
        ],
        "join": moved(a_join(run)),
        "cut": moved(a_cut(run)),
        "cut from afar": moved(a_cut(run), most=1, bars=0, text=14),
        "importance": lambda scheme: [
            plots.rests_on(measured, measured, run.theory, plots.palette(scheme)),
            plots.rests_on(None, measured, run.theory, plots.palette(scheme)),
        ],
        "dependence": lambda scheme: [
            plots.dependence(each, run.theory, run.colours(scheme), Wording(run.schema))
            for each in along
        ],
        "overlap": lambda scheme: [plots.overlap(run.theory, run.records, run.colours(scheme))],
    }


def figures(run: Run) -> dict[str, Callable[[str], list[Drawing]]]:
    """Every figure, by name, for a scheme."""
    hierarchy, theory, records = run.hierarchy, run.theory, run.records
    at = len(hierarchy.steps)
    by = tuple(feature.name for feature in run.schema.features[:2])
    source = FrameSource(run.schema, run.frame, run.reference.labels)
    audit = run_audit(source, theory, AuditSettings(run.schema.outcomes[0], by))
    tally = source.tally(theory.rules, audit.axes)
    predicted = theory.predict(records)
    points = [plots.CurvePoint(k, 0.8 + k / 100, 0.78, 0.95) for k in range(1, 7)]
    baseline = plots.CurveBaseline(LINK, (plots.CurvePoint(200, 0.9),))

    def with_colours(draw):
        return lambda scheme: draw(run.colours(scheme))

    def with_palette(draw):
        return lambda scheme: draw(plots.palette(scheme))

    return {
        "flow": with_colours(lambda c: [flow(hierarchy.local_rules, theory, records, c)]),
        "tree": with_colours(lambda c: [plots.merge_tree(hierarchy, at, c, window=20)]),
        "tree by distance": with_colours(
            lambda c: [plots.merge_tree(hierarchy, at, c, window=20, by="distance")]
        ),
        "first step": with_colours(lambda c: [plots.merge_tree(hierarchy, 1, c)]),
        "no step": with_colours(lambda c: [plots.merge_tree(hierarchy, 0, c)]),
        "whole tree": with_colours(lambda c: [plots.merge_tree(hierarchy, at, c, window=None)]),
        "curve": with_palette(
            lambda p: [
                plots.curve(
                    points,
                    3,
                    p,
                    baselines=[baseline],
                    majority=0.7,
                    majority_outcome=LINK,
                    all_rules=plots.CurvePoint(80, 0.9),
                )
            ]
        ),
        "matrix": with_colours(lambda c: [plots.rule_matrix(theory, run.reference, c)]),
        "side by side": with_colours(
            lambda c: [
                plots.side_by_side(
                    records, name, records.coverage(theory.rules[0]), c, theory.rules[0].outcome
                )
                for name in run.schema.names
            ]
        ),
        "confusion": with_palette(
            lambda p: [plots.confusion(count_confusion(run.reference.labels, predicted), p)]
        ),
        "forest": with_palette(
            lambda p: [plots.forest(forest_rows(audit.subgroups), LINK, p, enough=30)]
        ),
        "heat map": with_colours(lambda c: [plots.group_heatmap(tally, c, enough=30)]),
    }
