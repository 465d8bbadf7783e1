"""What rules do when they decide one after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from glocalx.rules.classifier import RankedTheory
from glocalx.rules.coverage import Records
from glocalx.rules.scoring import Reference


@dataclass(frozen=True, slots=True)
class FeatureImportance:
    """How much the answers of a theory rest on one feature.

    `decided`: records whose deciding rule names it; `share`: the same as a share of all records. 0:
    no answer rests on it; 1: every answer does.
    """

    feature: str
    rules: int
    decided: int
    share: float


def feature_importance(theory: RankedTheory, records: Records) -> tuple[FeatureImportance, ...]:
    """The features that rules name, the one on which most answers rest first."""
    rules: dict[str, int] = {}
    decided: dict[str, int] = {}
    for rule, bits in zip(theory.rules, theory.iter_decided(records), strict=False):
        for name in rule.features:
            rules[name] = rules.get(name, 0) + 1
            decided[name] = decided.get(name, 0) + bits.bit_count()
    found = [
        FeatureImportance(name, rules[name], decided[name], decided[name] / max(records.size, 1))
        for name in rules
    ]
    return tuple(sorted(found, key=lambda each: (-each.decided, -each.rules, each.feature)))


@dataclass(frozen=True, slots=True)
class RuleTurn:
    """One rule when its turn comes.

    Parameters
    ----------
    covered, agreed
        Records that it covers, and of these how many the black box labels as it does.
    waiting
        Records that no rule before it decided.
    decided
        Of these, those that it decides.
    """

    covered: int
    agreed: int
    waiting: int
    decided: int


def rule_turns(theory: RankedTheory, reference: Reference) -> tuple[RuleTurn, ...]:
    """For each rule in turn what it does; last the default, which covers what is left."""
    turns = []
    waiting = reference.size
    decisions = list(theory.iter_decided(reference.records))
    coverages = [*(reference.records.coverage(rule) for rule in theory.rules), decisions[-1]]
    for outcome, covered, decided in zip(theory.outcomes, coverages, decisions, strict=True):
        counts = (covered, covered & reference.having[outcome], decided)
        all_covered, agreed, settled = (bits.bit_count() for bits in counts)
        turns.append(RuleTurn(all_covered, agreed, waiting, settled))
        waiting -= settled
    return tuple(turns)


def rule_overlap(theory: RankedTheory, records: Records) -> npt.NDArray[np.int64]:
    """Records that two rules both cover, for each pair; on the diagonal what each covers."""
    coverages = [records.coverage(rule) for rule in theory.rules]
    counts = [[(one & other).bit_count() for other in coverages] for one in coverages]
    return np.array(counts, dtype=np.int64).reshape(theory.size, theory.size)


@dataclass(frozen=True, slots=True)
class Standing:
    """What one rule does among the others.

    Parameters
    ----------
    covered, agreed, decided, total
        LabelledTable records: covered, of these with the black box, really decided, and all.
    tested, confirmed
        Held-out records that it covers, and of these with the black box.
    losers
        Later rules with another outcome, and to how many explained records both apply.
    """

    covered: int
    agreed: int
    decided: int
    total: int
    tested: int
    confirmed: int
    losers: tuple[tuple[int, int], ...]


def standings(
    theory: RankedTheory, reference: Reference, held_out: Reference
) -> tuple[Standing, ...]:
    """What each rule does among the others."""
    turns, both = rule_turns(theory, reference), rule_overlap(theory, reference.records)
    found = []
    for place, (ranked, turn) in enumerate(zip(theory.ranked, turns, strict=False)):
        tested = held_out.records.coverage(ranked.rule)
        losers = tuple(
            (later, int(both[place, later]))
            for later in range(place + 1, theory.size)
            if theory.rules[later].outcome != ranked.rule.outcome and both[place, later]
        )
        confirmed = (tested & held_out.having[ranked.rule.outcome]).bit_count()
        counts = ranked.covered, ranked.agreed, turn.decided, reference.size
        found.append(Standing(*counts, tested.bit_count(), confirmed, losers))
    return tuple(found)


def conflicts(standing: Sequence[Standing]) -> Iterator[tuple[int, int, int]]:
    """Pairs of rules with different outcomes that meet: who decides, who does not, how often."""
    for winner, each in enumerate(standing):
        for loser, count in each.losers:
            yield winner, loser, count
