"""GLocalX*: no records, only local rules and the distribution of the features.

The distribution is a Gaussian kernel density estimate of all features together. A record drawn
from it is a real record with noise:

- **Numbers** become normal scores (the place of a number among all, as a normal deviate), get
  Gaussian noise with the covariance of the scores, and go back to the observed number at that
  place. So every number drawn is one that occurs: whole numbers stay whole, nothing leaves the
  range, and a value that half of the records share (no capital gain) stays as common as it was.
- **Categories** keep the value of the real record or, with a small probability, take another one
  at random as often as it occurs (the kernel of Aitchison and Aitken). So every category is valid.
- **Gaps** are kept or drawn anew as if being missing were a category. Where the real record has
  no number and the one that is drawn has, that is any number of its column.

One bandwidth serves both. A kernel estimate holds the records that it was made from: what it
gives away is the samples, not the estimate.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.special import ndtr, ndtri

from glocalx.blackbox.base import BlackBox, Labels, checked_labels
from glocalx.errors import GLocalXError
from glocalx.extraction.local_rule import LocalRule
from glocalx.rules.coverage import Records, mask_of
from glocalx.rules.rule import Rule
from glocalx.rules.schema import Schema
from glocalx.rules.scoring import Reference
from glocalx.words.phrases import counted, shown

_STEADY = 1e-6  # added to the covariance of scores, so that columns that repeat do no harm


class FeatureDistribution:
    """How the features of a table are distributed together; draws records like them.

    `bandwidth`: share of the noise: the noise has `bandwidth²` times the variance of the scores,
    and a category is drawn anew with the probability `bandwidth²`. It is Scott's rule,
    `n ** (-1 / (d + 4))`, with d = 1. With d the number of features, as for one kernel over all of
    them, it smooths too much: with random forests and ten rules the fidelity on the explained
    records was 0.940 against 0.953 on COMPAS, 0.905 against 0.919 on German credit, and the forests
    gave their most common answer far more often than they do for real records (0.94 against 0.89 on
    COMPAS).
    """

    def __init__(self, frame: pd.DataFrame, schema: Schema) -> None:
        if not len(frame):
            raise GLocalXError("The table has no records to learn from. Give at least one.")
        self.schema = schema
        self.bandwidth = len(frame) ** -0.2 if len(frame) > 1 else 0.5
        _check_gaps(frame, schema)
        self._frame = frame[list(schema.names)].reset_index(drop=True)
        self._numbers = [each.name for each in schema.features if not each.is_categorical]
        self._categories = [each.name for each in schema.features if each.is_categorical]
        self._lacking = {
            name: self._frame[name].isna().to_numpy()
            for name in self._numbers
            if self._frame[name].hasnans
        }
        self._sorted = {
            name: np.sort(self._frame[name].dropna().to_numpy()) for name in self._numbers
        }
        self._spans = {name: self._span(name) for name in self._numbers}
        self._root = self._covariance_root()

    def sample(self, size: int, seed: int = 0) -> pd.DataFrame:
        """A frame of `size` records; the same for the same seed."""
        if size < 1:
            raise GLocalXError(f"{size:,} records cannot be drawn. Ask for at least 1.")
        generator = np.random.default_rng(seed)
        centres = generator.integers(len(self._frame), size=size)
        numbers = self._drawn_numbers(centres, generator)
        columns: dict[str, Any] = dict(numbers)
        for name in self._categories:
            chosen = self._frame[name].iloc[self._places(centres, generator)]
            columns[name] = chosen.reset_index(drop=True)
        for name, lacking in self._lacking.items():
            gone = lacking[self._places(centres, generator)]
            columns[name] = np.where(gone, np.nan, numbers[name])
        return pd.DataFrame({name: columns[name] for name in self.schema.names})

    def _span(self, name: str) -> npt.NDArray[np.float64]:
        """For each record the shares of numbers below its own, and up to it; all where missing."""
        values, ordered = self._frame[name].to_numpy(), self._sorted[name]
        sides = [np.searchsorted(ordered, values, side) for side in ("left", "right")]
        spans = np.stack(sides) / len(ordered)
        if name in self._lacking:
            spans[:, self._lacking[name]] = [[0.0], [1.0]]
        return spans

    def _covariance_root(self) -> npt.NDArray[np.float64]:
        """The Cholesky root of the covariance of the scores."""
        count = len(self._numbers)
        scores = np.empty((count, len(self._frame)))
        for place, name in enumerate(self._numbers):
            scores[place] = ndtri(self._spans[name].mean(axis=0))
        covariance = np.cov(scores, bias=True).reshape(count, count)
        return np.asarray(np.linalg.cholesky(covariance + _STEADY * np.eye(count)))

    def _drawn_numbers(
        self, centres: npt.NDArray[np.int64], generator: np.random.Generator
    ) -> dict[str, npt.NDArray[np.generic]]:
        noise = self._root @ generator.standard_normal((len(self._numbers), len(centres)))
        drawn = {}
        for name, row in zip(self._numbers, noise, strict=True):
            below, up_to = self._spans[name][:, centres]
            inside = below + (up_to - below) * generator.uniform(1e-9, 1 - 1e-9, len(centres))
            scores = (ndtri(inside) + self.bandwidth * row) / np.sqrt(1 + self.bandwidth**2)
            known = self._sorted[name]
            places = (ndtr(scores) * len(known)).astype(np.intp)
            drawn[name] = known[np.minimum(places, len(known) - 1)]
        return drawn

    def _places(
        self, centres: npt.NDArray[np.int64], generator: np.random.Generator
    ) -> npt.NDArray[np.int64]:
        """The records whose categories are taken: mostly those themselves."""
        anew = generator.random(len(centres)) < self.bandwidth**2
        others = generator.integers(len(self._frame), size=len(centres))
        return np.where(anew, others, centres)


def _check_gaps(frame: pd.DataFrame, schema: Schema) -> None:
    """Refuse gaps where the schema knows of none, and columns without any number."""
    for feature in schema.features:
        gaps = int(frame[feature.name].isna().sum())
        if gaps and (not feature.gaps or (gaps == len(frame) and not feature.is_categorical)):
            raise GLocalXError(
                f"The column {shown(feature.name)} has {counted(gaps, 'empty cell')}, and records "
                "like these cannot be drawn. Leave the column or the records out."
            )


def synthetic_reference(
    distribution: FeatureDistribution,
    rules: Sequence[LocalRule] | Sequence[Rule],
    size: int,
    *,
    black_box: BlackBox | None = None,
    seed: int = 0,
) -> Reference:
    """Records to merge local rules on, where there are none: drawn, and labelled.

    Parameters
    ----------
    size
        How many records to draw: as many as were explained.
    black_box
        Labels the records, if it can be asked. If not, the most accurate local rule that covers
        a record does, see :func:`labels_by_rules`.
    """
    schema = distribution.schema
    frame = distribution.sample(size, seed)
    records = Records(schema, frame)
    if black_box is None:
        return Reference(records, labels_by_rules(rules, records))
    answers = black_box.labels(frame)
    return Reference(records, checked_labels(answers, size, schema.outcomes, black_box.name))


def labels_by_rules(rules: Sequence[LocalRule] | Sequence[Rule], records: Records) -> Labels:
    """What the most accurate covering local rule says of each record.

    Without records accuracy cannot be measured, but a local rule carries its evidence: it was
    held against real records when it was made, and its accuracy is the Laplace accuracy there (of
    equal rules the one with most evidence counts). Plain rules carry none. They are held against
    each other: each record takes the outcome that most of the rules that cover it give, one vote
    for each explained record, and Laplace accuracy is measured on that. On a tie the rule with
    more evidence decides, then canonical order. A record that no rule covers takes the outcome
    that most local rules give.
    """
    if not rules:
        raise GLocalXError("There are no local rules to label records with. Give at least one.")
    plain = [each.rule if isinstance(each, LocalRule) else each for each in rules]
    counts = {name: sum(rule.outcome == name for rule in plain) for name in records.schema.outcomes}
    default = max(counts, key=lambda name: counts[name])
    evidence = _given_evidence(rules) or _mutual_evidence(plain, records, default)
    labels = np.full(records.size, default, dtype=object)

    def rank(rule: Rule) -> tuple[object, ...]:
        covered, agreed = evidence[rule]
        return -(agreed + 1) / (covered + len(counts)), -covered, rule.sort_key

    for rule in sorted(evidence, key=rank, reverse=True):  # the best one has the last word
        labels[mask_of(records.coverage(rule), records.size)] = rule.outcome
    return labels


def _given_evidence(
    rules: Sequence[LocalRule] | Sequence[Rule],
) -> dict[Rule, tuple[int, int]]:
    """For each rule how many records it covered, and rightly; empty where nothing was judged."""
    made = [each for each in rules if isinstance(each, LocalRule)]
    if not any(each.judged for each in made):
        return {}
    made.sort(key=lambda each: (each.covered, each.agreed))
    return {each.rule: (each.covered, each.agreed) for each in made}


def _mutual_evidence(
    rules: list[Rule], records: Records, default: str
) -> dict[Rule, tuple[int, int]]:
    """The same, counted on what the rules say together of the drawn records."""
    outcomes = (default, *(name for name in records.schema.outcomes if name != default))
    votes = np.zeros((len(outcomes), records.size), dtype=np.int64)
    for rule in rules:
        votes[outcomes.index(rule.outcome)] += mask_of(records.coverage(rule), records.size)
    agreed = Reference(records, np.array(outcomes, dtype=object)[votes.argmax(axis=0)])
    scores = {rule: agreed.score(rule) for rule in rules}
    return {rule: (score.covered, score.agreed) for rule, score in scores.items()}
