"""CEGA (Alkhatib et al. 2024, arXiv 2405.21003) in its discriminative form, from its description.

Each record gives a transaction: its values of the features that its explanation names, and its
label. Association rules are mined from these: values that often stand together with a label. The
paper's own form is characteristic (“records of this label have these values”); rules that answer
for a record have to be read the other way round, which the paper also tries. What the description
leaves open is ours: numbers are cut by entropy as for CPAR, at most three values stand together, in
at least a hundredth of the label's explanations, with a confidence of 0.8; a rule that adds values
to another one without gaining confidence is left out, and the most accurate that applies decides.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

import numpy as np

from glocalx.baselines.base import RuleSet, Task, reference_of
from glocalx.baselines.items import item_masks, items_of, rule_of
from glocalx.baselines.local_explanations import features_named
from glocalx.rules.coverage import Bits, bits_of
from glocalx.rules.rule import Rule

SUPPORT, CONFIDENCE, LONGEST = 0.01, 0.8, 3


def fit_cega(task: Task) -> RuleSet:
    """Association rules of what explanations name and the label that goes with it.

    The explanations are the task's local rules.
    """
    reference = reference_of(task)
    named = features_named(task.local_rules, reference)
    items, rules = items_of(reference), list[Rule]()
    names = sorted({item.feature for item in items})
    explained = {name: np.array([name in each for each in named], dtype=bool) for name in names}
    rows = item_masks(items, reference)
    told = [bits_of(row & explained[item.feature]) for item, row in zip(items, rows, strict=True)]
    for outcome, having in reference.having.items():
        count = having.bit_count()
        if not count:
            continue
        least = max(2, round(SUPPORT * count))
        found = _confident(told, having, least)
        rules += (
            rule_of((items[place] for place in places), outcome, task.schema) for places in found
        )
    return RuleSet.of("CEGA", rules, reference)


def _confident(told: Sequence[Bits], having: Bits, least: int) -> list[tuple[int, ...]]:
    """The itemsets that imply the label and gain on every smaller one of them."""
    kept: dict[tuple[int, ...], float] = {}
    for places, held in _iter_frequent(told, having, least):
        confidence = (held & having).bit_count() / held.bit_count()
        smaller = max(
            (
                kept.get(part, 0.0)
                for size in range(1, len(places))
                for part in combinations(places, size)
            ),
            default=0.0,
        )
        if confidence >= CONFIDENCE and confidence > smaller:
            kept[places] = confidence
    return list(kept)


def _iter_frequent(
    told: Sequence[Bits], having: Bits, least: int
) -> Iterator[tuple[tuple[int, ...], Bits]]:
    """Apriori: itemsets that explanations of the label hold often enough, the short ones first."""
    level: Mapping[tuple[int, ...], Bits] = {
        (place,): bits for place, bits in enumerate(told) if (bits & having).bit_count() >= least
    }
    singles = [places[0] for places in level]
    for length in range(1, LONGEST + 1):
        yield from level.items()
        if length == LONGEST:
            return
        longer = {
            (*places, place): bits & told[place]
            for places, bits in level.items()
            for place in singles
            if place > places[-1]
        }
        level = {
            places: bits for places, bits in longer.items() if (bits & having).bit_count() >= least
        }
