"""The changes that were seen to work, by record, and which of them are best."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from glocalx.extraction.local_tree import Labels
from glocalx.questions.space import Distances, Space
from glocalx.rules.codes import Codes

_LIKELY = 4  # of the nearest ways, and of those with the fewest moves: held against real records


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """A change that works, as codes.

    `best`: whether it is the one with the fewest moves, the nearest, the most like a real record.
    """

    codes: Codes
    label: int
    distance: float
    likeness: float
    best: tuple[bool, bool, bool]


class WorkingPool:
    """Everything that works, in the order in which it was found."""

    def __init__(self, space: Space) -> None:
        self._space = space
        count = space.records.shape[1]
        self._owners = np.empty(0, dtype=np.intp)
        self._codes = np.empty((0, count), dtype=np.int32)
        self._labels = np.empty(0, dtype=np.intp)
        self._distances = np.empty(0)
        self._sizes = np.empty(0, dtype=np.intp)

    def add(self, owners: npt.NDArray[np.intp], codes: Codes, labels: Labels) -> None:
        """Changes that work."""
        if not len(owners):
            return
        records = self._space.records[owners]
        moves = self._space.moves(codes, records)
        self._owners = np.append(self._owners, owners)
        self._codes = np.concatenate([self._codes, codes])
        self._labels = np.append(self._labels, labels)
        self._distances = np.append(self._distances, moves.sum(axis=1))
        self._sizes = np.append(self._sizes, (codes != records).sum(axis=1))

    def has(self, owners: npt.NDArray[np.intp], most: int | None = None) -> npt.NDArray[np.bool_]:
        """Whether something works for each of these records, with at most so many moves."""
        fine = self._owners if most is None else self._owners[self._sizes <= most]
        return np.isin(owners, fine)

    def owners(self) -> npt.NDArray[np.intp]:
        """The records for which something works."""
        return np.unique(self._owners)

    def best(self, most: int, *, nearest: bool = False) -> tuple[npt.NDArray[np.intp], Codes]:
        """For each record the ways with the fewest features, one for each set of these.

        `nearest`: and one more, the nearest whatever it changes.
        """
        sets = np.packbits(self._codes != self._space.records[self._owners], axis=1)
        order = np.lexsort((self._distances, self._sizes, self._owners))
        chosen: list[int] = []
        seen: set[tuple[int, bytes]] = set()
        taken: dict[int, int] = {}
        near: set[int] = set()
        if nearest:
            by_distance = np.lexsort((self._distances, self._owners))
            _, first = np.unique(self._owners[by_distance], return_index=True)
            near = set(by_distance[first].tolist())
        for at in (*order.tolist(), *sorted(near)):
            owner, which = int(self._owners[at]), (int(self._owners[at]), sets[at].tobytes())
            room = most if at not in near else most + 1
            if which not in seen and taken.get(owner, 0) < room:
                seen.add(which)
                taken[owner] = taken.get(owner, 0) + 1
                chosen.append(at)
        chosen.sort(key=lambda at: int(self._owners[at]))
        at_all = np.array(chosen, dtype=np.intp)
        return self._owners[at_all], self._codes[at_all].copy()

    def drop(self, owner: int, codes: Codes) -> None:
        """What the black box did not confirm."""
        kept = (self._owners != owner) | (self._codes != codes).any(axis=1)
        self._owners, self._codes = self._owners[kept], self._codes[kept]
        self._labels, self._distances = self._labels[kept], self._distances[kept]
        self._sizes = self._sizes[kept]

    def picked(self, owners: npt.NDArray[np.intp], background: Labels) -> list[tuple[int, Found]]:
        """For each record the change with the fewest moves, the nearest and the likeliest.

        `background`: what the black box says of the real records.
        """
        made = []
        for owner in owners.tolist():
            mine = np.flatnonzero(self._owners == owner)
            sizes, distances = self._sizes[mine], self._distances[mine]
            near = mine[np.lexsort((sizes, distances))][:_LIKELY]
            few = mine[np.lexsort((distances, sizes))][:_LIKELY]
            tried = np.unique(np.append(near, few))
            likeness = self._likeness(tried, background)
            like = tried[np.lexsort((self._distances[tried], likeness))]
            off = dict(zip(tried.tolist(), likeness.tolist(), strict=True))
            bests = [few[0], near[0], like[0]]
            for at in dict.fromkeys(int(self._first_equal(mine, each)) for each in bests):
                fewest, nearest, likeliest = (
                    bool((self._codes[at] == self._codes[each]).all()) for each in bests
                )
                found = Found(
                    self._codes[at],
                    int(self._labels[at]),
                    float(self._distances[at]),
                    off.get(at, float(likeness.min())),
                    (fewest, nearest, likeliest),
                )
                made.append((owner, found))
        return made

    def _first_equal(self, mine: npt.NDArray[np.intp], at: int) -> int:
        """The first of these that makes the same change."""
        same = (self._codes[mine] == self._codes[at]).all(axis=1)
        return int(mine[np.flatnonzero(same)[0]])

    def _likeness(self, tried: npt.NDArray[np.intp], background: Labels) -> Distances:
        """For each the distance to the nearest real record that gets the same answer."""
        same = self._labels[tried][:, None] == background[None, :]
        apart = np.where(same, self._space.to_background(self._codes[tried]), np.inf)
        return np.asarray(apart.min(axis=1))
