"""Subgroups of one or several columns, none of them left out, and whom to compare them with."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import numpy as np

from glocalx.audit.axis import check_number_of_groups
from glocalx.audit.tally import Bools, Tally
from glocalx.errors import GLocalXError
from glocalx.words.phrases import listing, shown

Against: TypeAlias = Mapping[str, str] | Literal["everyone else", "largest group"]
"""Whom to compare with: everyone else, the largest group, or for some columns a named group.

A subgroup of columns that are not all named is compared with everyone else.
"""


@dataclass(frozen=True, slots=True)
class NamedGroup:
    """A subgroup of one or several columns: the columns, and the group in each."""

    columns: tuple[str, ...]
    groups: tuple[str, ...]

    @property
    def title(self) -> str:
        return " · ".join(self.groups)

    @property
    def named(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """What tells it from all others."""
        return self.columns, self.groups


@dataclass(frozen=True, slots=True, eq=False)
class GroupCells(NamedGroup):
    """The cells of one subgroup, or of everyone else, who are a group of no column.

    Parameters
    ----------
    cells
        Which cells of the tally.
    size
        Number of records; 0 for a combination that does not occur.
    """

    cells: Bools = field(repr=False)
    size: int


def find_groups(tally: Tally, columns: Sequence[str]) -> list[GroupCells]:
    """Every combination of the columns' groups, those that nobody is in included.

    Records without a value are in groups of their own, which stand last and only if they occur.
    """
    places = [tally.place(column) for column in columns]
    axes = [tally.axes[place] for place in places]
    check_number_of_groups(axes)
    codes = tally.groups[:, places]
    combinations = list(itertools.product(*(range(len(axis.groups)) for axis in axes)))
    unknown = codes[(codes < 0).any(axis=1)]
    combinations += sorted({tuple(row) for row in unknown.tolist()})
    found = []
    for combination in combinations:
        cells = np.asarray((codes == np.array(combination, dtype=np.int64)).all(axis=1))
        names = tuple(axis.group(code) for axis, code in zip(axes, combination, strict=True))
        found.append(GroupCells(tuple(columns), names, cells, tally.records(cells)))
    return found


def compared_groups(
    tally: Tally, by: Sequence[Sequence[str]], against: Against
) -> list[tuple[GroupCells, GroupCells | None]]:
    """The subgroups of each set of columns, each with whom it is compared with.

    None where it is itself what others are compared with.
    """
    pairs: list[tuple[GroupCells, GroupCells | None]] = []
    for columns in by:
        groups = find_groups(tally, columns)
        chosen = _reference(groups, against)
        for group in groups:
            rest = ~group.cells
            other = chosen or GroupCells((), ("everyone else",), rest, tally.records(rest))
            pairs.append((group, None if other is group else other))
    return pairs


def same_records(group: GroupCells, other: GroupCells | None) -> Hashable:
    """What a comparison is of: the two sets of records, whichever is looked at from the other.

    Of two groups of a column each is everyone else to the other: that is one comparison.
    """
    theirs = b"" if other is None else other.cells.tobytes()
    return frozenset((group.cells.tobytes(), theirs))


def _reference(groups: Sequence[GroupCells], against: Against) -> GroupCells | None:
    if isinstance(against, str):
        largest = max(groups, key=lambda group: group.size)
        return largest if against == "largest group" else None
    columns = groups[0].columns
    if not all(column in against for column in columns):
        return None
    wanted = tuple(against[column] for column in columns)
    for group in groups:
        if group.groups == wanted:
            return group
    column, name = next(
        (column, name)
        for place, (column, name) in enumerate(zip(columns, wanted, strict=True))
        if all(group.groups[place] != name for group in groups)
    )
    known = dict.fromkeys(group.groups[columns.index(column)] for group in groups)
    raise GLocalXError(
        f"{shown(column)} has no group {shown(name)} to compare with. It has: {listing(known)}."
    )
