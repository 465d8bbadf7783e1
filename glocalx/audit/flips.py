"""Flip tests: only the sensitive value is changed, everything else stays. Whose answer changes?

What changes is certain: the model was asked about the same record twice. That answers lean one way
may be chance, and is tested. A small number is no proof that the column plays no part: others can
stand in for it. So a flip can take its close proxies along.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from glocalx.audit.axis import Axis
from glocalx.audit.comparison import SIGNIFICANT, Share
from glocalx.audit.frame_source import FrameSource
from glocalx.audit.intervals import direction_p_value, holm
from glocalx.audit.moving import moved
from glocalx.audit.tally import Bools, Ints
from glocalx.errors import GLocalXError
from glocalx.rules.classifier import RankedTheory
from glocalx.words.phrases import listing, shown

Answer: TypeAlias = Callable[[pd.DataFrame], npt.NDArray[Any]]
"""Whoever labels records: one text for each row of a frame."""

MOST_ASKED = 10_000
"""Of a larger group so many records are drawn and asked about."""


@dataclass(frozen=True, slots=True)
class GroupChange:
    """One column: whoever is in one group is put into another."""

    column: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class FlipPlan:
    """What is changed, for the records that are in every group named.

    Parameters
    ----------
    changes
        One for each column that is changed.
    along
        Columns that tell much about these and are changed along: to what is usual in the group
        that the record is put into, as near to its own value as can be.
    """

    changes: tuple[GroupChange, ...]
    along: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        columns = [each.column for each in self.changes]
        if not columns or len(set(columns)) != len(columns):
            raise GLocalXError("A flip changes one or more columns, each of them once.")
        same = [each.column for each in self.changes if each.before == each.after]
        if same:
            raise GLocalXError(f"The flip of {listing(same)} changes nothing. Name two groups.")

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(each.column for each in self.changes)

    @property
    def group(self) -> tuple[str, ...]:
        """Who is changed, by column."""
        return tuple(each.before for each in self.changes)


@dataclass(frozen=True, slots=True)
class FlipCount:
    """How one answerer's answers change.

    Parameters
    ----------
    changed
        Records with another answer, of those asked about.
    gained, lost
        Of these, how many get the outcome asked about only after the change, only before it.
    p_value, adjusted
        How likely a split as uneven is if both ways were equally likely (the exact sign test),
        alone and after Holm's correction for all flips; NaN where nobody gains or loses.
    """

    changed: Share
    gained: int
    lost: int
    p_value: float
    adjusted: float = math.nan

    @property
    def leans(self) -> bool:
        """Whether more gain than lose, or the other way round, than chance explains."""
        return self.adjusted <= SIGNIFICANT


@dataclass(frozen=True, slots=True)
class RuleFlips:
    """The records that one rule decides before the change; None: those that no rule covers."""

    rule: int | None
    records: int
    by_model: int | None
    by_rules: int


@dataclass(frozen=True, slots=True)
class FlipResult:
    """One flip.

    Parameters
    ----------
    group_size
        Records in the group; more than were asked about where some of them were drawn.
    rules, model
        How answers change; the model's are None where it is not at hand.
    both
        Records for which both change, that is, the same people; None without a model.
    by_rule
        Told apart by the rule that decides before the change.
    unread
        Columns changed that the model does not read, so that they cannot matter to it.
    """

    plan: FlipPlan
    group_size: int
    rules: FlipCount
    model: FlipCount | None
    both: int | None
    by_rule: tuple[RuleFlips, ...]
    unread: tuple[str, ...] = ()

    @property
    def records(self) -> int:
        """How many were asked about."""
        return self.rules.changed.size

    @property
    def changes_anything(self) -> bool:
        """Whether any answer changes, of the model or of the rules."""
        counts = filter(None, (self.rules, self.model))
        return any(count.changed.hits for count in counts)

    @property
    def audited(self) -> FlipCount:
        """The model's answers where there is one, else those of the rules."""
        return self.model or self.rules


@dataclass(frozen=True, slots=True, eq=False)
class FlipRecords:
    """Records to be changed and asked about.

    Parameters
    ----------
    source
        The records, as groups are made of them.
    frame
        The same records in the same order, as the model gets them.
    answer
        The model; None where it is not at hand.
    reads
        The columns that the model reads; None where nobody knows.
    """

    source: FrameSource
    frame: pd.DataFrame = field(repr=False)
    answer: Answer | None = None
    reads: Sequence[str] | None = None


def run_flips(
    records: FlipRecords,
    theory: RankedTheory,
    axes: Sequence[Axis],
    outcome: str,
    plans: Sequence[FlipPlan],
    *,
    most: int = MOST_ASKED,
) -> tuple[FlipResult, ...]:
    """All flips, with p-values corrected for their number, the model's and the rules' apart.

    Of a group with more than `most` records some are drawn.
    """
    work = _Flipping(records, theory, {axis.name: axis for axis in axes}, outcome)
    flips = [work.flip(plan, most) for plan in plans]
    rules = holm([each.rules.p_value for each in flips])
    model = holm([each.model.p_value if each.model else math.nan for each in flips])
    return tuple(
        replace(
            each,
            rules=replace(each.rules, adjusted=by_rules),
            model=replace(each.model, adjusted=by_model) if each.model else None,
        )
        for each, by_rules, by_model in zip(flips, rules, model, strict=True)
    )


class _Flipping:
    """Records with their groups and the answers before anything is changed."""

    def __init__(
        self,
        records: FlipRecords,
        theory: RankedTheory,
        axes: Mapping[str, Axis],
        outcome: str,
    ) -> None:
        self._records, self._theory, self._axes = records, theory, axes
        self._outcome = outcome
        self._codes = {name: records.source.codes(axis) for name, axis in axes.items()}

    def flip(self, plan: FlipPlan, most: int) -> FlipResult:
        group, target = self._members(plan, "before"), self._members(plan, "after")
        places = np.flatnonzero(group)
        if len(places) > most:
            drawn = np.random.default_rng([0, most]).choice(len(places), most, False)
            places = places[np.sort(drawn)]
        before = self._records.frame.iloc[places].reset_index(drop=True)
        after = self._changed(plan, before, places, group, target)
        deciding, said = self._theory.deciding(before), self._theory.deciding(after)
        outcomes = np.array([*(rule.outcome for rule in self._theory.rules), self._theory.default])
        rules, moved_rules = self._count(outcomes[deciding], outcomes[said])
        model, moved_model = None, None
        unread: tuple[str, ...] = ()
        if self._records.answer is not None:
            answers = (
                np.asarray(self._records.answer(each), dtype=str) for each in (before, after)
            )
            model, moved_model = self._count(*answers)
            reads = self._records.reads
            changed = (*plan.columns, *plan.along)
            unread = tuple(name for name in changed if reads is not None and name not in reads)
        both = None if moved_model is None else int((moved_rules & moved_model).sum())
        by_rule = tuple(_by_rule(deciding, moved_rules, moved_model))
        return FlipResult(plan, int(group.sum()), rules, model, both, by_rule, unread)

    def _members(self, plan: FlipPlan, side: str) -> Bools:
        """Who is in all the groups before, or after, the change."""
        members = np.ones(self._records.source.size, dtype=bool)
        for change in plan.changes:
            code = self._code(change.column, getattr(change, side))
            members &= self._codes[change.column] == code
        return members

    def _code(self, column: str, group: str) -> int:
        if column not in self._axes:
            raise GLocalXError(
                f"{shown(column)} is not among the columns that make groups: {listing(self._axes)}."
            )
        groups = self._axes[column].groups
        if group not in groups:
            raise GLocalXError(
                f"{shown(column)} has no group {shown(group)} to be changed. It has: "
                f"{listing(groups)}."
            )
        return groups.index(group)

    def _changed(
        self, plan: FlipPlan, before: pd.DataFrame, places: Ints, group: Bools, target: Bools
    ) -> pd.DataFrame:
        """The records as they would be in the other group."""
        after = before.copy()
        for change in plan.changes:
            column = change.column
            if column in after and self._axes[column].feature.is_categorical:
                after[column] = pd.Series([change.after] * len(after), dtype=after[column].dtype)
            elif column in after:
                band = self._codes[column] == self._code(column, change.after)
                after[column] = moved(self._records.frame[column], places, group, band)
        for name in plan.along:
            if name in after:
                after[name] = moved(self._records.frame[name], places, group, target)
        return after

    def _count(self, before: npt.NDArray[Any], after: npt.NDArray[Any]) -> tuple[FlipCount, Bools]:
        changed = np.asarray(before != after)
        gained = int((changed & (after == self._outcome)).sum())
        lost = int((changed & (before == self._outcome)).sum())
        share = Share(int(changed.sum()), len(changed))
        return FlipCount(share, gained, lost, direction_p_value(gained, lost)), changed


def _by_rule(deciding: Ints, by_rules: Bools, by_model: Bools | None) -> Iterator[RuleFlips]:
    for place in sorted(set(deciding.tolist()), key=lambda place: (place < 0, place)):
        mine = deciding == place
        model = None if by_model is None else int((mine & by_model).sum())
        rule = None if place < 0 else place
        yield RuleFlips(rule, int(mine.sum()), model, int((mine & by_rules).sum()))
