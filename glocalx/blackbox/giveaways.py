"""Columns that are too good: each alone tells the black box's answer almost always.

A score beside the predictions that were made from it, a copy of the target, a code that was given
after the decision: rules then say nothing but that column. It is told before any work is done, so
that a person can leave it out, or knows that the model itself looks at nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from glocalx.rules.schema import Schema
from glocalx.words.figures import percent
from glocalx.words.phrases import shown

ALMOST_ALWAYS = 0.98
"""A column that tells the answer of at least this share of records alone is named."""
OF_GUESSING = 0.25
"""It must also leave at most this part of the errors of always giving one answer."""
FEW_RECORDS, MOST_RECORDS = 30, 5_000
_FOLDS = 5
_LEAVES_PER_OUTCOME = 4


@dataclass(frozen=True, slots=True)
class Giveaway:
    """A column that alone tells the answer.

    Parameters
    ----------
    share
        Of records that it was not learned from, for how many it alone tells the answer.
    guess
        For how many always giving the most frequent answer would be right.
    """

    feature: str
    share: float
    guess: float

    @property
    def sentence(self) -> str:
        """What was found and what it means, as plain text."""
        return (
            f"{shown(self.feature)} alone tells the black box’s answer for "
            f"{percent(self.share, 1)} of the records (always giving the most common answer is "
            f"right for {percent(self.guess, 1)}), so rules would say little else. Is it a copy or "
            "a score of the answer, or known only after the decision? Then leave it out."
        )


def find_giveaways(
    frame: pd.DataFrame, labels: npt.NDArray[Any], schema: Schema
) -> tuple[Giveaway, ...]:
    """The columns that alone tell the labels almost always, the best first.

    Each is judged by cross-validation: numbers by a tree of a few leaves, categories by the most
    frequent answer of each. Large tables are sampled.
    """
    if len(schema.features) < 2 or len(frame) < FEW_RECORDS:
        return ()  # there is nothing else to look at, or too little to tell it from chance
    rng = np.random.default_rng(0)
    places = rng.permutation(len(frame))[:MOST_RECORDS]
    answers, codes = np.unique(np.asarray(labels)[places].astype(str), return_inverse=True)
    if len(answers) < 2 or len(places) < 2 * _FOLDS:
        return ()
    guess = float(np.bincount(codes).max() / len(codes))
    bar = max(ALMOST_ALWAYS, 1 - OF_GUESSING * (1 - guess))
    found = []
    for feature in schema.features:
        column = frame[feature.name].iloc[places]
        if feature.is_categorical:
            told = _told_by_categories(column, codes)
        else:
            told = _told_by_numbers(column, codes, len(answers))
        if told >= bar:
            found.append(Giveaway(feature.name, told, guess))
    return tuple(sorted(found, key=lambda each: (-each.share, each.feature)))


def _told_by_categories(column: pd.Series[Any], answers: npt.NDArray[np.intp]) -> float:
    values, _ = pd.factorize(column, use_na_sentinel=False)
    right = 0
    for fold in range(_FOLDS):
        held = np.arange(len(answers)) % _FOLDS == fold
        counts = np.zeros((values.max() + 1, answers.max() + 1), dtype=np.intp)
        np.add.at(counts, (values[~held], answers[~held]), 1)
        counts[counts.sum(axis=1) == 0] = counts.sum(axis=0)  # one that was not seen: guess
        right += int(np.count_nonzero(counts.argmax(axis=1)[values[held]] == answers[held]))
    return right / len(answers)


def _told_by_numbers(column: pd.Series[Any], answers: npt.NDArray[np.intp], outcomes: int) -> float:
    from sklearn.model_selection import KFold, cross_val_score
    from sklearn.tree import DecisionTreeClassifier

    numbers = pd.to_numeric(column, errors="coerce").to_numpy(dtype=float, na_value=np.nan)
    numbers = np.clip(numbers, -1e38, 1e38)[:, None]  # a tree counts in single precision
    if np.isnan(numbers).all():
        return 0.0
    tree = DecisionTreeClassifier(max_leaf_nodes=_LEAVES_PER_OUTCOME * outcomes, random_state=0)
    return float(cross_val_score(tree, numbers, answers, cv=KFold(_FOLDS)).mean())
