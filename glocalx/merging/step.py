"""One accepted merge and all that a reader may ask about it."""

from __future__ import annotations

from dataclasses import dataclass

from glocalx.merging.operators import Cut, Join
from glocalx.merging.search import Trial
from glocalx.rules.rule import Rule


@dataclass(frozen=True, slots=True)
class MergeStep:
    """One accepted merge and all that a reader may ask about it.

    Parameters
    ----------
    number
        The place of the step, from 1.
    trial
        The pair, its similarity, both BICs and fidelities.
    theory
        The number of the theory that was made.
    rules
        The rules of that theory.
    rules_out, rules_in
        What the merge took away from the two theories and what it put there.
    joins, cuts
        What was joined and cut, with the change on each feature.
    rejected
        The more similar pairs that were tried first and turned down: merging them would have
        raised the BIC.
    piece
        Which piece of the run the step belongs to; the last piece merges what shards left.
    theories_left, rules_left
        How many there are after the step, in the whole run.
    progress
        How far along the run is, at least; a run that ends early jumps to 1.
    """

    number: int
    trial: Trial
    theory: int
    rules: frozenset[Rule]
    rules_out: tuple[Rule, ...]
    rules_in: tuple[Rule, ...]
    joins: tuple[Join, ...]
    cuts: tuple[Cut, ...]
    rejected: tuple[Trial, ...]
    piece: int
    theories_left: int
    rules_left: int
    progress: float

    @property
    def left(self) -> int:
        return self.trial.left

    @property
    def right(self) -> int:
        return self.trial.right

    @property
    def kind(self) -> str:
        """In a word what the step did: `join`, `cut`, `join and cut` or `side by side`."""
        if not (self.rules_in or self.rules_out):
            return "side by side"
        bites = any(done.after != done.before for done in self.cuts)
        if self.joins:
            return "join and cut" if bites else "join"
        return "cut"
