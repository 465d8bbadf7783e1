"""A column of predictions and no model: a stand-in model is fitted, and how well it agrees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from glocalx.blackbox.base import Labels, Probabilities, Target, label_texts
from glocalx.blackbox.trained import TrainedBlackBox, train
from glocalx.rules.schema import Schema

HELD_OUT = 0.3


@dataclass(frozen=True, slots=True, eq=False)
class StandIn:
    """A random forest that imitates a model of which only the predictions are known.

    Parameters
    ----------
    model
        The forest, fitted on the records that were not held out.
    agreement
        Share of held-out records for which the forest gives the prediction in the table. 1
        means that it gave the same answer every time.
    judged
        Number of held-out records.
    """

    model: TrainedBlackBox
    agreement: float
    judged: int
    is_stand_in: ClassVar[bool] = True

    @classmethod
    def fit(
        cls,
        frame: pd.DataFrame,
        predictions: Target,
        schema: Schema,
        seed: int = 0,
        jobs: int = 1,
    ) -> StandIn:
        """Fit on 70 % of the records and judge on the rest, both with all outcomes alike."""
        labels = label_texts(predictions, "predictions")
        held = _held_out(labels, seed)
        model = train("rf", frame[~held], labels[~held], schema, seed=seed, jobs=jobs)
        agreed = model.labels(frame[held]) == labels[held]
        return cls(model, float(np.mean(agreed)) if len(agreed) else 0.0, int(held.sum()))

    @property
    def name(self) -> str:
        return "stand-in for the predictions"

    @property
    def outcomes(self) -> tuple[str, ...]:
        return self.model.outcomes

    @property
    def columns(self) -> tuple[str, ...]:
        return self.model.columns

    @property
    def sentence(self) -> str:
        """What everybody should know who reads rules of this black box."""
        return (
            "There is no model, only a column of predictions: the rules explain a random forest "
            f"that was fitted to it and agrees with {self.agreement:.1%} of {self.judged:,} "
            "predictions that it had not seen."
        )

    @property
    def notes(self) -> tuple[str, ...]:
        return (self.sentence, *self.model.notes)

    def labels(self, frame: pd.DataFrame) -> Labels:
        return self.model.labels(frame)

    def probabilities(self, frame: pd.DataFrame) -> Probabilities | None:
        return self.model.probabilities(frame)


def _held_out(labels: Labels, seed: int) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """The same share of each outcome, at least two records of each left to fit on."""
    order = np.lexsort((np.random.default_rng(seed).random(len(labels)), labels.astype(str)))
    held = np.zeros(len(labels), dtype=bool)
    for outcome in np.unique(labels.astype(str)):
        rows = order[labels[order] == outcome]
        held[rows[: min(round(HELD_OUT * len(rows)), max(len(rows) - 2, 0))]] = True
    return held
