"""How long merging takes beside one product of the coverage matrix with itself."""

from __future__ import annotations

import resource
import time
from collections.abc import Sequence

import numpy as np
from threadpoolctl import threadpool_limits

from benchmarks.workload import Workload, workload
from glocalx.merging.hierarchy import Hierarchy
from glocalx.merging.iterate import iter_merges
from glocalx.merging.search import BY_THE_WHOLE, MergeSettings
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.coverage import mask_of
from glocalx.rules.rule import Rule
from glocalx.rules.scoring import Reference
from glocalx.selection import select

SIZES = (100, 200, 400, 800, 1_500)
PUBLISHED_SECONDS = {100: 15.6, 200: 60.9, 400: 190.7}  # another machine of the same kind
SHARDS = (1, 8, 16)
IN_TURN = 5


def main() -> None:
    """merging, in one run with the coverage product, on one core"""
    with threadpool_limits(1):
        _growth(workload("compas"))
        for sample in ("compas", "adult"):
            _against_product(sample, workload(sample))


def _merged(work: Workload, rules: int | None = None, **settings: int) -> tuple[Hierarchy, float]:
    return _timed(work.rules[:rules], work.reference, MergeSettings(**settings))


def _timed(
    rules: Sequence[Rule], reference: Reference, settings: MergeSettings
) -> tuple[Hierarchy, float]:
    """The hierarchy, and how long the processor was at it."""
    hierarchy = Hierarchy.start(rules, reference, settings)
    begun = time.process_time()
    for _ in iter_merges(hierarchy, reference):
        pass
    return hierarchy, time.process_time() - begun


def _against_pairs(sample: str, work: Workload) -> None:
    """By the whole on all labelled records, beside pair by pair on the explained ones.

    In turn, several times, and the quickest of each: a busy machine makes any of them longer.
    """
    pairs, whole = [], []
    for _ in range(IN_TURN):
        pairs.append(_merged(work)[1])
        fresh = work.labelled.taken(np.arange(work.labelled.size))  # remembers nothing
        hierarchy, seconds = _timed(work.rules, fresh, BY_THE_WHOLE)
        whole.append(seconds)
    print(
        f"{sample}, by the whole: {min(whole):.2f} s on {work.labelled.size:,} labelled records, "
        f"{min(whole) / min(pairs):.2f} × pair by pair on {len(work.explain):,} explained ones "
        f"({min(pairs):.2f} s); {hierarchy.accepted:,} accepted, {hierarchy.rejected:,} rejected"
    )


def _growth(work: Workload) -> None:
    print("\nCOMPAS, growing number of local rules")
    print(f"{'rules':>7} {'distinct':>9} {'seconds':>8} {'published code':>15}")
    for size in SIZES:
        hierarchy, seconds = _merged(work, size)
        published = PUBLISHED_SECONDS.get(size)
        beside = f"{published:.1f} s, {published / seconds:,.0f} ×" if published else "–"
        print(f"{size:7,} {len(hierarchy.local_rules):9,} {seconds:8.2f} {beside:>15}")


def _product_seconds(work: Workload) -> tuple[float, float, int]:
    """One float32 product of the coverage matrix of the distinct rules, and its symmetric half."""
    reference = work.reference
    distinct = set(work.rules)
    masks = [mask_of(reference.score(rule).coverage, reference.size) for rule in distinct]
    matrix = np.stack(masks).astype(np.float32)
    copy = matrix.copy()  # with another array numpy cannot use the symmetry
    begun = time.perf_counter()
    matrix @ copy.T
    whole = time.perf_counter() - begun
    begun = time.perf_counter()
    matrix @ matrix.T
    return whole, time.perf_counter() - begun, len(distinct)


def _against_product(sample: str, work: Workload) -> None:
    product, symmetric, distinct = _product_seconds(work)
    print(
        f"\n{sample}: {len(work.rules):,} local rules, {distinct:,} distinct × "
        f"{len(work.explain):,} records; coverage product {product:.2f} s "
        f"(its symmetric half {symmetric:.2f} s)"
    )
    held_out = work.held_out
    print(
        f"{'shards':>7} {'seconds':>8} {'× product':>10} {'accepted':>9} {'rejected':>9} "
        f"{'left':>6} {'held out: left':>15} {'budget 10':>10}"
    )
    for shards in SHARDS:
        hierarchy, seconds = _merged(work, shards=shards)
        reference = work.reference
        left = RankedTheory.of(hierarchy.rules(), reference)
        chosen = RankedTheory.of(select(hierarchy, reference, budget=10), reference)
        print(
            f"{shards:7} {seconds:8.2f} {seconds / product:10.2f} {hierarchy.accepted:9,} "
            f"{hierarchy.rejected:9,} {left.size:6,} {left.fidelity(held_out):15.4f} "
            f"{chosen.fidelity(held_out):10.4f}"
        )
    _against_pairs(sample, work)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory so far, the product's matrices included: {peak:,.0f} MB")
