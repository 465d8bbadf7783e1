"""Which settings people should get: cross-validation inside the explained records alone.

For each table and black box the explained records are dealt into folds. Rules of the records of
all folds but one are merged and chosen on these records, and judged on the fold that is left. The
test records of the split are never looked at. A rule depends on its own record and the background
alone, so rules are made once for each choice of settings and serve every fold.

There are two rounds. The first changes one setting at a time; the second, on another split, starts
from the best change of the first, so that luck in the first does not decide alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from joblib import Parallel, delayed

from benchmarks.provenance import provenance
from glocalx.blackbox.base import BlackBox
from glocalx.export import markdown_table, table_to_csv
from glocalx.extraction.iterate import local_rules
from glocalx.extraction.settings import ExtractionSettings
from glocalx.merging.iterate import merged
from glocalx.merging.search import MergeSettings
from glocalx.pipeline.road import Road
from glocalx.pipeline.settings import ALL, BoxSettings, DataSettings, RunSettings
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.coverage import Records
from glocalx.rules.rule import Rule
from glocalx.rules.schema import Schema
from glocalx.rules.scoring import Reference
from glocalx.selection import select

RESULTS = Path(__file__).parent / "results"
FOLDS = 3
MOST_RECORDS = 1_000
CASES = (
    *(("compas", "rf"), ("compas", "mlp"), ("compas", "svm")),
    *(("adult", "rf"), ("adult", "mlp"), ("adult", "svm")),
    *(("german", "rf"), ("diva", "rf")),
)
MERGED = MergeSettings(batch_size=128, complexity_weight=0.1, bic_on="all")
REFINED = ExtractionSettings(neighbours=500, resample=0.5, precision=0.94, refine=True)
PLAIN = replace(REFINED, refine=False)


@dataclass(frozen=True, slots=True)
class Variant:
    """One choice of settings; all but one are those that the round starts from."""

    setting: str
    value: str
    extraction: ExtractionSettings
    merging: MergeSettings = MERGED
    selection: tuple[str, float] = ("budget", 10)


@dataclass(frozen=True, slots=True)
class Round:
    """What is tried on one split, beside what the round starts from."""

    seed: int
    start: ExtractionSettings
    changes: Mapping[str, tuple[Any, ...]]
    ways: tuple[tuple[str, float], ...] = ()

    def variants(self) -> Iterator[Variant]:
        yield Variant("start", "refined" if self.start.refine else "plain paths", self.start)
        for name, values in self.changes.items():
            for value in values:
                if hasattr(self.start, name):
                    made = replace(self.start, **{name: value})
                    yield Variant(name, str(value), made)
                else:
                    merging = replace(MERGED, **{name: value})
                    yield Variant(name, str(value), self.start, merging)
        for way in self.ways:
            yield Variant("selection", f"{way[0]} {way[1]}", self.start, selection=way)


ROUNDS = (
    Round(
        0,
        REFINED,
        {
            "refine": (False,),
            "neighbours": (250, 1_000),
            "resample": (0.3, 0.7),
            "precision": (0.90, 0.97),
            "complexity_weight": (0.01, 0.03, 0.3, 1.0),
            "batch_size": (32, 64, 256, 512),
            "bic_on": ("batch",),
        },
        (("alpha", 10), ("alpha_q", 95)),
    ),
    Round(
        1,
        PLAIN,
        {
            "refine": (True,),
            "neighbours": (250, 1_000),
            "resample": (0.3, 0.7),
            "complexity_weight": (0.3, 1.0),
            "batch_size": (64, 256),
            "bic_on": ("batch",),
        },
    ),
)


@dataclass(frozen=True, slots=True)
class Case:
    """Explained records and their labels; the test records of the split stay out of it."""

    schema: Schema
    box: BlackBox
    background: pd.DataFrame
    frame: pd.DataFrame


@cache
def case_of(sample: str, kind: Any, seed: int) -> Case:
    data = DataSettings(sample=sample, seed=seed, most_rows=ALL)
    road = Road(RunSettings(data=data, box=BoxSettings(kind=kind)))
    split = road.split
    chosen = np.random.default_rng(seed).permutation(split.parts.explain)[:MOST_RECORDS]
    frame = split.table.frame.iloc[chosen].reset_index(drop=True)
    return Case(road.labelled.schema, road.black_box, split.train, frame)


@cache
def rules_of(sample: str, kind: str, seed: int, settings: ExtractionSettings) -> list[Rule]:
    case = case_of(sample, kind, seed)
    made = local_rules(
        case.frame,
        case.box,
        case.schema,
        background=case.background,
        settings=replace(settings, counterfactuals=0),
        seed=seed,
    )
    return [each.rule for each in made]


def iter_folds(
    case: Case, seed: int
) -> Iterator[tuple[npt.NDArray[np.int64], Reference, Reference]]:
    """For each fold the places of all other records, these records, and those of the fold."""
    labels = case.box.labels(case.frame)
    folds = np.random.default_rng(seed).permutation(len(case.frame)) % FOLDS

    def labelled(places: npt.NDArray[np.int64]) -> Reference:
        return Reference(Records(case.schema, case.frame.iloc[places]), labels[places])

    for fold in range(FOLDS):
        inside, outside = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
        yield inside, labelled(inside), labelled(outside)


def _cross_validated(sample: str, kind: str, seed: int, variant: Variant) -> list[float]:
    """Fidelity, size and length of the theory on records of the fold that was left out."""
    case = case_of(sample, kind, seed)
    rules = rules_of(sample, kind, seed, variant.extraction)
    figures = []
    for inside, reference, held_out in iter_folds(case, seed):
        hierarchy = merged([rules[i] for i in inside], reference, variant.merging)
        way, number = variant.selection
        theory = RankedTheory.of(select(hierarchy, reference, **{way: number}), reference)
        figures.append((theory.fidelity(held_out), theory.size, theory.length))
    return [float(value) for value in np.mean(figures, axis=0)]


def _of_case(sample: str, kind: str, place: int) -> list[dict[str, Any]]:
    """Every variant of one round on one pair."""
    chosen, rows = ROUNDS[place], []
    for variant in chosen.variants():
        fidelity, size, length = _cross_validated(sample, kind, chosen.seed, variant)
        rows.append(
            {
                "round": place + 1,
                "setting": variant.setting,
                "value": variant.value,
                "table": sample,
                "black box": kind,
                "seed": chosen.seed,
                "fidelity": fidelity,
                "rules": size,
                "length": length,
            }
        )
    return rows


def main() -> None:
    """settings by cross-validation inside the explained records; writes results/defaults.*"""
    jobs = [(*case, place) for place in range(len(ROUNDS)) for case in CASES]
    parallel = Parallel(n_jobs=-1, batch_size=1, return_as="generator")
    rows = []
    for job, found in zip(jobs, parallel(delayed(_of_case)(*job) for job in jobs), strict=True):
        rows += found
        print("done:", *job, flush=True)
    write(rows)


def write(rows: list[dict[str, Any]]) -> None:
    """Every figure as CSV, and what they come to as Markdown."""
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "defaults.csv").write_text(table_to_csv(rows), "utf-8", newline="")
    parts = [f"# Settings by cross-validation\n\n{_INTRODUCTION}\n"]
    every = pd.DataFrame(rows)
    for place, chosen in enumerate(ROUNDS):
        summary = _summary(every[every["round"] == place + 1])
        parts.append(f"## Round {place + 1}, seed {chosen.seed}\n")
        parts.append(markdown_table(list(summary[0]), [list(row.values()) for row in summary]))
    text = "\n".join([*parts, provenance()])
    (RESULTS / "defaults.md").write_text(text, "utf-8")
    print(text)


def _summary(every: pd.DataFrame) -> list[dict[str, object]]:
    """Each choice against the start: the mean difference over pairs, and in how many."""
    tried = {
        (setting, value): group.set_index(["table", "black box"])
        for (setting, value), group in every.groupby(["setting", "value"], sort=False)
    }
    start = next(iter(tried.values()))["fidelity"]
    rows = []
    for (setting, value), group in tried.items():
        points = 100 * (group["fidelity"] - start)
        error = points.std(ddof=1) / len(points) ** 0.5
        rows.append(
            {
                "setting": setting,
                "value": value,
                "fidelity": f"{group['fidelity'].mean():.4f}",
                "points against the start": f"{points.mean():+.2f} ± {error:.2f}".replace("-", "−"),
                "better in": int((points > 0).sum()),
                "worse in": int((points < 0).sum()),
                "rules": f"{group['rules'].mean():.1f}",
                "length": f"{group['length'].mean():.2f}",
            }
        )
    return rows


_INTRODUCTION = f"""Fidelity on records of the explained part that the rules were not chosen on: \
{FOLDS} folds, at most {MOST_RECORDS:,} explained records, {len(CASES)} pairs of table and black \
box (quick preset). Start: {REFINED.neighbours} neighbours, resample {REFINED.resample}, precision \
{REFINED.precision}, complexity weight {MERGED.complexity_weight}, batches of {MERGED.batch_size}, \
BIC on {MERGED.bic_on}, budget 10; refined rules in round 1, plain paths in round 2. Each line \
changes one of these. Better and worse count pairs; ± is the standard error over pairs. The test \
records of the splits were not used."""
