"""A theory of 20 rules on a table of a million records."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable
from typing import TypeVar

import numpy as np

from benchmarks.workload import workload
from glocalx.merging.hierarchy import Hierarchy
from glocalx.merging.iterate import iter_merges
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.coverage import Records
from glocalx.rules.scoring import Reference
from glocalx.selection import select, select_budget

RECORDS = 1_000_000
T = TypeVar("T")


def main() -> None:
    """coverage, prediction and selection of a 20-rule theory on a million records"""
    work = workload("compas")
    hierarchy = Hierarchy.start(work.rules, work.reference)
    for _ in iter_merges(hierarchy, work.reference):
        pass
    theory = RankedTheory.of(select(hierarchy, work.reference, budget=20), work.reference)
    rows = np.random.default_rng(0).integers(0, len(work.explain), RECORDS)
    frame, labels = work.explain.iloc[rows].reset_index(drop=True), work.labels[rows]
    before = _peak()
    records = _timed("read into records", lambda: Records(work.schema, frame))
    _timed("coverage of every rule", lambda: [records.coverage(rule) for rule in theory.rules])
    _timed("prediction", lambda: theory.predict(records))
    reference = _timed("labels and scores", lambda: Reference(records, labels))
    _timed("selection of 10 rules", lambda: select_budget(theory.rules, reference, 10))
    megabytes = frame.memory_usage(deep=True).sum() / 2**20
    print(f"{theory.size} rules; {_peak() - before:,.0f} MB on top of a frame of {megabytes:,.0f}")


def _timed(what: str, work: Callable[[], T]) -> T:
    begun = time.perf_counter()
    result = work()
    print(f"{what:>24}: {time.perf_counter() - begun:6.2f} s")
    return result


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
