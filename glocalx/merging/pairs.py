"""Pairs of theories from the most similar down, without ever sorting or even computing all pairs.

Every theory, when it is added, looks at the older ones and keeps its most similar partners in
order. A heap holds one pair per theory, so what lies on top is the most similar pair of all.
Nothing has to be kept up to date when theories come and go: pairs with a theory that is gone are
skipped when they surface, and a theory that has used up its partners looks again.

Two coverages are never more similar than the smaller size over the larger. So a theory first looks
only at those nearest in size; whoever is more similar than the rest could be is settled.
"""

from __future__ import annotations

import heapq
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from glocalx.rules.coverage import Bits

# Ordered as they are tried: highest similarity first, then the older theories.
# (-similarity, older, newer, whether the newer theory has yet to offer its next partner)
Entry: TypeAlias = tuple[float, int, int, bool]

NEAREST = 32  # how many smaller and larger theories a first look takes in; further ones 4 × that

MOST = 32  # partners that a theory keeps in order at a time; most never need the second one


@dataclass(slots=True)
class _Partners:
    """The next partners of one theory, best first.

    `looked` is how many of the older theories were looked at to find them; 0: there are no more
    after these. `after` is the pair that comes before the first of them.
    """

    entries: list[tuple[float, int]]
    looked: int
    after: tuple[float, int] | None
    place: int = 0


class PairQueue:
    """All pairs of living theories with similarity above 0, the most similar first.

    Parameters
    ----------
    size
        Number of reference records.
    coverages
        Number and coverage of each theory, by ascending number.
    """

    def __init__(self, size: int, coverages: Iterable[tuple[int, Bits]]) -> None:
        self._words = (size + 63) // 64
        self._matrix = np.zeros((64, self._words), dtype=np.uint64)  # a row per theory
        self._numbers = np.zeros(64, dtype=np.int64)
        self._sizes = np.zeros(64)  # 0 marks a theory that is gone
        self._in_order: list[float] = []  # sizes of the living, ascending
        self._rows_in_order: list[int] = []  # and their rows
        self._rows = 0
        self._alive: dict[int, int] = {}  # number to row
        self._partners: dict[int, _Partners] = {}
        self._heap: list[Entry] = []
        for number, coverage in coverages:
            self.add(number, coverage)

    def add(self, number: int, coverage: Bits) -> None:
        """A new theory; its number must be above all earlier ones."""
        if not coverage:
            return  # it shares no record with any other, so it is in no pair
        row = self._new_row()
        packed = coverage.to_bytes(self._words * 8, "little")
        self._matrix[row] = np.frombuffer(packed, dtype="<u8")
        self._numbers[row] = number
        self._sizes[row] = size = float(coverage.bit_count())
        place = bisect_left(self._in_order, size)
        self._in_order.insert(place, size)
        self._rows_in_order.insert(place, row)
        self._alive[number] = row
        self._partners[number] = self._look(row, NEAREST)
        self._offer(number)

    def remove(self, number: int) -> None:
        """The theory was merged into another."""
        row = self._alive.pop(number)
        place = self._rows_in_order.index(row, bisect_left(self._in_order, self._sizes[row]))
        del self._in_order[place], self._rows_in_order[place]
        self._sizes[row] = 0
        del self._partners[number]

    def pop(self) -> tuple[float, int, int] | None:
        """Take the most similar pair: similarity, older and newer theory. None: no pair left."""
        while self._heap:
            distance, older, newer, unfold = heapq.heappop(self._heap)
            if newer not in self._alive:
                continue
            if unfold:
                self._offer(newer)
            if older in self._alive:
                return -distance, older, newer
        return None

    def push_back(self, pairs: Iterable[tuple[float, int, int]]) -> None:
        """Pairs that were taken but not merged may be tried again."""
        for similarity, older, newer in pairs:
            heapq.heappush(self._heap, (-similarity, older, newer, False))

    def _offer(self, number: int) -> None:
        """Put the next living partner of a theory on the heap."""
        partners = self._partners[number]
        while True:
            while partners.place < len(partners.entries):
                distance, older = partners.entries[partners.place]
                partners.place += 1
                if older in self._alive:
                    heapq.heappush(self._heap, (distance, older, number, True))
                    return
            if not partners.looked:
                return
            last = partners.entries[-1] if partners.entries else partners.after
            partners = self._look(self._alive[number], partners.looked * 4, last)
            self._partners[number] = partners

    def _look(self, row: int, nearest: int, after: tuple[float, int] | None = None) -> _Partners:
        """The partners of a theory among older ones past `after`: of the `nearest` on either side
        in size.

        Settled, and returned in order, are those more similar than any other could be.
        """
        sizes, size = self._in_order, float(self._sizes[row])
        middle = bisect_left(sizes, size)
        start, stop = max(middle - nearest, 0), middle + nearest + 1
        bar = sizes[start - 1] / size if start else 0.0
        if stop < len(sizes):
            bar = max(bar, size / sizes[stop])
        seen = np.array(self._rows_in_order[start:stop], dtype=np.intp)
        seen = seen[seen < row]
        similarities = self._similarities(row, seen)
        settled = similarities > bar
        distances, numbers = -similarities[settled], self._numbers[seen[settled]]
        if after is not None:
            distance, older = after
            later = (distances > distance) | ((distances == distance) & (numbers > older))
            distances, numbers = distances[later], numbers[later]
        best = np.lexsort((numbers, distances))[:MOST]  # on a tie the older theory first
        entries = list(zip(distances[best].tolist(), numbers[best].tolist(), strict=True))
        if len(distances) > MOST:
            return _Partners(entries, nearest // 4 or 1, after)  # look again, as far
        return _Partners(entries, nearest if bar > 0 else 0, after)

    def _similarities(self, row: int, others: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        """Jaccard similarity of a theory with others."""
        both = np.bitwise_count(self._matrix[others] & self._matrix[row])
        shared = both.sum(axis=1, dtype=np.uint32)
        similarities: npt.NDArray[np.float64] = shared / (
            self._sizes[others] + self._sizes[row] - shared
        )
        return similarities

    def _new_row(self) -> int:
        if self._rows == len(self._numbers):
            self._make_room()
        self._rows += 1
        return self._rows - 1

    def _make_room(self) -> None:
        """Drop the rows of theories that are gone, and leave room for half as many again."""
        kept = np.flatnonzero(self._sizes[: self._rows])
        room = max(64, len(kept) * 3 // 2)
        self._matrix = _in_room(self._matrix[kept], room)
        self._numbers = _in_room(self._numbers[kept], room)
        self._sizes = _in_room(self._sizes[kept], room)
        self._rows = len(kept)
        self._alive = {int(number): i for i, number in enumerate(self._numbers[: len(kept)])}
        self._rows_in_order = np.argsort(self._sizes[: len(kept)], kind="stable").tolist()


def _in_room(values: npt.NDArray[Any], room: int) -> npt.NDArray[Any]:
    """The values at the front of a longer array of zeros."""
    longer = np.zeros((room, *values.shape[1:]), dtype=values.dtype)
    longer[: len(values)] = values
    return longer
