"""CPAR (Yin and Han 2003): rules grown item by item, the best few of each outcome vote.

For each outcome its records, the positives, weigh 1 each at first. While they together weigh
more than `LEAST_WEIGHT` of that, rules are grown from nothing: the item with the best FOIL gain is
added, and every other item that gains nearly as much starts a rule of its own. A finished rule
makes the positives that it covers weigh less, so the next rules look elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from glocalx.baselines.base import RuleSet, Task, reference_of
from glocalx.baselines.items import item_masks, items_of, rule_of
from glocalx.blackbox.threads import one_thread
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.coverage import BoolArray, Records, mask_of
from glocalx.rules.rule import Rule
from glocalx.rules.scoring import Reference
from glocalx.words.phrases import counted

Weighting: TypeAlias = Literal["weights", "rows"]
NAMES: Mapping[Weighting, str] = {"weights": "CPAR", "rows": "CPAR as in LUCS-KDD"}
VOTING_RULES = 5
"""How many of the best covering rules speak for each outcome."""
LEAST_WEIGHT = 0.05
"""An outcome is done when its positives weigh no more than this share of the start."""
LEAST_GAIN = 0.7
"""An item must gain more than this."""
NEARLY = 0.99
"""Items that gain more than this share of the best are followed too."""
DECAY = 0.3
"""What the weight of a positive is multiplied by for each rule that covers it."""


@dataclass(frozen=True, slots=True)
class Cpar(RuleSet):
    """Rules of which the best few for each outcome decide together.

    Parameters
    ----------
    name
        Which weighting the rules were grown with.
    theory
        The rules with their Laplace accuracy on the training records, and the default.
    """

    def predict(self, records: Records) -> npt.NDArray[np.object_]:
        """The outcome with the highest mean accuracy of its best covering rules.

        Where no rule covers a record, and where outcomes are level, the most common outcome of
        the training records is preferred, then the first in canonical order.
        """
        default = self.theory.default
        outcomes = (default, *(each for each in self.theory.schema.outcomes if each != default))
        means = np.stack([self._means(outcome, records) for outcome in outcomes])
        winners: npt.NDArray[np.object_] = np.array(outcomes, dtype=object)[means.argmax(axis=0)]
        return winners

    def _means(self, outcome: str, records: Records) -> npt.NDArray[np.float64]:
        """For each record the mean accuracy of the best rules for `outcome`; 0 where none."""
        total, voted = np.zeros(records.size), np.zeros(records.size)
        for ranked in self.theory.ranked:
            if ranked.rule.outcome == outcome:
                votes = mask_of(records.coverage(ranked.rule), records.size) & (
                    voted < VOTING_RULES
                )
                total += votes * ranked.accuracy
                voted += votes
        return np.round(total / np.maximum(voted, 1), 12)  # level means are equal, however added

    def only(self, rules: Iterable[Rule]) -> Cpar:
        """The same classifier with these of its rules alone, such as its ten best."""
        kept = set(rules)
        ranked = tuple(each for each in self.theory.ranked if each.rule in kept)
        theory = RankedTheory(self.theory.schema, ranked, self.theory.default)
        return Cpar(f"{self.name}, {counted(len(ranked), 'rule')}", theory)


def fit_cpar(task: Task, *, weighting: Weighting = "weights") -> Cpar:
    """Grow the rules of CPAR; nothing in it is random.

    Parameters
    ----------
    weighting
        What the gain of an item is held against: `weights`, the weight of the positives that the
        rule covers so far, as the authors have it; `rows`, their number, as the LUCS-KDD program
        has it, which stops earlier and gives fewer rules.
    """
    reference = reference_of(task)
    with one_thread():
        rules = list(_iter_rules(reference, weighting))
    return Cpar(NAMES[weighting], RankedTheory.of(rules, reference))


def _iter_rules(reference: Reference, weighting: Weighting) -> Iterator[Rule]:
    """The rules in the order in which they are grown, outcome by outcome; some come twice."""
    items = items_of(reference)
    masks = item_masks(items, reference)
    schema = reference.records.schema
    for outcome in reference.outcomes:
        positive = reference.labels == outcome
        growth = _Growth(masks[:, positive], masks[:, ~positive], weighting)
        for chosen in growth.iter_antecedents():
            yield rule_of((items[place] for place in chosen), outcome, schema)


class _Growth:
    """The search for the rules of one outcome.

    Parameters
    ----------
    positive, negative
        Which records with the outcome, and which others, satisfy each item.
    """

    def __init__(self, positive: BoolArray, negative: BoolArray, weighting: Weighting) -> None:
        self._positive = positive.astype(np.float32)
        self._negative = negative.astype(np.float32)
        self._weighting = weighting
        self._weights = np.ones(positive.shape[1], dtype=np.float32)

    def iter_antecedents(self) -> Iterator[frozenset[int]]:
        """Sets of items, one for each rule."""
        enough = LEAST_WEIGHT * len(self._weights)
        while self._weights.sum() > enough:
            found = False
            for found_items in self._grown():
                found = True
                yield found_items
            if not found:
                return

    def _grown(self) -> Iterator[frozenset[int]]:
        """The rules of one start from nothing, each lowering the weights before the next."""
        everyone = np.arange(self._positive.shape[1])
        others = np.arange(self._negative.shape[1])
        waiting = [(frozenset[int](), everyone, others)]
        seen = set()
        while waiting:
            items, positives, negatives = waiting.pop()
            followed = self._followed(positives, negatives) if len(negatives) else []
            if items and not followed:
                self._weights[positives] *= DECAY
                yield items
            for item in reversed(followed):  # the best is popped first
                longer = items | {item}
                if longer not in seen:
                    seen.add(longer)
                    waiting.append((longer, *self._satisfying(item, positives, negatives)))

    def _satisfying(
        self, item: int, positives: npt.NDArray[np.intp], negatives: npt.NDArray[np.intp]
    ) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        return (
            positives[self._positive[item, positives] > 0],
            negatives[self._negative[item, negatives] > 0],
        )

    def _followed(
        self, positives: npt.NDArray[np.intp], negatives: npt.NDArray[np.intp]
    ) -> list[int]:
        """The items to add next, the best first; none where the rule is finished."""
        gains = self._gains(positives, negatives)
        best = gains.max(initial=0.0)
        bar = max(NEARLY * best, LEAST_GAIN)
        followed = np.flatnonzero(gains > bar)
        return [int(item) for item in followed[np.argsort(-gains[followed], kind="stable")]]

    def _gains(
        self, positives: npt.NDArray[np.intp], negatives: npt.NDArray[np.intp]
    ) -> npt.NDArray[np.float64]:
        """FOIL gain of each item for a rule that covers these records."""
        weights = self._weights[positives]
        inside = (self._positive[:, positives] @ weights).astype(np.float64)
        outside = self._negative[:, negatives].sum(axis=1, dtype=np.float64)
        before = float(weights.sum()) if self._weighting == "weights" else len(positives)
        share = np.divide(inside, inside + outside, out=np.ones_like(inside), where=inside > 0)
        return np.asarray(inside * (np.log(share) - np.log(before / (before + len(negatives)))))
