"""Grouping local rules into shards of similar coverage.

More rules than one search should hold are sorted by a MinHash sketch of what they cover and cut
into groups of equal size. Rules that cover much the same records have equal sketches with a
probability that is their Jaccard similarity, so they tend to stand next to each other.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from glocalx.rules.coverage import mask_of
from glocalx.rules.rule import Rule
from glocalx.rules.scoring import Reference

# Adult, 5,011 rules: 16 shards take two thirds of the time of one search and choose equally good
# theories (python -m benchmarks merge). So up to twice as many rules are merged the paper's way.
RULES_PER_SHARD = 5_000
SKETCH = 8  # permutations of the records; each splits ties of the ones before


def shard_rules(
    rules: Sequence[Rule], reference: Reference, shards: int | None, seed: int
) -> list[tuple[int, ...]]:
    """The places of the rules in each shard, ascending.

    Parameters
    ----------
    rules
        Distinct rules in canonical order, so that their order as given does not matter.
    reference
        The records that similarity is measured on.
    shards
        How many groups; never more than there are rules. None: one for each `RULES_PER_SHARD`.
    seed
        Of the sketch.
    """
    if shards is None:
        shards = max(1, len(rules) // RULES_PER_SHARD)
    if shards == 1:
        return [tuple(range(len(rules)))]
    order = np.lexsort(_sketches(rules, reference, seed)[::-1])
    groups = np.array_split(order, min(shards, len(rules)))
    return [tuple(sorted(group.tolist())) for group in groups]


def _sketches(
    rules: Sequence[Rule], reference: Reference, seed: int
) -> list[npt.NDArray[np.int64]]:
    """For each permutation of the records the place of the first one that each rule covers."""
    size = reference.size
    masks = np.stack([mask_of(reference.score(rule).coverage, size) for rule in rules])
    rng = np.random.default_rng((seed, len(rules)))
    return [_firsts(masks, rng.permutation(size)) for _ in range(SKETCH)]


def _firsts(
    masks: npt.NDArray[np.bool_], permutation: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]:
    """Where in the permutation each row of the masks is true first; its length if nowhere."""
    size = len(permutation)
    firsts = np.full(len(masks), size)
    start, width = 0, 32
    while start < size:
        open_rows = np.flatnonzero(firsts == size)
        part = masks[np.ix_(open_rows, permutation[start : start + width])]
        hit = part.any(axis=1)
        firsts[open_rows[hit]] = start + part[hit].argmax(axis=1)
        start, width = start + width, width * 4
    return firsts
