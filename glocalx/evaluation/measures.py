"""How good a theory is on held-out records, and how sure that is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from glocalx.baselines.base import Labels
from glocalx.errors import GLocalXError
from glocalx.evaluation.bootstrap import RESAMPLES, Bounds, share_intervals
from glocalx.rules.coverage import Records
from glocalx.rules.rule import Rule
from glocalx.rules.schema import outcome_text
from glocalx.rules.scoring import Reference
from glocalx.words.phrases import counted


class RuleClassifier(Protocol):
    """Rules that answer for records: a theory of GLocalX, or a baseline."""

    @property
    def rules(self) -> tuple[Rule, ...]: ...

    def predict(self, records: Records) -> npt.NDArray[np.object_]: ...


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What held-out records say about a theory.

    Parameters
    ----------
    fidelity
        Share of them where theory and black box agree. 1: the theory can stand for the black box;
        the share of the most common black-box label is what no rules at all would reach.
    accuracy
        Share where theory and true label agree; None where the truth is not known.
    length, length_deviation
        Mean number of premises of a rule, and their (population) standard deviation. 0 premises:
        the rule covers everything.
    coverage
        Share of the records that at least one rule covers. What is said of the others rests on
        no rule.
    seconds
        How long it took to make the theory, where that was measured.
    fidelity_interval, accuracy_interval, delta_interval
        Percentile bootstrap intervals: had other records of the same kind been held out, the
        share would likely lie in here. A share of 0 or 1 has no width, however few the records.
    """

    records: int
    fidelity: float
    accuracy: float | None
    size: int
    length: float
    length_deviation: float
    coverage: float
    seconds: float | None
    fidelity_interval: Bounds
    accuracy_interval: Bounds | None
    delta_interval: Bounds | None

    @property
    def delta_accuracy(self) -> float | None:
        """Δacc, fidelity minus accuracy; None where the truth is not known.

        0: the theory agrees with the black box as often as with the truth. Above 0: it is more
        like the black box than it is right, mistakes of the black box included.
        """
        return None if self.accuracy is None else self.fidelity - self.accuracy

    @property
    def default_share(self) -> float:
        """Share of the records that no rule covers and the most common outcome decides.

        0: every answer has a rule behind it.
        """
        return 1 - self.coverage


def evaluate(
    theory: RuleClassifier,
    held_out: Reference,
    truth: Labels | None = None,
    *,
    seconds: float | None = None,
    resamples: int = RESAMPLES,
) -> Evaluation:
    """Measure a theory on records that were not used to make it.

    Parameters
    ----------
    theory
        Anything with `rules` and `predict`.
    held_out
        Records with their black-box labels.
    truth
        The true label of each record, where known.
    seconds
        How long the theory took, to be kept with the rest.
    resamples
        Of the bootstrap intervals.
    """
    predicted = theory.predict(held_out.records)
    faithful = np.asarray(predicted == held_out.labels, dtype=bool)
    right = None if truth is None else np.asarray(predicted == _texts(truth, held_out.size))
    lengths = np.array([len(rule) for rule in theory.rules], dtype=float)
    intervals = share_intervals(faithful, right, resamples=resamples)
    covered = held_out.records.union(theory.rules).bit_count()
    return Evaluation(
        records=held_out.size,
        fidelity=float(faithful.mean()),
        accuracy=None if right is None else float(right.mean()),
        size=len(lengths),
        length=float(lengths.mean()) if lengths.size else 0.0,
        length_deviation=float(lengths.std()) if lengths.size else 0.0,
        coverage=covered / held_out.size,
        seconds=seconds,
        fidelity_interval=intervals.first,
        accuracy_interval=intervals.second,
        delta_interval=intervals.difference,
    )


def _texts(labels: Labels, size: int) -> npt.NDArray[np.object_]:
    texts = np.array([outcome_text(label) for label in labels], dtype=object)
    if len(texts) != size:
        raise GLocalXError(
            f"There are {counted(len(texts), 'true label')} for {counted(size, 'record')}. "
            "Give one for each record."
        )
    return texts
