"""The search for changes that work, round by round, each round one call for all records.

A call costs much and a further row in it little, so rounds are few and large.

1. Each feature alone takes a few values that stand for all of its own. With these go what a local
   tree believes in, and the nearest real records with another answer, as far as they are allowed.
2. Where no feature alone does it, the moves that brought the answer nearest to another one are made
   together, most telling first, and of the real records only what matters is kept.
3. Of every way that works, moves that are not needed are undone one by one.
4. Numbers move back towards the record's own as far as the other answer stays.

Then the best are chosen and put to the black box once more, label by label.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, pairwise
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from glocalx.extraction.local_tree import Labels
from glocalx.questions.guide import Guide
from glocalx.questions.pool import Found, WorkingPool
from glocalx.questions.space import Distances, Space
from glocalx.rules.codes import Codes

Ways: TypeAlias = tuple[npt.NDArray[np.intp], Codes]  # whose each is, and the changed record

_PROBES = 60  # values of single features that a record is asked about, more or less
_PAIRED = 5  # of the most telling features each two are tried together
_SIZES = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256)
_NEAREST = (2, 12, 60)  # real records that are tried, and more where none of them works
_REDUCED = 2  # ways of a record whose needless moves are looked for
_MOST_TAKEN_BACK = 40  # moves of a record that are taken back alone, more or less
_SHRUNK = 1  # ways of a record whose numbers move back
_BETWEEN = 16  # values that are tried on a number's way back
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
        near = self._nearest_unlike(max(_NEAREST))
        alone, places = self._alone(everyone)
        hinted, real = self._hinted(hints), self._from_real_records(everyone, near, 0, _NEAREST[0])
        owners = np.concatenate([alone[0], hinted[0], real[0]])
        labels, margins = self._try(owners, np.concatenate([alone[1], hinted[1], real[1]]))
        hard = everyone[~self._pool.has(everyone, most=1)]
        self._together(hard, *self._telling(alone, places, margins[: len(places)]))
        whose, rows = real
        works = labels[len(labels) - len(whose) :] != self.own[whose]
        works &= np.isin(whose, hard)
        self._reduce(whose[works], rows[works])
        self._more_real_records(near)
        self._undo()
        self._shrink()
        return self._chosen()

    def _try(self, owners: npt.NDArray[np.intp], codes: Codes) -> tuple[Labels, Distances]:
        """Ask, and keep what works."""
        labels, margins = self._guide.ask(codes, self.own[owners])
        works = labels != self.own[owners]
        self._pool.add(owners[works], codes[works], labels[works])
        return labels, margins

    def _alone(self, owners: npt.NDArray[np.intp]) -> tuple[Ways, npt.NDArray[np.intp]]:
        """One feature at a time takes a few values; and which feature it is."""
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
        return (np.concatenate(who), np.concatenate(rows)), np.concatenate(where)

    def _telling(
        self, alone: Ways, places: npt.NDArray[np.intp], margins: Distances
    ) -> tuple[Distances, Codes]:
        """How much each feature alone can do, and with which value."""
        gains = np.full(self._space.records.shape, -np.inf)
        values = self._space.records.copy()
        order = np.argsort(margins, kind="stable")[::-1]  # the best of each is written last
        whose, codes = alone[0][order], alone[1][order]
        gains[whose, places[order]] = 1.0 - margins[order]
        values[whose, places[order]] = codes[np.arange(len(codes)), places[order]]
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

    def _hinted(self, hints: Sequence[Sequence[Mapping[str, Any]]]) -> Ways:
        """Changes that a local tree believes in."""
        space, owners, rows = self._space, [], []
        for place, given in enumerate(hints):
            for values in given:
                codes = space.codes_of(values, space.records[place])
                if codes is not None:
                    owners.append(place)
                    rows.append(codes)
        whose = np.array(owners, dtype=np.intp)
        if not rows:
            return whose, space.records[:0]
        return whose, space.projected(space.records[whose], np.stack(rows))

    def _from_real_records(
        self, owners: npt.NDArray[np.intp], near: list[npt.NDArray[np.intp]], begun: int, most: int
    ) -> Ways:
        """The nearest real records with another answer, as far as their values may be taken."""
        space = self._space
        tried = [near[place][begun:most] for place in owners.tolist()]
        whose = np.repeat(owners, [len(each) for each in tried])
        if not len(whose):
            return whose, space.records[:0]
        rows = space.projected(space.records[whose], space.background[np.concatenate(tried)])
        moved = (rows != space.records[whose]).any(axis=1)
        return whose[moved], rows[moved]

    def _more_real_records(self, near: list[npt.NDArray[np.intp]]) -> None:
        """More and more of them where nothing works yet."""
        everyone = np.arange(len(self._space.records))
        for begun, most in pairwise(_NEAREST):
            waiting = everyone[~self._pool.has(everyone)]
            whose, rows = self._from_real_records(waiting, near, begun, most)
            labels, _ = self._try(whose, rows)
            works = labels != self.own[whose]
            self._reduce(whose[works], rows[works])

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
        _, margins = self._try(owners[at], _moved(codes, at, place, records[at, place]))
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
            back = _moved(codes, at, place, records[at, place])
            labels, margins = self._try(owners[at], back)
            works = labels != self.own[owners[at]]
            at, back, margins = at[works], back[works], margins[works]
            order = np.lexsort((margins, at))
            first = order[_first_of_each(at[order], 1)]
            owners, codes = owners[at[first]], back[first]

    def _shrink(self) -> None:
        """Bring numbers back towards the record's own, as far as the answer stays."""
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
            at, middle = self._between(place, near, far, np.flatnonzero(moving))
            labels, _ = self._try(owners[at], _moved(codes, at, place[at], middle))
            works = labels != self.own[owners[at]]
            at, middle = at[works], middle[works]
            for one, value in zip(at[::-1].tolist(), middle[::-1].tolist(), strict=True):
                far[one] = value  # the nearest to the own value is written last
            codes[line[moving], place[moving]] = far[moving]

    def _between(
        self,
        places: npt.NDArray[np.intp],
        near: Codes,
        far: Codes,
        wanted: npt.NDArray[np.intp],
    ) -> tuple[npt.NDArray[np.intp], Codes]:
        """Values that are seen between two, evenly apart in their own units, nearest first."""
        at: list[int] = []
        found: list[Codes] = []
        for one in wanted.tolist():
            place = int(places[one])
            known, seen = self._space.encoding.values[place], self._space.seen(place)
            low, high = min(near[one], far[one]), max(near[one], far[one])
            inside = seen[(seen > low) & (seen < high)]
            if len(inside) > _BETWEEN:
                even = np.linspace(known[low], known[high], _BETWEEN + 2)[1:-1]
                nearest = np.searchsorted(known[inside], even).clip(0, len(inside) - 1)
                inside = inside[np.unique(nearest)]
            found.append(inside if near[one] < far[one] else inside[::-1])
            at += [one] * len(inside)
        return np.array(at, dtype=np.intp), np.concatenate([*found, np.empty(0, np.int32)])

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


def _moved(
    codes: Codes, at: npt.NDArray[np.intp], place: npt.NDArray[np.intp], values: Codes
) -> Codes:
    """These of the ways, each with another value for one feature."""
    rows = codes[at].copy()
    rows[np.arange(len(at)), place] = values
    return rows


def _first_of_each(owners: npt.NDArray[np.intp], most: int) -> npt.NDArray[np.intp]:
    """The places of at most so many of each owner; owners stand together.

    Examples
    --------
    >>> _first_of_each(np.array([3, 3, 3, 5]), 2).tolist()
    [0, 1, 3]
    """
    ranks = pd.Series(owners).groupby(owners).cumcount().to_numpy()
    return np.flatnonzero(ranks < most)
