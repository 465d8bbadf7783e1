"""How much the rule of a record depends on chance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from glocalx.blackbox.base import BlackBox
from glocalx.errors import GLocalXError
from glocalx.extraction.iterate import local_rules
from glocalx.extraction.local_rule import LocalRule
from glocalx.extraction.settings import ExtractionSettings
from glocalx.rules.coverage import Records, similarity
from glocalx.rules.rule import Rule
from glocalx.rules.schema import Schema


@dataclass(frozen=True, slots=True)
class Steadiness:
    """The rules of one record over several seeds.

    Parameters
    ----------
    similarity
        Mean Jaccard similarity of what they cover, over pairs of seeds.
    rules
        The different ones, and for how many of the seeds each came out, the most frequent first.
    """

    similarity: float
    rules: tuple[tuple[Rule, int], ...]

    @classmethod
    def of(cls, rules: Sequence[LocalRule], table: Records) -> Steadiness:
        """Of the rules of one record, one for each seed."""
        counts = Counter(local.rule for local in rules)
        return cls(agreement(rules, table), tuple(counts.most_common()))


def rules_over_seeds(
    frame: pd.DataFrame,
    black_box: BlackBox,
    schema: Schema,
    *,
    settings: ExtractionSettings | None = None,
    seeds: Sequence[int] = (0, 1, 2),
    **options: Any,
) -> list[list[LocalRule]]:
    """For each of at least two seeds the rules of the records, without counterfactuals.

    `frame`, `black_box`, `schema`, `settings`, `options`: see
    :func:`glocalx.extraction.iterate.iter_local_rules`.
    """
    if len(set(seeds)) < 2:
        raise GLocalXError("Stability compares rules of several seeds. Give at least two seeds.")
    quiet = replace(settings or ExtractionSettings(), counterfactuals=0)
    return [
        local_rules(frame, black_box, schema, settings=quiet, seed=seed, **options)
        for seed in seeds
    ]


def agreement(rules: Sequence[LocalRule], table: Records) -> float:
    """Mean Jaccard similarity of what the rules of one record cover, over pairs of rules.

    1 means that all cover the same records, 0 that they share no record but the explained one,
    which is left out.
    """
    covered = [(local.rule, table.coverage(local.rule) & ~(1 << local.record)) for local in rules]
    pairs = combinations(covered, 2)
    return float(np.mean([1.0 if a == b else similarity(x, y) for (a, x), (b, y) in pairs]))
