"""What there is to choose in a run, in each of the ways to choose."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, replace

from glocalx.pipeline.settings import SelectionSettings
from glocalx.workspace.run import Run
from ui.opened import budget_path_of, explained_of, merged_rules_of

MOST_BUDGET = 60  # nobody reads more; the paper's two ways go further


@dataclass(frozen=True, slots=True)
class Room:
    """What can be chosen in one way: from `low` to `high` in steps."""

    low: float
    high: float
    step: float

    @property
    def is_empty(self) -> bool:
        return not self.low < self.high

    def fit(self, value: float) -> float:
        """The choice that is nearest, upwards to a whole step."""
        inside = min(max(value, self.low), self.high)
        steps = math.ceil((inside - self.low) / self.step - 1e-9)
        return min(self.low + self.step * steps, self.high)


def room_of(run: Run, chosen: SelectionSettings) -> Room:
    """What can be chosen in the way of this choice; the merge stage must be done."""
    if chosen.by == "budget":
        return Room(1, min(max(len(budget_path_of(run, chosen)), 1), MOST_BUDGET), 1)
    if chosen.by == "alpha":
        outcomes = len(explained_of(run).schema.outcomes)
        largest = max(Counter(rule.outcome for rule in merged_rules_of(run)).values(), default=1)
        return Room(outcomes, outcomes * largest, outcomes)
    return Room(0.0, 100.0, 0.5)


def fitting(run: Run, chosen: SelectionSettings) -> SelectionSettings:
    """The choice, made to fit what there is."""
    return replace(chosen, value=room_of(run, chosen).fit(chosen.value))
