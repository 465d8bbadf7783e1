"""Ten rules beside those of other methods that had every label that ours had.

Ten public tables, three kinds of model, held-out records of the split that `unseen` has. Every
method learns from all records that the black box has labelled; those with more rules are cut to the
ten that our own choice takes. Then their ranks over the tables: which are told apart?
"""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd

from benchmarks.cells import cell_of, road_of
from benchmarks.elsewhere import write_elsewhere
from benchmarks.provenance import provenance
from benchmarks.unseen import KINDS, MOST_RECORDS, SEEDS
from benchmarks.unseen_tables import TABLES
from benchmarks.ways import BUDGET, Ways, alpha_together, ten_priced
from glocalx.baselines import Task, fit_baseline
from glocalx.baselines.cpar import Cpar
from glocalx.evaluation.measures import RuleClassifier
from glocalx.export import markdown_table, table_to_csv
from glocalx.pipeline.theories import labelled_records
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.rule import Rule
from glocalx.selection import select_budget
from study.ranks import RankTest, friedman

RESULTS = Path(__file__).parent / "results"
OURS = "GLocalX, ten rules"
WHOLE = ("small-tree", "trepan")  # keep to the number by themselves
CUT = ("pruned-tree", "cpar", "cpar-rows", "union", "cega", "cfire")
TITLES = {
    "small-tree": "tree of ten leaves",
    "trepan": "Trepan, ten leaves",
    "pruned-tree": "tree of depth 4",
    "cpar": "CPAR",
    "cpar-rows": "CPAR as in LUCS-KDD",
    "union": "local rules, not merged",
    "cega": "CEGA",
    "cfire": "CFIRE",
}


def main() -> None:
    """other methods with the same labels, and their ranks; writes results/rivals.*"""
    rows: list[dict[str, Any]] = []
    for table in TABLES:
        for kind in KINDS:
            begun = time.monotonic()
            rows += _rows(table.name, kind)
            sys.stdout.write(f"{table.name}, {kind}: {time.monotonic() - begun:.0f} s\n")
            sys.stdout.flush()
    text = "\n".join(["# Other methods with the same labels\n", _INTRODUCTION, "", *_tables(rows)])
    (RESULTS / "rivals.csv").write_text(table_to_csv(rows), "utf-8", newline="")
    (RESULTS / "rivals.md").write_text(text, "utf-8")
    write_elsewhere()
    print(text)


def _rows(table: str, kind: str) -> Iterator[dict[str, Any]]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # nets that have not converged
        road = road_of(table, kind, SEEDS[0], MOST_RECORDS)
        cell = cell_of(road)
    ways, judge = Ways(cell), cell.judge
    frame, labels = labelled_records(road.labelled)
    task = Task(
        frame,
        labels,
        road.labelled.schema,
        seed=SEEDS[0],
        most_rules=BUDGET,
        local_rules=cell.rules,
        black_box=road.black_box,
    )
    found: dict[str, tuple[RuleClassifier, int]] = {}
    alpha = alpha_together(helping=True)
    for title, way in ((OURS, ten_priced()), ("GLocalX, alpha 10", alpha)):
        rules, known = way(ways)
        theory = rules if isinstance(rules, RankedTheory) else RankedTheory.of(rules, known)
        found[title] = theory, theory.size
    for key in (*WHOLE, *CUT):
        fitted = fit_baseline(key, task)
        found[TITLES[key]] = fitted, fitted.size
        if key in CUT and fitted.rules:
            few: tuple[Rule, ...] = select_budget(fitted.rules, cell.labelled, BUDGET).rules
            cut = fitted.only(few) if isinstance(fitted, Cpar) else None
            found[f"{TITLES[key]}: ten chosen"] = (
                cut or RankedTheory.of(few, cell.labelled),
                len(few),
            )
    for method, (theory_or_rival, size) in found.items():
        agreed = theory_or_rival.predict(judge.records) == judge.labels
        yield {
            "table": table,
            "black box": kind,
            "method": method,
            "fidelity": round(float(agreed.mean()), 4),
            "rules": size,
            "conditions": sum(map(len, theory_or_rival.rules)),
        }


def _tables(rows: list[dict[str, Any]]) -> Iterator[str]:
    every = pd.DataFrame(rows)
    by_table = every.pivot_table(index="table", columns="method", values="fidelity", sort=False)
    small = [name for name in by_table if name in _small()]
    test = friedman({name: by_table[name].tolist() for name in small})
    yield f"## At most ten rules\n\n{ranks_said(test, OURS)}\n"
    yield _table(every, list(test.ranks), test)
    rest = [name for name in dict.fromkeys(every["method"]) if name not in small]
    yield "\n## As many rules as they like\n"
    yield _table(every, rest, None)
    yield provenance()


def _small() -> set[str]:
    """The methods that are held to ten rules."""
    return {
        OURS,
        "GLocalX, alpha 10",
        *(TITLES[key] for key in WHOLE),
        *(f"{TITLES[key]}: ten chosen" for key in CUT),
    }


def _table(every: pd.DataFrame, methods: list[str], test: RankTest | None) -> str:
    cells = every.set_index(["table", "black box"])
    ours = cells[cells["method"] == OURS]["fidelity"]
    head = ["method", "fidelity", "rules", "conditions", "ours higher in", "lower in"]
    body = []
    for method in methods:
        group = cells[cells["method"] == method]
        row: list[object] = [
            method,
            f"{group['fidelity'].mean():.3f}",
            f"{group['rules'].mean():.1f}",
            f"{group['conditions'].mean():.0f}",
            int((ours > group["fidelity"]).sum()),
            int((ours < group["fidelity"]).sum()),
        ]
        body.append([*row, f"{test.ranks[method]:.2f}"] if test else row)
    return markdown_table([*head, "mean rank"] if test else head, body)


def ranks_said(test: RankTest, ours: str) -> str:
    """What the ranks tell apart, in a sentence."""
    pairs = [pair for pair in test.pairs() if ours in (pair.better, pair.worse)]
    behind = [pair.worse for pair in pairs if pair.better == ours and pair.differ]
    ahead = [pair.better for pair in pairs if pair.worse == ours and pair.differ]
    said = (
        f"Friedman's chi² {test.statistic:.1f}, p {test.p:.2g}, over {test.tables} tables (means "
        f"over models). Mean ranks at least {test.critical_difference:.2f} apart differ at the "
        "level 0.05 (Nemenyi)."
    )
    told = f" Behind “{ours}” by that much: {', '.join(behind) or 'none'}."
    return said + told + (f" Ahead of it: {', '.join(ahead)}." if ahead else "")


_INTRODUCTION = f"""Held-out fidelity on ten public tables (at most {MOST_RECORDS:,} records, 45 % \
to train, 30 % explained, 25 % held out), black boxes {", ".join(KINDS)}, seed {SEEDS[0]}. Every \
method learned from all records that the black box has labelled, explained ones and those it was \
trained on, as ours did; Trepan asks it further questions. “Ten chosen”: a method's rules, cut to \
ten by our own choice. CEGA and CFIRE are written from their descriptions, with our local rules as \
the explanations that they combine, so they say little about the authors' own programs."""
