"""The steps of a run as people count them: a merge that changes no rule is none.

Of such a merge nothing can be seen but that two theories stand together. It stays in the record,
because later merges rest on it, and is counted to the step after it, or to the last one.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, replace

from glocalx.merging.hierarchy import Hierarchy, MergeStep


@dataclass(frozen=True, slots=True)
class ToldSteps:
    """The merges that changed rules, and where they stand in the record.

    Parameters
    ----------
    steps
        Numbered from 1 among themselves; their theories have the numbers of the record.
    places
        The number of each in the record.
    merges
        How many merges the record has.
    """

    steps: tuple[MergeStep, ...]
    places: tuple[int, ...]
    merges: int

    @classmethod
    def of(cls, hierarchy: Hierarchy) -> ToldSteps:
        made = list(hierarchy.steps)  # it may grow meanwhile
        told = [step for step in made if step.changes_rules]
        numbered = (replace(step, number=count) for count, step in enumerate(told, start=1))
        return cls(tuple(numbered), tuple(step.number for step in told), len(made))

    def __len__(self) -> int:
        return len(self.steps)

    def place(self, at: int) -> int:
        """How many merges of the record were made when step `at` was; after the last one, all."""
        if at >= len(self.steps):
            return self.merges
        return self.places[at - 1] if at > 0 else 0

    def count(self, place: int) -> int:
        """How many of the first so many merges of the record are steps."""
        return bisect_right(self.places, place)

    def step_of(self, place: int) -> int:
        """The step to which a merge of the record is counted; 0 for none."""
        return min(bisect_left(self.places, place) + 1, len(self.steps)) if place else 0
