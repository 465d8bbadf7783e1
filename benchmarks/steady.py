"""What steady rules may be: settled by folds, held-out records not looked at.

As in `stability`, two theories differ by their seeds alone; each of the three folds of the
explained records has one pair of seeds and one of pools. Rules of the other records are merged and
chosen on these and on background records, and held against each other on the fold.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.cells import FOLDS, kept, road_of
from benchmarks.provenance import provenance
from benchmarks.stability import POOLS, SINGLE, SPLIT, Steadiness, made_of, most_of
from benchmarks.unseen_tables import TABLES
from glocalx.export import markdown_table, table_to_csv
from glocalx.merging.hierarchy import Hierarchy
from glocalx.merging.iterate import merged
from glocalx.merging.search import BY_THE_WHOLE
from glocalx.pipeline.extracting import chosen_records
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.idle import without_idle
from glocalx.rules.scoring import Reference
from glocalx.selection import (
    DEFAULT_BUDGET,
    DEFAULT_PRICE,
    budget_candidates,
    select_budget,
    shortened,
    steady_rules,
)

RESULTS = Path(__file__).parent / "results"
AS_THEY_ARE = "as they are"
WAYS: dict[str, dict[str, Any] | None] = {  # None: rules that are not steady
    AS_THEY_ARE: None,
    **{
        f"{parts} parts, {length} conditions, {100 * share:g} %": {
            "parts": parts,
            "length": length,
            "share": share,
        }
        for parts, length, share in (
            *((parts, 2, share) for parts in (5, 8, 12, 16) for share in (0.0, 0.01, 0.03, 0.05)),
            *((parts, 3, share) for parts in (8, 16) for share in (0.03, 0.05)),
        )
    },
}
SEEDS = {"one seed each": SINGLE, "pools of three seeds": POOLS}


def main() -> None:
    """how many parts, conditions and rules steady rules take, by folds; writes results/steady.*

    `--cells DIR` is that of `stability`, so that local rules need not be made again.
    """
    rows: list[dict[str, Any]] = []
    for table in (*(each.name for each in TABLES), "compas"):
        begun = time.monotonic()
        rows += _rows(table)
        print(f"{table}: {time.monotonic() - begun:.0f} s", flush=True)
    text = "\n".join(
        ["# What steady rules may be\n", _INTRODUCTION, "", _table(rows), provenance()]
    )
    (RESULTS / "steady.csv").write_text(table_to_csv(rows), "utf-8", newline="")
    (RESULTS / "steady.md").write_text(text, "utf-8")
    print(text)


def _rows(table: str) -> Iterator[dict[str, Any]]:
    rules, known, _ = kept(f"{table}-seeds", lambda: made_of(table))
    explained, records = kept(f"{table}-explained", lambda: _explained(table))
    folds = np.random.default_rng((SPLIT, 5)).permutation(explained) % FOLDS
    for fold in range(FOLDS):
        outside = np.flatnonzero(folds == fold)
        inside = known.taken(np.setdiff1d(np.arange(known.size), outside))
        judge = known.taken(outside)
        places = [place for place, record in enumerate(records) if folds[record] != fold]

        @cache
        def hierarchy(seeds: tuple[int, ...], inside=inside, places=places) -> Hierarchy:  # type: ignore[no-untyped-def]
            chosen = [rules[seed][place] for seed in seeds for place in places]
            return merged(chosen, inside, replace(BY_THE_WHOLE, seed=seeds[0]))

        for way, pairs in SEEDS.items():
            for kind, options in WAYS.items():
                one, other = (_theory(hierarchy(seeds), inside, options) for seeds in pairs[fold])
                found = Steadiness.of(one, other, judge)
                yield {
                    "table": table,
                    "fold": fold,
                    "way": way,
                    "rules": kind,
                    "agreement": round(found.agreement, 4),
                    "match": round(found.match, 4),
                    "fidelity": round(found.fidelity, 4),
                    "conditions": found.conditions,
                }


def _explained(table: str) -> tuple[int, list[int]]:
    """How many records could be explained, and which were."""
    road = road_of(table, "rf", SPLIT, most_of(table))
    return road.labelled.reference.size, chosen_records(road.labelled, road.settings.rules)


def _theory(hierarchy: Hierarchy, known: Reference, options: dict[str, Any] | None) -> RankedTheory:
    """What people get, with rules that are so steady."""
    if options is None:
        candidates = budget_candidates(hierarchy, known)
    else:
        candidates = without_idle(steady_rules(hierarchy.every_rule(), known, **options), known)
    chosen = select_budget(candidates, known, DEFAULT_BUDGET, DEFAULT_PRICE)
    return RankedTheory.of(shortened(chosen, known, price=DEFAULT_PRICE), known)


def _table(rows: list[dict[str, Any]]) -> str:
    figures = ["agreement", "match", "fidelity", "conditions"]
    every = pd.DataFrame(rows).groupby(["way", "rules", "table"], sort=False)[figures].mean()
    grouped = every.groupby(["way", "rules"], sort=False)
    medians, means = grouped.median(), grouped.mean()
    head = ["seeds", "rules", "answers agree: median", "mean agreement", "best match: median"]
    return markdown_table(
        [*head, "mean match", "fidelity", "conditions"],
        [
            [
                *map(str, key),
                f"{medians.loc[key, 'agreement']:.3f}",
                f"{means.loc[key, 'agreement']:.3f}",
                f"{medians.loc[key, 'match']:.2f}",
                f"{means.loc[key, 'match']:.2f}",
                f"{means.loc[key, 'fidelity']:.4f}",
                f"{means.loc[key, 'conditions']:.1f}",
            ]
            for key in medians.index
        ],
    )


_INTRODUCTION = f"""The tables of [stability.md](stability.md), by folds: {FOLDS} folds inside the \
explained records, held-out records not looked at; one pair of theories a fold. Medians and means \
over tables. Numbers are cut into so many parts that hold as many labelled records each, rules \
have at most so many conditions, and at least so many of a hierarchy's rules say the same (two at \
least); “{AS_THEY_ARE}”: rules that are not steady. The price of a condition is {DEFAULT_PRICE}."""
