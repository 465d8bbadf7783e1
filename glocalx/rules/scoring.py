"""How good a rule is, which rule wins, and what a set of rules is worth.

Everything is measured on the *reference records*: the explained records `X_le` with the labels
that the black box gave them.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from glocalx.errors import GLocalXError
from glocalx.rules.coverage import Bits, Records, bits_of
from glocalx.rules.rule import Rule
from glocalx.rules.schema import outcome_text


@dataclass(frozen=True, slots=True)
class Score:
    """What the reference records say about one rule.

    Parameters
    ----------
    coverage
        The records that the rule covers.
    covered, agreed
        How many these are, and for how many of them the black box gives the rule's outcome.
    accuracy
        Laplace: `(agreed + 1) / (covered + number of outcomes)`. Decides who wins when rules
        disagree. The share that agrees, as if one record of each outcome were covered besides:
        `1 / number of outcomes` where nothing is covered, and the closer to the share the more
        is.
    fidelity
        Share of all records where "the rule covers it" and "the black box gives it the rule's
        outcome" agree. 1 means that the rule alone tells its outcome from the rest.
    rank
        Sort key: the lowest wins. Higher accuracy, more coverage, canonical order.
    """

    coverage: Bits = field(repr=False)
    covered: int
    agreed: int
    accuracy: float
    fidelity: float
    rank: tuple[Any, ...] = field(repr=False)

    @property
    def precision(self) -> float:
        """Share of the covered records with the rule's outcome; NaN where none is covered."""
        return self.agreed / self.covered if self.covered else math.nan


class Reference:
    """The reference records with their black-box labels, and the measures taken on them.

    Parameters
    ----------
    records
        The explained records.
    labels
        One black-box label per record, as text.
    """

    def __init__(self, records: Records, labels: Collection[object] | npt.NDArray[Any]) -> None:
        texts = np.asarray([outcome_text(label) for label in labels], dtype=object)
        if len(texts) != len(records):
            raise GLocalXError(
                f"There are {len(texts):,} labels for {len(records):,} records. "
                "Give one label per record."
            )
        if not len(texts):
            raise GLocalXError("The table has no records. Give at least one.")
        self.records = records
        self.outcomes = records.schema.outcomes
        self.labels = texts
        self.having: dict[str, Bits] = {name: bits_of(texts == name) for name in self.outcomes}
        counts = {name: bits.bit_count() for name, bits in self.having.items()}
        if sum(counts.values()) != len(texts):
            stranger = next(label for label in texts if label not in self.having)
            raise GLocalXError(
                f"The label “{stranger}” is none of the outcomes: {', '.join(self.outcomes)}. "
                "Use the labels that the rules were made for."
            )
        self.majority = max(self.outcomes, key=lambda name: counts[name])  # tie: canonical order
        self._scores: dict[Rule, Score] = {}

    @property
    def size(self) -> int:
        return self.records.size

    def taken(self, places: npt.NDArray[np.int64]) -> Reference:
        """The records at these places with their labels, some of them several times."""
        return Reference(self.records.taken(places), self.labels[places])

    def score(self, rule: Rule) -> Score:
        """What the records say about `rule`; remembered, as merging asks again and again."""
        score = self._scores.get(rule)
        if score is None:
            coverage = self.records.coverage(rule)
            right = self.having[rule.outcome]
            covered, agreed = coverage.bit_count(), (coverage & right).bit_count()
            accuracy = (agreed + 1) / (covered + len(self.outcomes))
            apart = (coverage ^ right).bit_count()
            score = self._scores[rule] = Score(
                coverage=coverage,
                covered=covered,
                agreed=agreed,
                accuracy=accuracy,
                fidelity=1 - apart / self.size,
                rank=(-accuracy, -covered, rule.sort_key),
            )
        return score

    def ranked(self, rules: Iterable[Rule]) -> list[Rule]:
        """The rules in the order in which they decide."""
        return sorted(rules, key=lambda rule: self.score(rule).rank)

    def fidelity(self, rules: Iterable[Rule], among: Bits | None = None) -> float:
        """Share of the records (of those in `among`) where the rules and the black box agree.

        The most accurate covering rule decides; no rule, the majority outcome.
        """
        size = self.size if among is None else among.bit_count()
        return self.agreement(rules, among) / size

    def agreement(self, rules: Iterable[Rule], among: Bits | None = None) -> int:
        """The number of records behind :meth:`fidelity`."""
        undecided = self.records.everything if among is None else among
        agreed = 0
        scores = [(self.score(rule), rule.outcome) for rule in rules]
        scores.sort(key=lambda scored: scored[0].rank)
        for score, outcome in scores:
            decided = score.coverage & undecided
            if decided:
                agreed += (decided & self.having[outcome]).bit_count()
                undecided ^= decided
                if not undecided:
                    return agreed
        return agreed + (undecided & self.having[self.majority]).bit_count()

    def fingerprint(self) -> str:
        """A short text that differs for other records or labels."""
        digest = hashlib.sha256(self.records.fingerprint().encode())
        digest.update("\x1f".join(self.labels).encode())
        return digest.hexdigest()[:16]

    def __getstate__(self) -> Mapping[str, Any]:
        return {**self.__dict__, "_scores": {}}


def mean_length(rules: Iterable[Rule]) -> float:
    """Mean number of premises; 0 for no rules."""
    lengths = [len(rule.premises) for rule in rules]
    return sum(lengths) / len(lengths) if lengths else 0.0


def bic(
    fidelity: float,
    length: float,
    size: int,
    *,
    fidelity_weight: float = 1.0,
    complexity_weight: float = 0.1,
) -> float:
    """Bayesian information criterion of a theory; lower is better.

    Parameters
    ----------
    fidelity
        Share of the `size` records where theory and black box agree.
    length
        Mean rule length.
    fidelity_weight, complexity_weight
        How much losing fidelity and having long rules count.

    Examples
    --------
    >>> bic(1.0, 2.0, 100) < bic(0.9, 2.0, 100)
    True
    """
    likelihood = size * math.log(max(fidelity, 1e-12))
    return complexity_weight * length * math.log(size) - 2 * fidelity_weight * likelihood
