"""Two ways from local rules to theories: as people get them, and as the paper has it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from glocalx.merging.hierarchy import Hierarchy
from glocalx.merging.iterate import merged
from glocalx.pipeline.settings import SelectionSettings
from glocalx.pipeline.theories import chosen_theory
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.rule import Rule
from glocalx.rules.scoring import Reference
from study.explained_cell import ExplainedCell


@dataclass(frozen=True, slots=True, eq=False)
class MergedRules:
    """Local rules, merged, and the theories that can be chosen from them.

    Parameters
    ----------
    hierarchy, reference
        What came of merging, and the records of that.
    price
        Of a condition; None for the paper's way: conditions are free, and alpha goes one by one.
    seconds
        How long merging took.
    """

    hierarchy: Hierarchy
    reference: Reference
    price: float | None
    seconds: float

    @classmethod
    def as_people_get(
        cls, rules: Sequence[Rule], work: ExplainedCell, reference: Reference | None = None
    ) -> MergedRules:
        """Merged by the whole, on every record with a label unless others are given."""
        begun, known, chosen = time.perf_counter(), reference or work.known, work.settings
        hierarchy = merged(rules, known, chosen.merging)
        return cls(hierarchy, known, chosen.price, time.perf_counter() - begun)

    @classmethod
    def as_printed(
        cls, rules: Sequence[Rule], work: ExplainedCell, reference: Reference | None = None
    ) -> MergedRules:
        """Merged pair by pair, on the explained records unless others are given."""
        begun, known = time.perf_counter(), reference or work.reference
        hierarchy = merged(rules, known, work.settings.as_printed)
        return cls(hierarchy, known, None, time.perf_counter() - begun)

    def budget(self, rules: int) -> RankedTheory:
        return self._chosen(SelectionSettings("budget", rules, price=self.price))

    def alpha(self, rules: int) -> RankedTheory:
        return self._chosen(SelectionSettings("alpha", rules, together=self.price is not None))

    def alpha_q(self, percentile: float) -> RankedTheory:
        return self._chosen(SelectionSettings("alpha_q", percentile))

    @property
    def left(self) -> RankedTheory:
        """All rules that merging leaves."""
        return RankedTheory.of(self.hierarchy.rules(), self.reference)

    def _chosen(self, selection: SelectionSettings) -> RankedTheory:
        return chosen_theory(self.hierarchy, self.reference, selection)
