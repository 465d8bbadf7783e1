"""The search for changes that work, round by round, each round one call for all records.

1. Each feature alone takes a few values that stand for all of its own.
2. The moves that brought the answer nearest to another one are made together, most telling first.
3. The nearest real records with another answer are taken over as far as changes are allowed.
4. Of every way that works, moves that are not needed are undone one by one.
5. Numbers move back towards the record's own as far as the other answer stays.

Then the best are chosen and put to the black box once more, label by label.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from glocalx.extraction.local_tree import Labels
from glocalx.questions.guide import Guide
from glocalx.questions.pool import Found, WorkingPool
from glocalx.questions.space import Distances, Space
from glocalx.rules.codes import Codes

_PROBES = 60  # values of single features that a record is asked about, more or less
_PAIRED = 5  # of the most telling features each two are tried together
_SIZES = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256)
_NEAREST = (2, 12, 60)  # real records that are tried, and more where none of them works
_REDUCED = 2  # ways of a record whose needless moves are looked for
_MOST_TAKEN_BACK = 40  # moves of a record that are taken back alone, more or less
_SHRUNK = 1  # ways of a record whose numbers move back
_HALVINGS = 5
_MOVED_BACK = 4  # numbers of a way at most: those that moved furthest


class ChangeSearch:
    """The changes of the records of one space.

    Parameters
    ----------
    space, guide
        The records, and the black box.
    labels
        What the black box says of the background.

    Attributes
    ----------
    own
        What it says of the records.
    """

    def __init__(self, space: Space, guide: Guide, labels: Labels) -> None:
        self._space = space
        self._guide = guide
        self._labels = labels
        self.own = guide.labels(space.records)
        self._pool = WorkingPool(space)

    def run(self, hints: Sequence[Sequence[Mapping[str, Any]]]) -> list[list[Found]]:
        """For each record what was found, fewest moves first."""
        everyone = np.arange(len(self._space.records))
        gains, values = self._alone(everyone)
        self._together(everyone[~self._pool.has(everyone)], gains, values)
        self._hinted(hints)
        self._from_real_records()
        self._undo()
        self._shrink()
        return self._chosen()

    def _try(self, owners: npt.NDArray[np.intp], codes: Codes) -> tuple[Labels, Distances]:
        """Ask, and keep what works."""
        labels, margins = self._guide.ask(codes, self.own[owners])
        works = labels != self.own[owners]
        self._pool.add(owners[works], codes[works], labels[works])
        return labels, margins

    def _alone(self, owners: npt.NDArray[np.intp]) -> tuple[Distances, Codes]:
        """One feature at a time: how much it can do, and with which value."""
        space, count = self._space, self._space.records.shape[1]
        most = int(np.clip(_PROBES // max(count, 1), 2, 8))
        rows, who, where = [], [], []
        for place in range(count):
            options = space.options(place, most)
            moved = np.repeat(space.records[owners], len(options), axis=0)
            moved[:, place] = np.tile(options, len(owners))
            whose = np.repeat(owners, len(options))
            fine = space.allowed(space.records[whose], moved)[:, place]
            fine &= moved[:, place] != space.records[whose, place]
            rows.append(moved[fine])
            who.append(whose[fine])
            where.append(np.full(int(fine.sum()), place))
        codes, whose, places = np.concatenate(rows), np.concatenate(who), np.concatenate(where)
        _, margins = self._try(whose, codes)
        gains = np.full((len(space.records), count), -np.inf)
        values = space.records.copy()
        order = np.argsort(margins, kind="stable")[::-1]  # the best of each is written last
        whose, places, moved = whose[order], places[order], codes[order]
        gains[whose, places] = 1.0 - margins[order]
        values[whose, places] = moved[np.arange(len(moved)), places]
        return gains, values

    def _together(self, owners: npt.NDArray[np.intp], gains: Distances, values: Codes) -> None:
        """The most telling moves together: each two of a few, then more and more of all."""
        if not len(owners):
            return
        records = self._space.records
        order = np.argsort(-gains[owners], axis=1, kind="stable")
        count = records.shape[1]
        sets: list[tuple[int, ...]] = list(combinations(range(min(_PAIRED, count)), 2))
        sets += [tuple(range(size)) for size in _SIZES if 2 < size < count]
        sets.append(tuple(range(count)))
        rows = np.repeat(records[owners], len(sets), axis=0).reshape(len(owners), len(sets), count)
        for at, ranks in enumerate(sets):
            chosen = order[:, list(ranks)]
            rows[np.arange(len(owners))[:, None], at, chosen] = values[owners[:, None], chosen]
        self._try(np.repeat(owners, len(sets)), rows.reshape(-1, count))

    def _hinted(self, hints: Sequence[Sequence[Mapping[str, Any]]]) -> None:
        """Changes that a local tree believes in."""
        space, owners, rows = self._space, [], []
        for place, given in enumerate(hints):
            for values in given:
                codes = space.codes_of(values, space.records[place])
                if codes is not None:
                    owners.append(place)
                    rows.append(codes)
        if rows:
            whose = np.array(owners)
            self._try(whose, space.projected(space.records[whose], np.stack(rows)))

    def _from_real_records(self) -> None:
        """The nearest real records with another answer, as far as their values may be taken."""
        space = self._space
        near = self._nearest_unlike(max(_NEAREST))
        begun, waiting = 0, np.arange(len(space.records))
        for most in _NEAREST:
            tried = [near[place][begun:most] for place in waiting.tolist()]
            whose = np.repeat(waiting, [len(each) for each in tried])
            if len(whose):
                wanted = space.background[np.concatenate(tried)]
                rows = space.projected(space.records[whose], wanted)
                moved = (rows != space.records[whose]).any(axis=1)
                labels, _ = self._try(whose[moved], rows[moved])
                works = labels != self.own[whose[moved]]
                self._reduce(whose[moved][works], rows[moved][works])
            begun, waiting = most, waiting[~self._pool.has(waiting)]

    def _nearest_unlike(self, most: int) -> list[npt.NDArray[np.intp]]:
        space, found = self._space, []
        apart = space.to_background(space.records)
        for own, distances in zip(self.own.tolist(), apart, strict=True):
            unlike = np.flatnonzero(self._labels != own)
            nearest = np.argsort(distances[unlike], kind="stable")[:most]
            found.append(unlike[nearest])
        return found

    def _reduce(self, owners: npt.NDArray[np.intp], codes: Codes) -> None:
        """Of ways with many moves keep those that matter: each is taken back alone to tell."""
        few = self._space.records.shape[1] <= _MOST_TAKEN_BACK // _REDUCED
        kept = _first_of_each(owners, _REDUCED if few else 1)
        owners, codes = owners[kept], codes[kept]
        records = self._space.records[owners]
        differs = codes != records
        at, place = np.nonzero(differs)
        if not len(at):
            return
        back = codes[at].copy()
        back[np.arange(len(at)), place] = records[at, place]
        _, margins = self._try(owners[at], back)
        needed = np.full(codes.shape, -np.inf)
        needed[at, place] = margins  # the nearer to the own answer without it, the more needed
        order = np.argsort(-needed, axis=1, kind="stable")
        counts = differs.sum(axis=1)
        rows, whose = [], []
        for size in _SIZES:
            some = np.flatnonzero(counts > size)
            if not len(some):
                break
            row, chosen = records[some].copy(), order[some, :size]
            line = np.arange(len(some))[:, None]
            row[line, chosen] = codes[some[:, None], chosen]
            rows.append(row)
            whose.append(owners[some])
        if rows:
            self._try(np.concatenate(whose), np.concatenate(rows))

    def _undo(self) -> None:
        """Take moves back one by one, each time the one that leaves the other answer surest."""
        owners, codes = self._pool.best(_REDUCED)
        while len(owners):
            records = self._space.records[owners]
            at, place = np.nonzero(codes != records)
            several = np.bincount(at, minlength=len(owners))[at] > 1
            at, place = at[several], place[several]
            back = codes[at].copy()
            back[np.arange(len(at)), place] = records[at, place]
            labels, margins = self._try(owners[at], back)
            works = labels != self.own[owners[at]]
            at, back, margins = at[works], back[works], margins[works]
            order = np.lexsort((margins, at))
            first = order[_first_of_each(at[order], 1)]
            owners, codes = owners[at[first]], back[first]

    def _shrink(self) -> None:
        """Bring numbers back towards the record's own, by halves, as far as the answer stays."""
        space = self._space
        owners, codes = self._pool.best(_SHRUNK, nearest=True)
        if not len(owners):
            return
        records = space.records[owners]
        numeric = np.array([not each.is_categorical for each in space.schema.features])
        for rank in range(min(_MOVED_BACK, records.shape[1])):
            moves = space.moves(codes, records)
            moves = np.where(numeric & (records != space.gaps), moves, 0.0)
            place = np.argsort(-moves, axis=1, kind="stable")[:, rank]
            line = np.arange(len(owners))
            far = codes[line, place].copy()
            near = records[line, place].copy()
            moving = moves[line, place] > 0
            for _ in range(_HALVINGS):
                middle = self._halfway(place, near, far)
                open_ = np.flatnonzero(moving & (middle != far) & (middle != near))
                if not len(open_):
                    break
                rows = codes[open_].copy()
                rows[np.arange(len(open_)), place[open_]] = middle[open_]
                labels, _ = self._try(owners[open_], rows)
                works = labels != self.own[owners[open_]]
                far[open_[works]] = middle[open_[works]]
                near[open_[~works]] = middle[open_[~works]]
            codes[line[moving], place[moving]] = far[moving]

    def _halfway(self, places: npt.NDArray[np.intp], near: Codes, far: Codes) -> Codes:
        """The value that is seen nearest to half-way between two, in its own units."""
        middle = far.copy()
        for place in np.unique(places):
            here = np.flatnonzero(places == place)
            known, seen = self._space.encoding.values[place], self._space.seen(int(place))
            half = (known[near[here]] + known[far[here]]) / 2
            first = np.searchsorted(seen, np.minimum(near[here], far[here]), side="right")
            last = np.searchsorted(seen, np.maximum(near[here], far[here])) - 1
            some = first <= last
            found = np.clip(np.searchsorted(known[seen], half[some]), first[some], last[some])
            middle[here[some]] = seen[found]
        return middle

    def _chosen(self) -> list[list[Found]]:
        """The best of each record that the black box confirms, label by label."""
        found: list[list[Found]] = [[] for _ in self._space.records]
        waiting = self._pool.owners()
        while len(waiting):
            picked = self._pool.picked(waiting, self._labels)
            rows = np.stack([each.codes for _, each in picked])
            said = self._guide.labels(rows)
            refused = {
                place
                for (place, each), label in zip(picked, said.tolist(), strict=True)
                if label != each.label
            }
            for (place, each), label in zip(picked, said.tolist(), strict=True):
                if label != each.label:
                    self._pool.drop(place, each.codes)
                elif place not in refused:
                    found[place].append(each)
            waiting = np.array(
                [place for place in sorted(refused) if self._pool.has(np.array([place]))[0]],
                dtype=np.intp,
            )
        return found


def _first_of_each(owners: npt.NDArray[np.intp], most: int) -> npt.NDArray[np.intp]:
    """The places of at most so many of each owner; owners stand together.

    Examples
    --------
    >>> _first_of_each(np.array([3, 3, 3, 5]), 2).tolist()
    [0, 1, 3]
    """
    begins = np.flatnonzero(np.append(True, owners[1:] != owners[:-1])) if len(owners) else owners
    sizes = np.diff(np.append(begins, len(owners)))
    ranks = np.arange(len(owners)) - np.repeat(begins, sizes)
    return np.flatnonzero(ranks < most)
