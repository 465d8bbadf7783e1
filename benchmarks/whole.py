"""Which way people should get: by the whole or not, on which records, at which price.

Cross-validation inside the explained records, over the pairs of the study and ten public tables
(one split of each, which `unseen` does not look at). The explained records are dealt into folds;
rules of all folds but one are merged and chosen on these and on background records, and judged on
the fold that is left. Held-out records are never looked at.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.cells import FOLDS, Cell, folds_of
from benchmarks.provenance import provenance
from benchmarks.unseen_tables import TABLES
from benchmarks.ways import Way, Ways, alpha, left, ten, ten_as_before, ten_priced, tree, union
from glocalx.export import markdown_table, table_to_csv

RESULTS = Path(__file__).parent / "results"
SEED = 0
RECORDS_IN_ALL = 1_600  # of a public table
RECORDS_EXPLAINED = 500  # of a sample
CASES = (
    *((table.name, kind, RECORDS_IN_ALL) for table in TABLES for kind in ("rf", "mlp", "gb")),
    *(("compas", kind, RECORDS_EXPLAINED) for kind in ("rf", "mlp", "svm")),
    *(("adult", kind, RECORDS_EXPLAINED) for kind in ("rf", "mlp", "svm")),
    *((sample, "rf", RECORDS_EXPLAINED) for sample in ("german", "diva")),
)
WEIGHTS = (0.03, 0.05, 0.1)
PRICES = (0.02, 0.03, 0.04, 0.06)
FINER = (0.02, 0.025, 0.03, 0.035, 0.04)
GOT = "what people get"
WIDE = {"": "as they are", "one": "one condition less", "all": "ever wider"}
MERGING: dict[str, Way] = {
    "union of the local rules": union,
    "pair by pair, explained": left("all", labelled=False),
    "pair by pair, all labelled": left("all", labelled=True),
    "the whole, explained, w = 0.05": left("whole", labelled=False, weight=0.05),
    **{
        f"the whole, all labelled, w = {weight}": left("whole", labelled=True, weight=weight)
        for weight in WEIGHTS
    },
}
FILTERED: dict[str, Way] = {
    "tree of 10 leaves, explained": tree(labelled=False),
    "tree of 10 leaves, all labelled": tree(labelled=True),
    "alpha 10: pair by pair, explained": alpha("all", labelled=False),
    "alpha 10: pair by pair, all labelled": alpha("all", labelled=True),
    **{
        f"alpha 10: the whole, all labelled, w = {weight}": alpha(
            "whole", labelled=True, weight=weight
        )
        for weight in WEIGHTS
    },
}
TEN: dict[str, Way] = {
    "pair by pair, explained, conditions free": ten_as_before,
    **{f"{said}, explained": ten(wide, labelled=False) for wide, said in WIDE.items()},
    **{f"{said}, all labelled": ten(wide) for wide, said in WIDE.items()},
    **{
        f"{said}, all labelled, price {price}{', ahead too' if ahead else ''}": ten(
            wide, price=price, ahead=ahead
        )
        for wide, said in WIDE.items()
        for price in PRICES
        for ahead in (False, True)
    },
    **{f"{GOT}, price {price}": ten_priced(price) for price in FINER},
}
PARTS = {"All rules that are left": MERGING, "Filtered": FILTERED, "Ten rules": TEN}


def main() -> None:
    """merging by the whole and the price of a condition, by folds; writes results/whole.*

    `--cells DIR` keeps tables, models and local rules there, so that a second run is quick.
    """
    rows: list[dict[str, Any]] = []
    for table, kind, most in CASES:
        begun = time.monotonic()
        rows += rows_of(table, kind, folds_of(table, kind, SEED, most))
        print(f"{table}, {kind}: {time.monotonic() - begun:.0f} s", flush=True)
    parts = [f"# Merging by the whole, and the price of a condition\n\n{_INTRODUCTION}\n"]
    for title, ways in PARTS.items():
        parts += [f"## {title}\n", table_beside_first(rows, list(ways)), ""]
    text = "\n".join([*parts, provenance()])
    (RESULTS / "whole.csv").write_text(table_to_csv(rows), "utf-8", newline="")
    (RESULTS / "whole.md").write_text(text, "utf-8")
    print(text)


def rows_of(
    table: str, kind: str, folds: list[Cell], parts: Mapping[str, Mapping[str, Way]] = PARTS
) -> Iterator[dict[str, Any]]:
    """The mean over the folds, for each way."""
    every = [Ways(cell) for cell in folds]
    for part, ways in parts.items():
        for name, way in ways.items():
            found = [each.figures(way) for each in every]
            figures = [(one.fidelity, one.conditions, one.rules) for one in found]
            fidelity, conditions, rules = np.mean(figures, axis=0)
            yield {
                "table": table,
                "black box": kind,
                "part": part,
                "way": name,
                "fidelity": round(float(fidelity), 5),
                "conditions": round(float(conditions), 1),
                "rules": round(float(rules), 1),
            }


def table_beside_first(rows: list[dict[str, Any]], ways: list[str]) -> str:
    """Each way beside the first: the mean difference over cells, its error, and in how many."""
    every = pd.DataFrame(rows).set_index(["table", "black box"])
    by_way = {way: every[every["way"] == way] for way in ways}
    start = by_way[ways[0]]["fidelity"]
    body = []
    for way, group in by_way.items():
        points = 100 * (group["fidelity"] - start)
        error = points.std(ddof=1) / len(points) ** 0.5
        body.append(
            [
                way,
                f"{group['fidelity'].mean():.4f}",
                f"{points.mean():+.2f} ± {error:.2f}".replace("-", "−"),
                int((points > 0).sum()),
                int((points < 0).sum()),
                f"{group['conditions'].mean():.1f}",
                f"{group['rules'].mean():.1f}",
            ]
        )
    head = ["way", "fidelity", "points against the first", "better in", "worse in"]
    return markdown_table([*head, "conditions", "rules"], body)


_INTRODUCTION = f"""Fidelity on explained records that had no part in merging and choosing: \
{FOLDS} folds, {len(CASES)} cells of table and black box (quick preset), one split each; at most \
{RECORDS_IN_ALL:,} records of a public table and {RECORDS_EXPLAINED} local rules of a sample. \
“All labelled”: explained records, and background records that the black box has labelled. A price \
of 0.04 means that a condition has to earn 0.04 times the root of the number of records, in \
records; “ahead too”: already when its rule is chosen. “What people get”: ahead too, and one \
condition less where rules are few. Better and worse count cells; ± is the \
standard error over cells. The held-out records of the splits were not looked at."""
