"""How the answers of a black box compare with the true labels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from glocalx.blackbox.base import Target, label_texts
from glocalx.rules.codes import Coded


@dataclass(frozen=True, slots=True, eq=False)
class Confusion:
    """How often each true label (row) got each answer (column), in the order of `outcomes`."""

    outcomes: tuple[str, ...]
    counts: npt.NDArray[np.int64]

    @property
    def records(self) -> int:
        return int(self.counts.sum())

    @property
    def accuracy(self) -> float:
        """Share of records with the right answer; 0 where there are no records."""
        return float(np.trace(self.counts)) / self.records if self.records else 0.0

    @property
    def majority_share(self) -> float:
        """What always giving the most frequent label would reach: the bar for `accuracy`."""
        return float(self.counts.sum(axis=1).max()) / self.records if self.records else 0.0

    def found(self, outcome: str) -> float:
        """Share of the records with this true label that the black box finds (recall)."""
        row = self.counts[self.outcomes.index(outcome)]
        return float(row[self.outcomes.index(outcome)]) / max(int(row.sum()), 1)


def count_confusion(true: Target, answers: Target) -> Confusion:
    """Count each pair of true label and answer.

    Examples
    --------
    >>> count_confusion(["no", "no", "yes"], ["no", "yes", "yes"]).counts.tolist()
    [[1, 1], [0, 1]]
    """
    truths, given = label_texts(true, "the target"), label_texts(answers, "the black box")
    outcomes = tuple(sorted({*truths, *given}))
    counts = np.zeros((len(outcomes), len(outcomes)), dtype=np.int64)
    np.add.at(counts, tuple(Coded.of(labels).among(outcomes) for labels in (truths, given)), 1)
    return Confusion(outcomes, counts)
