"""What each rule of a theory does among the others: covers, agrees, decides, wins over."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from glocalx.rules.classifier import RankedTheory
from glocalx.rules.scoring import Reference
from glocalx.rules.turns import rule_overlap, rule_turns


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
