"""Another seed, other rules: how far do two theories agree that differ by their seeds alone?

Same table, same split, same black box. Local rules are made from six seeds. Theories of one seed
are held against each other, and theories of pools: three seeds against the other three.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.cells import EXTRACTION, kept, road_of
from benchmarks.provenance import provenance
from benchmarks.unseen import QUICK
from benchmarks.unseen_tables import TABLES
from glocalx.export import markdown_table, table_to_csv
from glocalx.extraction.iterate import local_rules
from glocalx.merging.hierarchy import Hierarchy
from glocalx.merging.iterate import merged
from glocalx.merging.search import BY_THE_WHOLE
from glocalx.pipeline.extracting import chosen_records
from glocalx.pipeline.road import Road
from glocalx.pipeline.theories import labelled_reference
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.coverage import similarity
from glocalx.rules.rule import Rule
from glocalx.rules.scoring import Reference
from glocalx.selection import DEFAULT_PRICE, STEADY_IS, select

RESULTS = Path(__file__).parent / "results"
RECORDS_IN_ALL = 1_600  # of a public table
RECORDS_EXPLAINED = 500  # of the sample
SPLIT, SEEDS = 0, range(6)
SINGLE = (((0,), (3,)), ((1,), (4,)), ((2,), (5,)))
POOLS = (((0, 1, 2), (3, 4, 5)), ((0, 2, 4), (1, 3, 5)), ((0, 1, 5), (2, 3, 4)))
WAYS = {  # which seeds, and whether rules are steady
    "one seed each": (SINGLE, False),
    "pools of three seeds": (POOLS, False),
    "one seed each, steady": (SINGLE, True),
    "pools of three seeds, steady": (POOLS, True),
}
AGREE, MATCH = 0.98, 0.8  # what we would like


@dataclass(frozen=True, slots=True)
class Steadiness:
    """Two theories beside each other.

    Parameters
    ----------
    agreement
        Share of held-out records to which both give the same answer.
    match
        Mean over the rules of both of the best coverage Jaccard with a rule for the same outcome
        of the other.
    fidelity, conditions
        Means of the two.
    """

    agreement: float
    match: float
    fidelity: float
    conditions: float

    @classmethod
    def of(cls, one: RankedTheory, other: RankedTheory, held_out: Reference) -> Steadiness:
        both = (one, other)
        answers = [each.predict(held_out.records) for each in both]
        return cls(
            float(np.mean(answers[0] == answers[1])),
            best_match(one, other, held_out),
            float(np.mean([each.fidelity(held_out) for each in both])),
            float(np.mean([sum(map(len, each.rules)) for each in both])),
        )


def best_match(one: RankedTheory, other: RankedTheory, records: Reference) -> float:
    """Mean over all rules of the likeness of the rule most like it on the other side.

    NaN where neither side has a rule.
    """
    coverages = [
        [(rule.outcome, records.records.coverage(rule)) for rule in each.rules]
        for each in (one, other)
    ]
    found = [
        max((similarity(own, bits) for said, bits in there if said == outcome), default=0.0)
        for here, there in (coverages, coverages[::-1])
        for outcome, own in here
    ]
    return float(np.mean(found)) if found else math.nan


def main() -> None:
    """two theories that differ by their seeds alone; writes results/stability.*

    `--quick`: three small tables, and nothing is written; `--cells DIR` keeps local rules there.
    """
    quick, rows = "--quick" in sys.argv, list[dict[str, Any]]()
    for table in QUICK if quick else (*(each.name for each in TABLES), "compas"):
        begun = time.monotonic()
        rows += _rows(table)
        print(f"{table}: {time.monotonic() - begun:.0f} s", flush=True)
    text = "\n".join(["# Another seed, other rules\n", _INTRODUCTION, "", *_tables(rows)])
    print(text)
    if not quick:
        (RESULTS / "stability.csv").write_text(table_to_csv(rows), "utf-8", newline="")
        (RESULTS / "stability.md").write_text(text, "utf-8")


def _rows(table: str) -> Iterator[dict[str, Any]]:
    made, known, held_out = kept(f"{table}-seeds", lambda: made_of(table))

    @cache
    def hierarchy(seeds: tuple[int, ...]) -> Hierarchy:
        rules = [rule for seed in seeds for rule in made[seed]]
        return merged(rules, known, replace(BY_THE_WHOLE, seed=seeds[0]))

    def theory(seeds: tuple[int, ...], steady: bool) -> RankedTheory:
        chosen = select(hierarchy(seeds), known, budget=10, price=DEFAULT_PRICE, steady=steady)
        return RankedTheory.of(chosen, known)

    for way, (pairs, steady) in WAYS.items():
        found = [
            Steadiness.of(theory(one, steady), theory(other, steady), held_out)
            for one, other in pairs
        ]
        yield {
            "table": table,
            "way": way,
            "agreement": round(float(np.mean([each.agreement for each in found])), 4),
            "match": round(float(np.mean([each.match for each in found])), 4),
            "fidelity": round(float(np.mean([each.fidelity for each in found])), 4),
            "conditions": round(float(np.mean([each.conditions for each in found])), 1),
        }


def most_of(table: str) -> int:
    """Records explained of the sample, or in all of a public table."""
    return RECORDS_EXPLAINED if table == "compas" else RECORDS_IN_ALL


def made_of(table: str) -> tuple[list[list[Rule]], Reference, Reference]:
    """The local rules of every seed, all labelled records, and the held-out ones."""
    road = road_of(table, "rf", SPLIT, most_of(table))
    rules = [_rules(road, seed) for seed in SEEDS]
    return rules, labelled_reference(road.labelled), road.labelled.held_out


def _rules(road: Road, seed: int) -> list[Rule]:
    labelled = road.labelled
    made = local_rules(
        labelled.split.explain,
        road.black_box,
        labelled.schema,
        background=labelled.split.background,
        settings=EXTRACTION,
        seed=seed,
        records=chosen_records(labelled, road.settings.rules),
    )
    return [each.rule for each in made]


def _tables(rows: list[dict[str, Any]]) -> Iterator[str]:
    every = pd.DataFrame(rows)
    medians = every.groupby("way", sort=False)[["agreement", "match"]].median()
    means = every.groupby("way", sort=False)[
        ["agreement", "match", "fidelity", "conditions"]
    ].mean()
    head = ["way", "answers agree: median", "mean agreement", "best match: median", "mean match"]
    yield markdown_table(
        [*head, "fidelity", "conditions"],
        [
            [
                way,
                f"{medians.loc[way, 'agreement']:.3f}",
                f"{means.loc[way, 'agreement']:.3f}",
                f"{medians.loc[way, 'match']:.2f}",
                f"{means.loc[way, 'match']:.2f}",
                f"{means.loc[way, 'fidelity']:.3f}",
                f"{means.loc[way, 'conditions']:.0f}",
            ]
            for way in WAYS
        ],
    )
    yield "\nBy table: answers agree, best match.\n"
    by_table = every.set_index(["table", "way"])
    yield markdown_table(
        ["table", *WAYS],
        [
            [
                table,
                *(
                    f"{by_table.loc[(table, way), 'agreement']:.3f}, "
                    f"{by_table.loc[(table, way), 'match']:.2f}".replace("nan", "no rule")
                    for way in WAYS
                ),
            ]
            for table in dict.fromkeys(every["table"])
        ],
    )
    yield provenance()


_INTRODUCTION = f"""Ten public tables (at most {RECORDS_IN_ALL:,} records, 45 % to train, 30 % \
explained) and COMPAS ({RECORDS_EXPLAINED} explained), random forests, one split. Two theories of \
at most ten rules, merged by the whole on all labelled records, whose local rules and batches come \
from different seeds; three pairs of them in each line. “Answers agree”: held-out records with the \
same answer. “Best match”: for each rule of either, the highest coverage Jaccard on held-out \
records with a rule of the other for the same outcome. “Steady”: chosen from {STEADY_IS}. We \
would like {AGREE} and {MATCH}. The price of a condition is {DEFAULT_PRICE}."""
