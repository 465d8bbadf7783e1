"""What each rule covers, decides and gets right, and which sensitive features it speaks of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from glocalx.audit.comparison import Share
from glocalx.audit.intervals import Estimate
from glocalx.audit.proxies import CLOSE, Association
from glocalx.audit.tally import Bools, Ints, Tally
from glocalx.rules.rule import Rule


@dataclass(frozen=True, slots=True)
class Overlap:
    """Records that another rule covers too.

    Parameters
    ----------
    rule
        The place of the other rule.
    records, share
        How many, and which share of what this rule covers.
    same_outcome
        Whether the two rules say the same.
    """

    rule: int
    records: int
    share: float
    same_outcome: bool


@dataclass(frozen=True, slots=True)
class RuleProfile:
    """One rule on the audited records.

    Parameters
    ----------
    place
        From 0, in the order in which rules decide.
    covered, decided
        Records that it covers, and those where it wins.
    agrees, right
        Of the covered records the share to which the black box gives the rule's outcome, and for
        which it is true; counted where the label is known, undefined where none is.
    decided_agrees, decided_right
        The same for the records that it decides.
    overlaps
        Other rules that cover some of its records, the largest first.
    sensitive
        Sensitive features that it names outright.
    proxies
        Features that it names, with all that they tell about sensitive ones, the closest first.
    """

    place: int
    rule: Rule
    covered: int
    decided: int
    agrees: Estimate
    right: Estimate
    decided_agrees: Estimate
    decided_right: Estimate
    overlaps: tuple[Overlap, ...]
    sensitive: tuple[str, ...]
    proxies: tuple[Association, ...]

    def close_proxies(self, threshold: float = CLOSE) -> tuple[Association, ...]:
        """The proxies of at least this strength."""
        return tuple(each for each in self.proxies if each.is_close(threshold))


def rule_profiles(
    tally: Tally, sensitive: Sequence[str], measured: Sequence[Association] = ()
) -> tuple[RuleProfile, ...]:
    """A profile of every rule of a tally.

    `measured`: what columns tell about the sensitive ones.
    """
    deciding = tally.deciding()
    profiles = []
    for place, rule in enumerate(tally.rules):
        covered, decided = tally.covers[:, place], deciding == place
        outcome = tally.outcomes.index(rule.outcome)
        proxies = [
            each
            for each in measured
            if each.column in rule.features and each.column not in sensitive
        ]
        proxies.sort(key=lambda each: -np.nan_to_num(each.strength, nan=-1.0))
        profiles.append(
            RuleProfile(
                place=place,
                rule=rule,
                covered=tally.records(covered),
                decided=tally.records(decided),
                agrees=_precision(tally, tally.black_box, outcome, covered),
                right=_precision(tally, tally.truth, outcome, covered),
                decided_agrees=_precision(tally, tally.black_box, outcome, decided),
                decided_right=_precision(tally, tally.truth, outcome, decided),
                overlaps=_overlaps(tally, place),
                sensitive=tuple(name for name in rule.features if name in sensitive),
                proxies=tuple(proxies),
            )
        )
    return tuple(profiles)


def _precision(tally: Tally, labels: Ints, outcome: int, cells: Bools) -> Estimate:
    return Share.of(tally, labels == outcome, cells & (labels >= 0)).rate()


def _overlaps(tally: Tally, place: int) -> tuple[Overlap, ...]:
    covered = tally.covers[:, place]
    size = tally.records(covered)
    shared = tally.count[covered] @ tally.covers[covered]
    outcome = tally.rules[place].outcome
    found = [
        Overlap(other, int(records), int(records) / size, tally.rules[other].outcome == outcome)
        for other, records in enumerate(shared)
        if other != place and records
    ]
    return tuple(sorted(found, key=lambda overlap: (-overlap.records, overlap.rule)))
