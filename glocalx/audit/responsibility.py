"""Which rules a disparity comes from, and what would be without them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from glocalx.audit.comparison import Share
from glocalx.audit.grouping import GroupCells, NamedGroup, compared_groups
from glocalx.audit.intervals import UNDEFINED, Estimate, share
from glocalx.audit.settings import AuditSettings
from glocalx.audit.source import Source
from glocalx.audit.subgroups import check_outcome
from glocalx.audit.tally import Ints, Tally
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.rule import Rule, canonical_rule

Pair: TypeAlias = tuple[GroupCells, GroupCells | None]
Measured: TypeAlias = tuple[Estimate, list[Estimate]]


@dataclass(frozen=True, slots=True)
class Responsibility(NamedGroup):
    """What one rule has to do with a subgroup's outcome.

    Parameters
    ----------
    rule
        The place of the rule, None for the default.
    decided
        Records of the subgroup to which this rule gives the outcome.
    of_outcome
        As a share of all records of the subgroup that get the outcome; undefined if none does.
    of_group
        As a share of the subgroup; undefined for nobody.
    contribution
        That share minus the counterpart's. The contributions of all rules add up to the
        difference between the two selection rates. Undefined for the group that others are
        compared with.
    """

    rule: int | None
    decided: int
    of_outcome: Estimate
    of_group: Estimate
    contribution: float


@dataclass(frozen=True, slots=True)
class Disparity(NamedGroup):
    """The selection rate of a subgroup minus that of its counterpart, before and after."""

    before: Estimate
    after: Estimate


@dataclass(frozen=True, slots=True)
class Ablation:
    """The theory without a rule, or with a feature barred.

    Parameters
    ----------
    rule, feature
        What is taken away: a rule, by its place, or a feature.
    rules_changed
        How many rules that touches.
    fidelity_before, fidelity_after
        Agreement with the black box on all records that have its label.
    disparities
        For each subgroup; the group that others are compared with has none.
    """

    rule: int | None
    feature: str | None
    rules_changed: int
    fidelity_before: Estimate
    fidelity_after: Estimate
    disparities: tuple[Disparity, ...]

    def after(self, group: NamedGroup) -> Estimate:
        """What becomes of a group's disparity; undefined where it has none."""
        found = (each.after for each in self.disparities if each.named == group.named)
        return next(found, UNDEFINED)


def responsibilities(
    tally: Tally, default: str, asked: AuditSettings
) -> tuple[Responsibility, ...]:
    """For each subgroup, which rules (and the default) give it the outcome."""
    outcome = asked.outcome
    check_outcome(tally, outcome)
    deciding = tally.deciding()
    places: list[int] = [i for i, rule in enumerate(tally.rules) if rule.outcome == outcome]
    if default == outcome:
        places.append(-1)
    given = tally.outcomes_of(deciding, default) == tally.outcomes.index(outcome)
    found = []
    for group, other in compared_groups(tally, asked.column_sets, asked.against):
        of_outcome = tally.records(given & group.cells)
        for place in places:
            mine = Share.of(tally, deciding == place, group.cells)
            contribution = math.nan
            if other is not None:
                theirs = Share.of(tally, deciding == place, other.cells)
                contribution = mine.rate().value - theirs.rate().value
            found.append(
                Responsibility(
                    *group.named,
                    None if place < 0 else place,
                    mine.hits,
                    share(mine.hits, of_outcome),
                    mine.rate(),
                    contribution,
                )
            )
    return tuple(found)


class Ablations:
    """The theory as it is, ready to be compared with itself when something is taken away."""

    def __init__(self, tally: Tally, theory: RankedTheory, asked: AuditSettings) -> None:
        check_outcome(tally, asked.outcome)
        self._tally, self._theory, self._asked = tally, theory, asked
        self._pairs = self._compared(tally)
        self._outcome = tally.outcomes.index(asked.outcome)
        self._before = self._measured(tally, self._pairs, tally.deciding())

    def without_rule(self, place: int) -> Ablation:
        """Without one rule; the next rule that covers a record decides, else the default."""
        after = self._measured(self._tally, self._pairs, self._tally.deciding(without=[place]))
        return self._ablation(place, None, 1, after)

    def without_feature(self, feature: str, source: Source) -> Ablation:
        """With a feature barred from all rules, in the way that is asked for.

        `source`: the records, as rules without a premise cover others.
        """
        naming = [i for i, rule in enumerate(self._theory.rules) if feature in rule.features]
        if self._asked.ablation == "rules":
            after = self._measured(self._tally, self._pairs, self._tally.deciding(without=naming))
            return self._ablation(None, feature, len(naming), after)
        rules = dict.fromkeys(_without(rule, feature) for rule in self._theory.rules)
        tally = source.tally(tuple(rules), self._tally.axes)
        after = self._measured(tally, self._compared(tally), tally.deciding(accuracy_order(tally)))
        return self._ablation(None, feature, len(naming), after)

    def _compared(self, tally: Tally) -> list[Pair]:
        return compared_groups(tally, self._asked.column_sets, self._asked.against)

    def _measured(self, tally: Tally, pairs: Sequence[Pair], deciding: Ints) -> Measured:
        """Fidelity, and the disparity of each subgroup that has a counterpart."""
        given = tally.outcomes_of(deciding, self._theory.default)
        fidelity = Share.of(tally, given == tally.black_box, tally.black_box >= 0).rate()
        hits = given == self._outcome
        disparities = [
            Share.of(tally, hits, group.cells).minus(Share.of(tally, hits, other.cells))
            for group, other in pairs
            if other is not None
        ]
        return fidelity, disparities

    def _ablation(
        self, rule: int | None, feature: str | None, changed: int, after: Measured
    ) -> Ablation:
        compared = [group for group, other in self._pairs if other is not None]
        disparities = tuple(
            Disparity(*group.named, was, becomes)
            for group, was, becomes in zip(compared, self._before[1], after[1], strict=True)
        )
        return Ablation(rule, feature, changed, self._before[0], after[0], disparities)


def _without(rule: Rule, feature: str) -> Rule:
    premises = {name: premise for name, premise in rule.premises if name != feature}
    return canonical_rule(premises, rule.outcome)


def accuracy_order(tally: Tally) -> list[int] | None:
    """The places of the rules in the order that their accuracy on the counted records gives them.

    None where the black box's labels are not known.
    """
    if not tally.has_black_box:
        return None
    ranks = []
    for place, rule in enumerate(tally.rules):
        covered = tally.covers[:, place] & (tally.black_box >= 0)
        size = tally.records(covered)
        outcome = tally.outcomes.index(rule.outcome)
        agreed = tally.records(covered & (tally.black_box == outcome))
        accuracy = (agreed + 1) / (size + len(tally.outcomes))
        ranks.append((-accuracy, -size, rule.sort_key, place))
    return [place for *_, place in sorted(ranks)]
