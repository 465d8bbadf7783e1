"""What each rule of a theory does among the others: covers, agrees, decides, wins over."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from glocalx.rules.classifier import RankedTheory
from glocalx.rules.coverage import Bits
from glocalx.rules.scoring import Reference


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
    covers = [reference.records.coverage(rule) for rule in theory.rules]
    decided = list(theory.iter_decided(reference.records))
    found = []
    for place, ranked in enumerate(theory.ranked):
        tested = held_out.records.coverage(ranked.rule)
        found.append(
            Standing(
                covered=ranked.covered,
                agreed=ranked.agreed,
                decided=decided[place].bit_count(),
                total=reference.size,
                tested=tested.bit_count(),
                confirmed=(tested & held_out.having[ranked.rule.outcome]).bit_count(),
                losers=tuple(_losers(theory, covers, place)),
            )
        )
    return tuple(found)


def _losers(theory: RankedTheory, covers: Sequence[Bits], place: int) -> list[tuple[int, int]]:
    mine, outcome = covers[place], theory.rules[place].outcome
    later = range(place + 1, theory.size)
    both = [
        (i, (mine & covers[i]).bit_count()) for i in later if theory.rules[i].outcome != outcome
    ]
    return [(i, count) for i, count in both if count]


def conflicts(standing: Sequence[Standing]) -> Iterator[tuple[int, int, int]]:
    """Pairs of rules with different outcomes that meet: who decides, who does not, how often."""
    for winner, each in enumerate(standing):
        for loser, count in each.losers:
            yield winner, loser, count
