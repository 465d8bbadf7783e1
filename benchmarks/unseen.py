"""The method on tables that had no part in making it: ten public ones, three kinds of model.

45 % of the records train the black box, 30 % are explained, 25 % are held out. Ways are judged by
held-out fidelity and by how much there is to read. Nothing is chosen here: settings come from
`python -m benchmarks whole`, which looks at no held-out record.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd

from benchmarks.cells import held_out_of
from benchmarks.provenance import provenance
from benchmarks.unseen_tables import TABLES
from benchmarks.ways import (
    WEIGHT,
    Way,
    Ways,
    alpha,
    left,
    not_merged,
    ten_as_before,
    ten_priced,
    tree,
    union,
)
from glocalx.export import markdown_table, table_to_csv

RESULTS = Path(__file__).parent / "results"
KINDS = ("rf", "mlp", "gb")
SEEDS = (1,)  # `whole` looks at seed 0
MOST_RECORDS = 1_600
QUICK = ("wine", "penguins", "Participation")  # small ones of two and three outcomes
WHOLE: dict[str, Any] = {"labelled": True, "weight": WEIGHT}
WAYS: dict[str, Way] = {
    "union of the local rules": union,
    "rules left: pair by pair, explained records (the paper)": left("all", labelled=False),
    "rules left: pair by pair, all labelled": left("all", labelled=True),
    "rules left: the whole, all labelled": left("whole", **WHOLE),
    "alpha 10: pair by pair, explained records (the paper)": alpha("all", labelled=False),
    "alpha 10: pair by pair, all labelled": alpha("all", labelled=True),
    "alpha 10: the whole, all labelled": alpha("whole", **WHOLE),
    "ten rules: not merged": not_merged,
    "ten rules: pair by pair, explained records, conditions free": ten_as_before,
    "ten rules: the whole, all labelled, conditions priced": ten_priced(),
    "tree of 10 leaves, explained records": tree(labelled=False),
    "tree of 10 leaves, all labelled": tree(labelled=True),
}


def main() -> None:
    """ten public tables that had no part; `--quick`: three of them; writes results/unseen.*"""
    quick = "--quick" in sys.argv
    names = QUICK if quick else tuple(table.name for table in TABLES)
    rows = [
        row
        for name in names
        for kind in (KINDS[:1] if quick else KINDS)
        for seed in SEEDS
        for row in _rows(name, kind, seed)
    ]
    text = "\n".join(["# Tables that had no part\n", _introduction(names), "", *_tables(rows)])
    print(text)
    if not quick:
        (RESULTS / "unseen.csv").write_text(table_to_csv(rows), "utf-8", newline="")
        (RESULTS / "unseen.md").write_text(text, "utf-8")


def _rows(name: str, kind: str, seed: int) -> Iterator[dict[str, Any]]:
    begun = time.monotonic()
    ways = Ways(held_out_of(name, kind, seed, MOST_RECORDS))
    for way, of in WAYS.items():
        found = ways.figures(of)
        yield {
            "table": name,
            "black box": kind,
            "seed": seed,
            "way": way,
            "fidelity": round(found.fidelity, 4),
            "conditions": found.conditions,
            "rules": found.rules,
        }
    print(f"{name}, {kind}, seed {seed}: {time.monotonic() - begun:.0f} s", flush=True)


def _tables(rows: list[dict[str, Any]]) -> Iterator[str]:
    """All cells together, each way beside the tree that had the same labels; then by table."""
    every = pd.DataFrame(rows).set_index(["table", "black box", "seed"])
    by_way = {way: every[every["way"] == way] for way in WAYS}
    rival = by_way["tree of 10 leaves, all labelled"]["fidelity"]
    head = ["way", "fidelity", "conditions", "rules", "above the tree in", "below it in"]
    body = [
        [
            way,
            f"{group['fidelity'].mean():.3f}",
            f"{group['conditions'].mean():.0f}",
            f"{group['rules'].mean():.1f}",
            int((group["fidelity"] > rival).sum()),
            int((group["fidelity"] < rival).sum()),
        ]
        for way, group in by_way.items()
    ]
    yield markdown_table(head, body)
    yield "\nBy table, mean over models: fidelity, conditions.\n"
    shown = [way for way in WAYS if way.startswith(("union", "rules left", "ten", "tree"))]
    means = {
        way: by_way[way].groupby("table", sort=False)[["fidelity", "conditions"]].mean()
        for way in shown
    }
    yield markdown_table(
        ["table", *shown],
        [
            [
                name,
                *(
                    f"{means[way].loc[name].iloc[0]:.3f}, {means[way].loc[name].iloc[1]:.0f}"
                    for way in shown
                ),
            ]
            for name in dict.fromkeys(row["table"] for row in rows)
        ],
    )
    yield provenance()


def _introduction(names: tuple[str, ...]) -> str:
    packages = {table.name: table.package for table in TABLES}
    listed = ", ".join(f"{name} ({packages[name]})" for name in names)
    return (
        f"Mean held-out fidelity and conditions in all. Tables: {listed}; at most "
        f"{MOST_RECORDS:,} records of each, 45 % to train, 30 % explained, 25 % held out; black "
        f"boxes {', '.join(KINDS)} (quick preset), seed {', '.join(map(str, SEEDS))}. The tree "
        "beside which ways are counted was fitted on all labelled records, as the ways that say so."
    )
