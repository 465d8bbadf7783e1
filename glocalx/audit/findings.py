"""What was found, group by group: all that belongs to one of them, with its verdict."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from glocalx.audit.audit import Audit
from glocalx.audit.comparison import GroupComparison, GroupVerdict
from glocalx.audit.flips import FlipResult
from glocalx.audit.responsibility import Responsibility
from glocalx.audit.settings import Answerer
from glocalx.audit.subgroups import Subgroup

MOST_CARDS = 8
"""More are not read one by one; the rest stands in the table below them."""


@dataclass(frozen=True, slots=True)
class ResponsibleRule:
    """The rule that brings the largest part of a group's difference by the rules.

    Parameters
    ----------
    share
        What it has to do with the group; its rule is None for what happens without any.
    difference
        The rules' own difference.
    without
        The difference if this rule were not there; NaN for what happens without any.
    """

    share: Responsibility
    difference: float
    without: float


@dataclass(frozen=True, slots=True)
class GroupFinding:
    """One group beside those that it is compared with.

    Parameters
    ----------
    group
        With what everybody says about it.
    answers
        Whose answers are audited.
    comparison
        Of these answers.
    rule
        Which rule is responsible; None where no rule makes a difference.
    flips
        What the flip test says, alone and with proxies changed along; empty where it was not made.
    mirrors
        Whether another finding is the same comparison, seen from the other side.
    within
        For a combination of columns: the group of one of them that differs the same way alone, so
        that the combination says nothing new; None where it does.
    """

    group: Subgroup
    answers: Answerer
    comparison: GroupComparison
    rule: ResponsibleRule | None
    flips: tuple[FlipResult, ...] = ()
    mirrors: bool = False
    within: Subgroup | None = None

    @property
    def verdict(self) -> GroupVerdict:
        return self.comparison.verdict

    @property
    def is_explained_worse(self) -> bool:
        """Whether rules and black box agree less often here than elsewhere."""
        found = self.group.agreement
        return found is not None and found.verdict == "different" and found.difference.value < 0

    def difference(self, answerer: Answerer) -> float:
        """The group's difference by one of those who answer; NaN where there are no answers."""
        found = self.group.comparison(answerer)
        return math.nan if found is None else found.difference.value


@dataclass(frozen=True, slots=True)
class Findings:
    """All groups with a counterpart that somebody is in.

    Parameters
    ----------
    cards
        Those that differ, as far as they can be read one by one: columns alone first, the largest
        differences first. Of two that are the same comparison the one with the higher share; of
        combinations those whose difference shows in none of their columns alone.
    others
        All others.
    compared
        Number of comparisons that the correction counts.
    """

    cards: tuple[GroupFinding, ...]
    others: tuple[GroupFinding, ...]
    compared: int

    @property
    def different(self) -> int:
        """Number of groups that differ."""
        return sum(each.verdict == "different" for each in (*self.cards, *self.others))

    @property
    def groups(self) -> int:
        """Number of groups that were compared."""
        judged = (*self.cards, *self.others)
        return sum(each.verdict != "not enough records" for each in judged)


def findings(audit: Audit) -> Findings:
    """What was found, the clearest first."""
    answers, found = audit.answers, list[GroupFinding]()
    seen: set[Hashable] = set()
    for group in sorted(audit.subgroups.subgroups, key=lambda group: _order(group, answers)):
        comparison = group.comparison(answers)
        if comparison is None or not group.size:
            continue
        sides = group.columns, comparison.own, comparison.other
        mirrors = (group.columns, comparison.other, comparison.own) in seen
        flips = audit.flips.of(group.columns, group.groups) if audit.flips else ()
        rule = _responsible(audit, group)
        within = _within(group, comparison, found)
        found.append(GroupFinding(group, answers, comparison, rule, flips, mirrors, within))
        seen.add(sides)
    different = [each for each in found if each.verdict == "different"]
    clear = [each for each in different if not each.mirrors and each.within is None]
    cards = tuple(clear[:MOST_CARDS])
    shown = {id(each) for each in cards}
    others = tuple(each for each in found if id(each) not in shown)
    return Findings(cards, others, audit.subgroups.compared.get(answers, 0))


def _within(
    group: Subgroup, comparison: GroupComparison, before: Sequence[GroupFinding]
) -> Subgroup | None:
    """The group of fewer columns that this one is a part of, and that differs the same way."""
    mine = set(zip(group.columns, group.groups, strict=True))
    for each in before:
        theirs = set(zip(each.group.columns, each.group.groups, strict=True))
        same = each.comparison.difference.value * comparison.difference.value > 0
        if theirs < mine and same and each.verdict == "different":
            return each.group
    return None


def _order(group: Subgroup, answers: Answerer) -> tuple[int, float, float]:
    """Columns alone first, the largest difference first; of a pair the higher share first."""
    comparison = group.comparison(answers)
    difference = math.nan if comparison is None else comparison.difference.value
    if math.isnan(difference):
        return len(group.columns), 0.0, 0.0
    return len(group.columns), -round(abs(difference), 12), -difference


def _responsible(audit: Audit, group: Subgroup) -> ResponsibleRule | None:
    """The rule with the largest part in the direction of the rules' difference."""
    comparison = group.comparison("theory")
    if comparison is None or not comparison.difference.is_defined:
        return None
    difference = comparison.difference.value
    parts = audit.shares_of(group)
    most = max(parts, key=lambda each: each.contribution * difference, default=None)
    if most is None or not most.contribution * difference > 0:
        return None
    without = math.nan
    for ablation in audit.ablations:
        if ablation.rule is not None and ablation.rule == most.rule:
            without = ablation.after(group).value
    return ResponsibleRule(most, difference, without)
