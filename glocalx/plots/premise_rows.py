"""What a join or a cut did to the premises of one feature, line by line. No drawing here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from glocalx.merging.operators import Change, Cut, Join
from glocalx.rules.rule import Premise

MOST_PARTS = 8


@dataclass(frozen=True, slots=True)
class PremiseRow:
    """One line below the bars.

    Parameters
    ----------
    label
        What stands before it.
    premise
        None: no condition on this feature.
    outcome
        Of the rule, for its colour.
    thick
        Whether it is the result.
    lost
        What was cut away from it.
    """

    label: str
    premise: Premise | None
    outcome: str
    thick: bool = False
    lost: tuple[Premise, ...] = ()


def fallen_away(join: Join) -> tuple[str, ...]:
    """The features whose condition a join dropped."""
    return tuple(change.feature for change in join.changes if change.after is None)


def join_rows(join: Join, change: Change) -> tuple[PremiseRow, ...]:
    """The parts, then the result. Equal premises share a line; beyond eight lines parts are left
    out, and the result says of how many it is made.
    """
    letters: dict[Premise | None, list[str]] = {}
    for place, premise in enumerate(change.before):
        letters.setdefault(premise, []).append(_letter(place))
    outcome = join.result.outcome
    rows = [
        PremiseRow(f"{'Part' if len(named) == 1 else 'Parts'} {_few(named)}", premise, outcome)
        for premise, named in letters.items()
    ]
    label = "Joined" if len(rows) <= MOST_PARTS else f"All {len(join.parts)} joined"
    return (*rows[:MOST_PARTS], PremiseRow(label, change.after, outcome, thick=True))


def _letter(place: int) -> str:
    return chr(ord("A") + place) if place < 26 else str(place + 1)


def _few(named: Sequence[str]) -> str:
    return ", ".join(named) if len(named) <= 3 else f"{', '.join(named[:2])} +{len(named) - 2}"


def cut_rows(cut: Cut, change: Change) -> tuple[PremiseRow, ...]:
    """The rule that stays, the rule that gives way, and what is left of it."""
    (before,), after = change.before, change.after
    lost: tuple[Premise, ...] = ()
    if before is not None and after is not None:
        lost = before.minus(after)  # type: ignore[arg-type]
    outcome = cut.before.outcome
    return (
        PremiseRow("Stays", cut.dominant.premise(change.feature), cut.dominant.outcome),
        PremiseRow("Before", before, outcome),
        PremiseRow("After", after, outcome, thick=True, lost=lost),
    )
