"""Merging two theories on a batch of records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from glocalx.merging.operators import Cut, Join, cut, join
from glocalx.rules.coverage import Bits
from glocalx.rules.rule import Rule
from glocalx.rules.scoring import Reference

Groups: TypeAlias = frozenset[frozenset[Rule]]


@dataclass(frozen=True, slots=True)
class Resolution:
    """What becomes of rules that cover the same records: the rules after, and how they came.

    Of the rules that cover one record, or of all such groups of two theories together; then the
    rules that no record touched are among those after.
    """

    rules: frozenset[Rule]
    joins: tuple[Join, ...]
    cuts: tuple[Cut, ...]


class Merger:
    """Merges theories on the reference records, remembering groups of rules it met before."""

    def __init__(self, reference: Reference) -> None:
        self.reference = reference
        self._resolved: dict[frozenset[Rule], Resolution] = {}
        self._known: dict[Rule, Rule] = {}

    def _one(self, rule: Rule) -> Rule:
        """One object for equal rules, so that looking it up again compares nothing."""
        return self._known.setdefault(rule, rule)

    def groups(self, left: frozenset[Rule], right: frozenset[Rule], shared: Bits) -> Groups:
        """For each record in `shared`, which both theories cover, the rules that cover it.

        Records with the same signature are one piece of work, so the records are not walked but
        split by one rule after the other.
        """
        if not shared:
            return frozenset()
        if len(left) == len(right) == 1:
            return frozenset((left | right,))
        cells: list[tuple[Bits, tuple[Rule, ...]]] = [(shared, ())]
        for rule in left | right:
            covered = self.reference.score(rule).coverage & shared
            if not covered:
                continue
            split = []
            for records, rules in cells:
                inside = records & covered
                if inside:
                    split.append((inside, (*rules, rule)))
                    records ^= inside
                if records:
                    split.append((records, rules))
            cells = split
        return frozenset(frozenset(rules) for _, rules in cells)

    def apply(self, union: frozenset[Rule], groups: Groups) -> frozenset[Rule]:
        """The rules of `union` with those in `groups` replaced by what they resolve to."""
        taken: set[Rule] = set()
        added: set[Rule] = set()
        for group in groups:
            taken |= group
            added |= self.resolve(group).rules
        return (union - taken) | added

    def resolution(self, rules: frozenset[Rule], groups: Groups) -> Resolution:
        """What :meth:`apply` made of groups, with all that was joined and cut on the way."""
        resolved = [self.resolve(group) for group in groups]
        joins = {done for each in resolved for done in each.joins}
        cuts = {done for each in resolved for done in each.cuts}
        return Resolution(
            rules=rules,
            joins=tuple(sorted(joins, key=lambda done: done.sort_key)),
            cuts=tuple(sorted(cuts, key=lambda done: done.sort_key)),
        )

    def resolve(self, group: frozenset[Rule]) -> Resolution:
        """Join the rules of each outcome; then the most accurate of them cuts the others."""
        resolution = self._resolved.get(group)
        if resolution is None:
            resolution = self._resolved[group] = self._resolve(group)
        return resolution

    def _resolve(self, group: frozenset[Rule]) -> Resolution:
        by_outcome: dict[str, list[Rule]] = {}
        for rule in sorted(group, key=lambda rule: rule.sort_key):
            by_outcome.setdefault(rule.outcome, []).append(self._one(rule))
        joins = [Join(tuple(parts), self._one(join(parts))) for parts in by_outcome.values()]
        dominant, *others = self.reference.ranked(done.result for done in joins)
        cuts = tuple(Cut(dominant, rule, self._cut(rule, dominant)) for rule in others)
        return Resolution(
            rules=frozenset((dominant, *(done.after for done in cuts if done.after))),
            joins=tuple(done for done in joins if len(done.parts) > 1),
            cuts=cuts,
        )

    def _cut(self, rule: Rule, dominant: Rule) -> Rule | None:
        left = cut(rule, dominant, self._count)
        return None if left is None else self._one(left)

    def _count(self, rule: Rule) -> int:
        return self.reference.records.coverage(rule).bit_count()
