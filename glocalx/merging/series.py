"""How fidelity, number of rules and their length went, over the whole run."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from glocalx.merging.hierarchy import Hierarchy, MergeStep
from glocalx.merging.whole import Whole
from glocalx.rules.scoring import Reference
from glocalx.rules.theory import Theory


@dataclass(frozen=True, slots=True)
class RunSeries:
    """All rules together after some of the steps that change rules; step 0 is the start.

    Parameters
    ----------
    steps
        Which steps: all, or evenly spaced ones of a long run.
    fidelity
        On the reference records.
    rules, length
        How many there are, and their mean number of premises.
    """

    steps: tuple[int, ...]
    fidelity: tuple[float, ...]
    rules: tuple[int, ...]
    length: tuple[float, ...]

    def with_step(self, at: int, rules: Theory, reference: Reference) -> RunSeries:
        """The series with its values at a step that it may have left out; `rules` are all then."""
        place = bisect_left(self.steps, at)
        if place < len(self.steps) and self.steps[place] == at:
            return self
        now = (at, reference.fidelity(rules), rules.size, rules.length)
        columns: tuple[Any, ...] = (self.steps, self.fidelity, self.rules, self.length)
        return RunSeries(*((*c[:place], v, *c[place:]) for c, v in zip(columns, now, strict=True)))


def run_series(hierarchy: Hierarchy, reference: Reference, most: int = 600) -> RunSeries:
    """Measure a run, finished or not.

    At most `most` evenly spaced steps are in it, always the first and the last. Compute it once for
    a number of steps and keep it: it does not depend on what is looked at.
    """
    steps = list(hierarchy.steps)  # it may grow meanwhile
    sizes = list(iter_sizes(hierarchy, steps, reference))
    rules = [len(hierarchy.local_rules), *(step.rules_left for step in steps)]
    told = [0, *(step.number for step in steps if step.changes_rules)]
    wanted = np.linspace(0, len(told) - 1, min(len(told), most)).round().astype(int)
    rows = []
    for at in np.unique(wanted).tolist():
        (words, agreed), count = sizes[told[at]], rules[told[at]]
        rows.append((at, agreed / reference.size, count, (words - count) / max(count, 1)))
    columns: list[Any] = list(zip(*rows, strict=True))
    return RunSeries(*columns)


def iter_sizes(
    hierarchy: Hierarchy, steps: Iterable[MergeStep], reference: Reference
) -> Iterator[tuple[int, int]]:
    """The size of all rules together, see :class:`Whole`: at the start, and after each step."""
    whole = Whole((frozenset((rule,)) for rule in hierarchy.local_rules), reference)
    yield whole.size
    for step in steps:
        whole.replace(hierarchy.rules_of(step.left), hierarchy.rules_of(step.right), step.rules)
        yield whole.size
