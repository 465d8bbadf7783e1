"""Why `alpha`, the paper's filter, is below a tree of its size, and what mends it.

Four things are tried, one after the other: another default, rules of an outcome judged together,
every rule of the hierarchy to choose from, and leaving out what all of them are no worse without.
They are judged by folds inside the explained records, as in `whole`; then once on held-out records
of the split that `unseen` has.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd

from benchmarks.cells import FOLDS, Cell, folds_of, held_out_of
from benchmarks.elsewhere import write_elsewhere
from benchmarks.provenance import provenance
from benchmarks.unseen import KINDS, MOST_RECORDS, SEEDS
from benchmarks.unseen_tables import TABLES
from benchmarks.ways import WEIGHT, Way, alpha, alpha_otherwise, alpha_together, ten_priced, tree
from benchmarks.whole import CASES, SEED, rows_of, table_beside_first
from glocalx.export import table_to_csv
from glocalx.selection import DEFAULT_PRICE

RESULTS = Path(__file__).parent / "results"
SAMPLES = ("compas", "adult", "german", "diva")
WAYS: dict[str, Way] = {
    "tree of 10 leaves, all labelled": tree(labelled=True),
    "one by one, pair by pair, explained records (the paper)": alpha("all", labelled=False),
    "one by one, the whole, all labelled": alpha("whole", labelled=True, weight=WEIGHT),
    "… with another default": alpha_otherwise,
    "together, rules left": alpha_together(every=False, otherwise=False),
    "… with another default too": alpha_together(every=False),
    "together, every rule, another default": alpha_together(),
    "… less what does not help": alpha_together(helping=True),
    f"ten rules by budget, price {DEFAULT_PRICE}": ten_priced(),
}


def main() -> None:
    """`alpha` one by one and together, beside a tree; writes results/alpha.*

    `--cells DIR` is that of `whole`, so that local rules need not be made again; `--add` measures
    only what results/alpha.csv does not have, and keeps the rest of it; `--folds` leaves held-out
    records alone.
    """
    rows = _known() if "--add" in sys.argv else []
    for table, kind, most in CASES:
        rows += _rows(rows, "by folds", table, kind, partial(folds_of, table, kind, SEED, most))
    for name in (each.name for each in TABLES):
        for kind in () if "--folds" in sys.argv else KINDS:
            rows += _rows(rows, "held out", name, kind, partial(_held_out, name, kind))
    folds = [row for row in rows if row["part"] == "by folds"]
    public = [row for row in folds if row["table"] not in SAMPLES]
    parts = {
        "By folds, ten public tables": public,
        "By folds, the pairs of the study": [row for row in folds if row not in public],
        "Held-out records, ten public tables": [row for row in rows if row["part"] == "held out"],
    }
    text = [f"# `alpha`, one by one and together\n\n{_INTRODUCTION}\n"]
    for title, part in parts.items():
        counts = Counter(row["way"] for row in part)
        complete = [way for way in WAYS if counts[way] == max(counts.values())]
        text += [f"## {title}\n", table_beside_first(part, complete), ""]
    (RESULTS / "alpha.csv").write_text(table_to_csv(rows), "utf-8", newline="")
    (RESULTS / "alpha.md").write_text("\n".join([*text, provenance()]), "utf-8")
    write_elsewhere()
    print("\n".join(text))


def _known() -> list[dict[str, Any]]:
    """The rows on file of ways that there still are."""
    found = pd.read_csv(RESULTS / "alpha.csv").to_dict("records")
    return [{str(key): row[key] for key in row} for row in found if row["way"] in WAYS]


def _held_out(table: str, kind: str) -> list[Cell]:
    return [held_out_of(table, kind, seed, MOST_RECORDS) for seed in SEEDS]


def _rows(
    known: list[dict[str, Any]], part: str, table: str, kind: str, cells: Callable[[], list[Cell]]
) -> list[dict[str, Any]]:
    """The rows of the ways that are not known yet."""
    there = {row["way"] for row in known if place_of(row) == (part, table, kind)}
    ways = {name: way for name, way in WAYS.items() if name not in there}
    if not ways:
        return []
    begun = time.monotonic()
    made = list(rows_of(table, kind, cells(), {part: ways}))
    sys.stdout.write(f"{table}, {kind}: {time.monotonic() - begun:.0f} s\n")
    sys.stdout.flush()
    return made


def place_of(row: dict[str, Any]) -> tuple[str, str, str]:
    """What a row was measured on."""
    return row["part"], row["table"], row["black box"]


_INTRODUCTION = f"""At most ten rules by rule fidelity, beside a tree of ten leaves on the same \
labels. “Another default”: the most common answer to records that no rule covers, not to all. \
“Together”: the rules of an outcome count as one, each time the rule is taken that raises its \
fidelity most, and places that an outcome leaves go to the others. “Less what does not help”: then \
conditions and rules go without which all of them agree no less with the black box. By folds: \
{FOLDS} folds inside the explained records of one split, held-out records not looked at; the \
choice was made on these. \
Held out: another split, after the choice. Better and worse count cells of table and black box; ± \
is the standard error over cells."""
