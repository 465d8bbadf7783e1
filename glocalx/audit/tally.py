"""Records counted: the one thing an audit needs from a table, small whatever the table's size.

Records that fall into the same groups, have the same labels and are covered by the same rules
are one *cell*. Who decides, whom a rule falls on and what would happen without it all follow
from the cells, so a table in memory and one that is streamed from files give the same audit.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from glocalx.audit.axis import Axis
from glocalx.errors import GLocalXError
from glocalx.rules.rule import Rule
from glocalx.words.phrases import listing, shown

Ints: TypeAlias = npt.NDArray[np.int64]
Floats: TypeAlias = npt.NDArray[np.float64]
Bools: TypeAlias = npt.NDArray[np.bool_]


_ROUNDING = 1e-12  # of a number; sums over many records lose a few digits


@dataclass(frozen=True, slots=True, eq=False)
class Moments:
    """A number in each cell: how many records have it, its mean, its summed squared deviation."""

    known: Ints
    mean: Floats
    squares: Floats

    def of(self, cells: Bools) -> tuple[int, float, float]:
        """Number of values, mean and sample deviation over some cells; NaN where undefined."""
        known, mean, squares = self.known[cells], self.mean[cells], self.squares[cells]
        size = int(known.sum())
        if not size:
            return 0, np.nan, np.nan
        middle = float((known * mean).sum() / size)
        if size == 1:
            return 1, middle, np.nan
        around = squared_deviation(known, mean, squares, middle)
        return size, middle, float(np.sqrt(around / (size - 1)))


def squared_deviation(known: Ints, mean: Floats, squares: Floats, middle: float) -> float:
    """Summed over cells, around `middle`; 0 where all that is there is rounding.

    A number that is 1.1 in every record has means that differ in the last digit.
    """
    around = float((squares + known * (mean - middle) ** 2).sum())
    rounding = _ROUNDING**2 * float((known * mean**2).sum())
    return around if around > rounding else 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Tally:
    """Cells and how many records each holds; the arrays have one entry, or row, per cell.

    Parameters
    ----------
    axes
        The columns that sort the records into groups.
    outcomes
        What labels can be.
    rules
        The rules, in the order in which they decide.
    groups
        For each axis the code of the group, −1 where the value is missing.
    black_box, truth
        The place of the label in `outcomes`; −1 where it is not known.
    covers
        For each rule whether it covers the records.
    count
        Number of records.
    moments
        Numbers that were asked for, by column.
    """

    axes: tuple[Axis, ...]
    outcomes: tuple[str, ...]
    rules: tuple[Rule, ...]
    groups: Ints = field(repr=False)
    black_box: Ints = field(repr=False)
    truth: Ints = field(repr=False)
    covers: Bools = field(repr=False)
    count: Ints = field(repr=False)
    moments: Mapping[str, Moments] = field(default_factory=dict, repr=False)

    @property
    def size(self) -> int:
        """Number of records."""
        return int(self.count.sum())

    @property
    def everyone(self) -> Bools:
        return np.ones(self.count.size, dtype=bool)

    @property
    def has_black_box(self) -> bool:
        return bool((self.black_box >= 0).any())

    @property
    def has_truth(self) -> bool:
        return bool((self.truth >= 0).any())

    def records(self, cells: Bools) -> int:
        """Number of records in some cells."""
        return int(self.count[cells].sum())

    def at(self, cells: Ints | slice) -> Tally:
        """Only these cells, in this order, without moments."""
        return replace(
            self,
            groups=self.groups[cells],
            black_box=self.black_box[cells],
            truth=self.truth[cells],
            covers=self.covers[cells],
            count=self.count[cells],
            moments={},
        )

    def place(self, column: str) -> int:
        """Which of the axes a column is."""
        names = [axis.name for axis in self.axes]
        if column not in names:
            raise GLocalXError(
                f"{shown(column)} is not among the columns that were counted: {listing(names)}. "
                "Count it too."
            )
        return names.index(column)

    def covered_by_outcome(self, outcome: str) -> Bools:
        """The cells that any rule of an outcome covers."""
        places = [place for place, rule in enumerate(self.rules) if rule.outcome == outcome]
        return np.asarray(self.covers[:, places].any(axis=1))

    def deciding(self, order: Sequence[int] | None = None, without: Collection[int] = ()) -> Ints:
        """For each cell the place of the rule that decides, −1 where none covers it.

        Parameters
        ----------
        order
            The places of the rules, the first to decide first; by default as they stand.
        without
            The places of rules that are left out.
        """
        turn = range(len(self.rules)) if order is None else order
        places = np.array([place for place in turn if place not in without], dtype=np.int64)
        if not places.size:
            return np.full(self.count.size, -1, dtype=np.int64)
        covers = self.covers[:, places]
        return np.where(covers.any(axis=1), places[covers.argmax(axis=1)], -1)

    def outcomes_of(self, deciding: Ints, default: str) -> Ints:
        """The place of the outcome that the deciding rules give; −1 gives the default."""
        names = [*(rule.outcome for rule in self.rules), default]  # −1 is the last
        return np.array([self.outcomes.index(name) for name in names], dtype=np.int64)[deciding]
