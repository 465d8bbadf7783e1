"""At most so many rules that are best together, one after the other."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import islice

import numpy as np
import numpy.typing as npt

from glocalx.errors import GLocalXError
from glocalx.rules.coverage import Bits
from glocalx.rules.rule import Rule
from glocalx.rules.scoring import Reference
from glocalx.rules.theory import Theory


def select_budget(
    rules: Iterable[Rule], reference: Reference, budget: int, price: float = 0.0
) -> Theory:
    """At most `budget` rules that together agree best with the black box; see `iter_budget`."""
    if budget < 1:
        raise GLocalXError("The budget is a number of rules and must be at least 1.")
    return Theory.of(islice(iter_budget(rules, reference, price), budget))


def iter_budget(rules: Iterable[Rule], reference: Reference, price: float = 0.0) -> Iterator[Rule]:
    """One rule after the other, each time the one that raises fidelity most; ends when none does.

    The first k rules are the choice for a budget of k, so one pass answers every budget.

    Parameters
    ----------
    price
        What each condition of a rule has to earn; see :func:`records_to_earn`.
    """
    candidates = reference.ranked(set(rules))
    if not candidates:
        raise GLocalXError("There are no rules to choose from. Give at least one.")
    pool = _Pool(candidates, reference, records_to_earn(price, reference))
    while True:
        best = pool.best()
        if best is None:
            return
        yield candidates[best]
        pool.take(best)


def records_to_earn(price: float, reference: Reference) -> float:
    """Records that a condition has to bring, so that it is worth reading.

    Chance moves agreement by about as many records as the root of their number, so that is what a
    price is counted in: of 10,000 reference records a price of 0.04 takes 4.
    """
    if not 0 <= price < math.inf:
        raise GLocalXError("The price of a condition must be a number of at least 0.")
    return price * math.sqrt(reference.size)


class _Pool:
    """Candidates in the order in which they would decide, as packed rows of bits.

    A candidate decides the records that it covers and that no chosen rule before it does. What
    it would change there: the records it gets right come in, those that were right go out.
    """

    def __init__(self, candidates: list[Rule], reference: Reference, due: float) -> None:
        self._dues = due * np.array([len(rule) for rule in candidates])
        self._size = reference.size
        self._words = (self._size + 63) // 64
        self._rules = candidates
        self._having = {name: self._row(bits) for name, bits in reference.having.items()}
        self._coverage = np.stack(
            [self._row(reference.score(rule).coverage) for rule in candidates]
        )
        self._outcomes = np.array([rule.outcome for rule in candidates], dtype=object)
        self._right = self._coverage.copy()
        for name, row in self._having.items():
            self._right[self._outcomes == name] &= row
        self._default = self._having[reference.majority]
        self._chosen: list[int] = []

    def _row(self, bits: Bits) -> npt.NDArray[np.uint64]:
        return np.frombuffer(bits.to_bytes(self._words * 8, "little"), dtype="<u8")

    def best(self) -> int | None:
        """The candidate that raises agreement most, None if none does or none earns its price.

        The first one need not: no rule at all is no explanation.
        """
        gains = self._gains()
        earned = np.where(gains > 0, gains - self._dues, -np.inf)
        best = int(np.argmax(earned))  # on a tie the first, which is the more accurate one
        worth = earned[best] > 0 if self._chosen else gains[best] > 0
        return best if worth else None

    def take(self, place: int) -> None:
        self._chosen = sorted((*self._chosen, place))

    def _gains(self) -> npt.NDArray[np.int64]:
        undecided = self._row((1 << self._size) - 1)
        correct = self._correct()
        gains = np.zeros(len(self._rules), dtype=np.int64)
        starts = [0, *(place + 1 for place in self._chosen)]
        ends = [*self._chosen, len(self._rules)]
        for start, end in zip(starts, ends, strict=True):
            if start:
                undecided = undecided & ~self._coverage[start - 1]
            comes = _count(self._right[start:end] & (undecided & ~correct))
            goes = _count(
                (self._coverage[start:end] & ~self._right[start:end]) & (undecided & correct)
            )
            gains[start:end] = comes - goes
        return gains

    def _correct(self) -> npt.NDArray[np.uint64]:
        """The records on which the chosen rules and the black box agree."""
        undecided = self._row((1 << self._size) - 1)
        correct = np.zeros(self._words, dtype=np.uint64)
        for place in self._chosen:
            correct = correct | (undecided & self._right[place])
            undecided = undecided & ~self._coverage[place]
        return correct | (undecided & self._default)


def _count(rows: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
    counts: npt.NDArray[np.int64] = np.bitwise_count(rows).sum(axis=1, dtype=np.int64)
    return counts
