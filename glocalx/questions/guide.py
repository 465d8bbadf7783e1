"""The black box while changes are searched: its answers, and how near to another one they are."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from sklearn.ensemble import RandomForestClassifier

from glocalx.blackbox.base import BlackBox
from glocalx.extraction.encoding import Encoding
from glocalx.extraction.local_tree import Labels
from glocalx.extraction.oracle import ROWS_PER_CALL, Oracle, distinct_rows
from glocalx.questions.space import Distances
from glocalx.rules.codes import Codes

TRIED = 500  # records on which labels are held against probabilities
_TREES, _LEARNED = 30, 2_000


class Guide:
    """Asks about coded records, and counts.

    Where the most probable outcome is the label on every record that was tried, the search asks
    for probabilities alone. A black box that gives none is asked for labels, and a small forest
    that learned its answers to the background tells how near another one is. What a search ends
    in is always confirmed by labels.

    Parameters
    ----------
    black_box, encoding
        Whom to ask, and how codes become records.
    known, answers
        The background, and what the black box says of it.
    tried
        Its probabilities for the first `TRIED` of the background; None where it gives none.

    Attributes
    ----------
    asked
        Different rows that the black box was asked about.
    """

    def __init__(
        self,
        black_box: BlackBox,
        encoding: Encoding,
        known: Codes,
        answers: Labels,
        tried: npt.NDArray[np.float64] | None,
    ) -> None:
        self._oracle = Oracle(black_box, encoding)
        self._box = black_box
        outcomes = encoding.schema.outcomes
        self._places = np.array([outcomes.index(str(each)) for each in black_box.outcomes])
        self.asked = 0
        self._stand_in: RandomForestClassifier | None = None
        self._most_probable = tried is not None and bool(
            np.array_equal(self._places[np.argmax(tried, axis=1)], answers[: len(tried)])
        )
        if tried is None:
            self._stand_in = RandomForestClassifier(_TREES, min_samples_leaf=2, random_state=0)
            self._stand_in.fit(encoding.expand(known[:_LEARNED]), answers[:_LEARNED])
            self._places = np.asarray(self._stand_in.classes_)

    def labels(self, codes: Codes) -> Labels:
        """What the black box says."""
        if not len(codes):
            return np.empty(0, dtype=np.intp)
        self.asked += len(distinct_rows(codes)[0])
        return self._oracle.labels(codes)

    def ask(self, codes: Codes, own: Labels) -> tuple[Labels, Distances]:
        """Labels, and how far each row is from another answer than its record's own.

        `own`: for each row the answer to the record as it is.

        Returns
        -------
        labels, margins
            The margin is the probability of the own answer less that of the next.
        """
        if not len(codes):
            return np.empty(0, dtype=np.intp), np.empty(0)
        first, places = distinct_rows(codes)
        different = codes[first]
        self.asked += len(different)
        shares = np.concatenate(
            [
                self._shares(different[start : start + ROWS_PER_CALL])
                for start in range(0, len(different), ROWS_PER_CALL)
            ]
        )
        labels = (
            self._places[np.argmax(shares, axis=1)]
            if self._most_probable
            else self._oracle.labels(different)
        )
        return labels[places], _margins(shares[places], self._places, own)

    def _shares(self, codes: Codes) -> npt.NDArray[np.float64]:
        if self._stand_in is not None:
            return np.asarray(self._stand_in.predict_proba(self._oracle.encoding.expand(codes)))
        found = self._box.probabilities(self._oracle.encoding.decode(codes))
        assert found is not None  # it gave some before
        return found


def _margins(
    shares: npt.NDArray[np.float64], places: npt.NDArray[np.intp], own: Labels
) -> Distances:
    mine = places[None, :] == own[:, None]
    others = np.where(mine, -np.inf, shares).max(axis=1)
    return np.asarray(np.where(mine, shares, 0.0).sum(axis=1) - np.maximum(others, 0.0))
