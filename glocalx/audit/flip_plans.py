"""Which flips to make where nobody says, with which columns changed along; and all of them made."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from glocalx.audit.axis import Axis
from glocalx.audit.flips import FlipPlan, FlipRecords, FlipResult, GroupChange, run_flips
from glocalx.audit.frame_source import FrameSource
from glocalx.audit.grouping import Against, GroupCells, find_groups
from glocalx.audit.proxies import Association, associations
from glocalx.audit.settings import AuditSettings
from glocalx.audit.tally import Tally
from glocalx.rules.classifier import RankedTheory

MOST_GROUPS = 8
"""Of a column with more groups, the largest are flipped."""


@dataclass(frozen=True, slots=True)
class FlipTest:
    """All flips of an audit.

    Parameters
    ----------
    flips
        Corrected for their number.
    proxies
        What is close to a sensitive column among all that the model, or the rules, can read.
    """

    flips: tuple[FlipResult, ...]
    proxies: tuple[Association, ...]

    @property
    def has_model(self) -> bool:
        return any(each.model is not None for each in self.flips)

    @property
    def has_more(self) -> bool:
        """Whether columns were changed together, or any answer changes: by which rule?"""
        return any(len(each.plan.changes) > 1 or each.changes_anything for each in self.flips)

    @property
    def drawn(self) -> bool:
        """Whether of some groups not all records were asked about."""
        return any(each.records < each.group_size for each in self.flips)

    @property
    def asked(self) -> int:
        """How many records the model was asked about, each as it is and changed."""
        return 2 * sum(each.records for each in self.flips if each.model is not None)

    def by_column(self) -> dict[tuple[str, tuple[str, ...]], list[FlipResult]]:
        """The flips of each column alone, by it and what is changed along; of a group the first."""
        found: dict[tuple[str, tuple[str, ...]], dict[tuple[str, ...], FlipResult]] = {}
        for flip in self.flips:
            if len(flip.plan.changes) == 1:
                column = flip.plan.columns[0], flip.plan.along
                found.setdefault(column, {}).setdefault(flip.plan.group, flip)
        return {column: list(flips.values()) for column, flips in found.items()}

    def of(self, columns: Sequence[str], groups: Sequence[str]) -> tuple[FlipResult, ...]:
        """The flips of one group, those that change nothing along first."""
        wanted = tuple(columns), tuple(groups)
        found = [each for each in self.flips if (each.plan.columns, each.plan.group) == wanted]
        return tuple(sorted(found, key=lambda each: len(each.plan.along)))


def flip_test(
    records: FlipRecords,
    theory: RankedTheory,
    axes: Sequence[Axis],
    outcome: str,
    plans: Sequence[FlipPlan],
) -> FlipTest:
    """Make the flips that are wanted, each alone and with its proxies along."""
    readable = [name for name in theory.schema.names if name in records.frame]
    if records.reads is not None:
        readable = [name for name in readable if name in records.reads]
    measured = associations(records.source, readable, axes)
    sensitive = {axis.name for axis in axes}
    close = tuple(each for each in measured if each.is_close() and each.column not in sensitive)
    both = [*plans, *_with_proxies(plans, close)]
    return FlipTest(run_flips(records, theory, axes, outcome, both), close)


def _with_proxies(plans: Sequence[FlipPlan], close: Sequence[Association]) -> Iterator[FlipPlan]:
    """The same with what stands in for their columns changed along, the closest first."""
    closest = sorted(close, key=lambda each: -each.strength)
    for plan in plans:
        along = dict.fromkeys(
            each.column for name in plan.columns for each in closest if each.sensitive == name
        )
        if along and not plan.along:
            yield FlipPlan(plan.changes, tuple(along))


def usual_plans(
    source: FrameSource, axes: Sequence[Axis], asked: AuditSettings
) -> tuple[FlipPlan, ...]:
    """Each group into the largest other one, or into that which others are compared with.

    Small groups are left out. Where combinations are looked at, every two columns are changed
    together, too.
    """
    tally = source.tally((), axes, labels=False)
    plans: list[FlipPlan] = []
    for axis in axes:
        changes = _changes(tally, axis, asked.against, asked.enough)
        plans += [FlipPlan((change,)) for change in changes]
    if asked.combinations != "none":
        for pair in itertools.combinations(axes, 2):
            plans += _both(tally, pair, asked.against, asked.enough)
    return tuple(plans)


def changeable_groups(tally: Tally, axis: Axis) -> list[GroupCells]:
    """The groups that somebody is in, the largest first; who has no value is in none of them."""
    named = (each for each in find_groups(tally, [axis.name]) if each.title in axis.groups)
    return sorted((each for each in named if each.size), key=lambda each: -each.size)


def _changes(tally: Tally, axis: Axis, against: Against, enough: int) -> list[GroupChange]:
    known = changeable_groups(tally, axis)
    if len(known) < 2:
        return []
    wanted = against.get(axis.name) if isinstance(against, Mapping) else None
    first = next((each for each in known if each.groups == (wanted,)), known[0])
    second = next(each for each in known if each is not first)
    return [
        GroupChange(axis.name, each.groups[0], (second if each is first else first).groups[0])
        for each in known[:MOST_GROUPS]
        if each.size >= enough
    ]


def _both(tally: Tally, axes: tuple[Axis, ...], against: Against, enough: int) -> list[FlipPlan]:
    """The largest group of two columns, both changed, and the other way round."""
    names = [axis.name for axis in axes]
    to = [{each.before: each for each in _changes(tally, axis, against, 1)} for axis in axes]
    groups: list[GroupCells] = sorted(find_groups(tally, names), key=lambda each: -each.size)
    for group in groups:
        if all(name in changes for name, changes in zip(group.groups, to, strict=True)):
            there = tuple(c[name] for name, c in zip(group.groups, to, strict=True))
            back = tuple(GroupChange(each.column, each.after, each.before) for each in there)
            sizes = {each.groups: each.size for each in groups}
            both = [FlipPlan(there), FlipPlan(back)]
            return [plan for plan in both if sizes[plan.group] >= enough]
    return []
