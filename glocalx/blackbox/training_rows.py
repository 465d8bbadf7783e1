"""Which records a model is trained on, and how they are dealt into folds."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
import pandas as pd

from glocalx.blackbox.base import Target, checked_outcomes, label_texts
from glocalx.blackbox.columns import require_columns
from glocalx.errors import GLocalXError
from glocalx.rules.schema import Schema

Codes = npt.NDArray[np.intp]
FOLDS = 3


def outcome_codes(
    frame: pd.DataFrame, target: Target, schema: Schema
) -> tuple[tuple[str, ...], Codes]:
    """The outcomes in the target, and for each record the place of its own."""
    require_columns(frame, schema.names, "to be trained")
    labels = label_texts(target, "the target")
    if len(labels) != len(frame):
        raise GLocalXError(
            f"There are {len(frame):,} records and {len(labels):,} labels. Give one label each."
        )
    if len(set(labels)) < 2:
        raise GLocalXError(
            f"All {len(frame):,} records have the same label, so there is nothing to learn. "
            "Choose a target with at least two values."
        )
    outcomes = checked_outcomes(labels, "to be trained")
    codes = np.searchsorted(np.array(outcomes, dtype=object), labels)
    counts = np.bincount(codes)
    if (counts >= 2).sum() < 2:
        rare = outcomes[int(counts.argmin())]
        raise GLocalXError(
            f"Only 1 of {len(frame):,} records has the outcome “{rare}”, too few to train on. "
            "Give at least two records of two outcomes."
        )
    return outcomes, codes


def sampled_rows(codes: Codes, most: int, seed: int) -> Codes:
    """About `most` rows, in proportion to the outcomes, at least two of each; in their order."""
    share = min(most / max(len(codes), 1), 1.0)
    shuffled = np.random.default_rng(seed).permutation(len(codes))
    taken = [
        rows[: max(2, math.ceil(share * len(rows)))]
        for rows in (shuffled[codes[shuffled] == code] for code in np.unique(codes))
    ]
    return np.sort(np.concatenate(taken))


def assigned_folds(codes: Codes, seed: int) -> Codes:
    """For each record its fold; the records of an outcome are spread evenly.

    Examples
    --------
    >>> folds = assigned_folds(np.array([0, 0, 0, 1, 1, 1]), seed=0)
    >>> sorted(folds[:3].tolist()), sorted(folds[3:].tolist())
    ([0, 1, 2], [0, 1, 2])
    """
    by_outcome = np.lexsort((np.random.default_rng(seed).random(len(codes)), codes))
    folds = np.empty(len(codes), dtype=np.intp)
    folds[by_outcome] = np.arange(len(codes)) % FOLDS
    return folds
