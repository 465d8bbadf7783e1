"""Does a budget choose better when it may also take wider rules: each without one premise?

As in `defaults`, inside the explained records alone: rules of a share of the records of all folds
but one are merged and chosen on these folds, and judged on the fold that is left.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
from joblib import Parallel, delayed

from benchmarks.defaults import (
    CASES,
    FOLDS,
    MERGED,
    REFINED,
    RESULTS,
    case_of,
    iter_folds,
    rules_of,
)
from benchmarks.provenance import provenance
from glocalx.export import markdown_table
from glocalx.merging.iterate import merged
from glocalx.rules.classifier import RankedTheory
from glocalx.selection import select_budget, with_wider

SHARES = (5, 10, 20, 40)  # of the local rules, in percent; and all of them once
DRAWS = 3  # of each share, in each fold
SEED = 0
BORDERS = (0, 25, 50, 100, 200, 400, 800)  # numbers of rules in the hierarchy
BUDGET = 10


def main() -> None:
    """wider rules as candidates of a budget; writes results/candidates.md"""
    parallel = Parallel(n_jobs=-1, batch_size=1, return_as="generator")
    rows: list[dict[str, Any]] = []
    for case, found in zip(
        CASES, parallel(delayed(_of_case)(*case) for case in CASES), strict=True
    ):
        rows += found
        print("done:", *case, flush=True)
    summary = list(_summary(pd.DataFrame(rows)))
    table = markdown_table(list(summary[0]), [list(row.values()) for row in summary])
    text = "\n".join(["# Wider rules for a budget\n", _INTRODUCTION, "", table, provenance()])
    (RESULTS / "candidates.md").write_text(text, "utf-8")
    print(text)


def _of_case(sample: str, kind: str) -> list[dict[str, Any]]:
    case, rules = case_of(sample, kind, SEED), rules_of(sample, kind, SEED, REFINED)
    generator = np.random.default_rng((SEED, 7))
    rows = []
    for inside, reference, held_out in iter_folds(case, SEED):
        for share in (*SHARES * DRAWS, 100):
            count = max(4, round(share / 100 * len(inside)))
            drawn = generator.choice(inside, count, replace=False)
            every = merged([rules[i] for i in drawn], reference, MERGED).every_rule()
            theories = (
                RankedTheory.of(select_budget(candidates, reference, BUDGET), reference)
                for candidates in (every, with_wider(every))
            )
            plain, wider = ((each.fidelity(held_out), each.length) for each in theories)
            rows.append(
                {
                    "rules": every.size,
                    "points": 100 * (wider[0] - plain[0]),
                    "length": plain[1],
                    "wider length": wider[1],
                }
            )
    return rows


def _summary(every: pd.DataFrame) -> list[dict[str, object]]:
    found = []
    for low, high in pairwise(BORDERS):
        group = every[(every["rules"] >= low) & (every["rules"] < high)]
        if len(group) < 2:
            continue
        points = group["points"]
        error = points.std(ddof=1) / len(points) ** 0.5
        found.append(
            {
                "rules in the hierarchy": f"{low:,} to {high - 1:,}",
                "theories": len(group),
                "points gained": f"{points.mean():+.2f} ± {error:.2f}".replace("-", "−"),
                "length": f"{group['length'].mean():.2f}",
                "length with wider rules": f"{group['wider length'].mean():.2f}",
            }
        )
    return found


_INTRODUCTION = f"""Fidelity of a budget of {BUDGET} on explained records that had no part in \
choosing, when it may also take each rule of the hierarchy without one of its premises, against \
the rules of the hierarchy alone. {", ".join(map(str, SHARES))} % of the local rules, and all, of \
{len(CASES)} pairs of table and black box, each share drawn {DRAWS} times in each of {FOLDS} \
folds; ± is the standard error over theories. The test records of the splits were not used."""
