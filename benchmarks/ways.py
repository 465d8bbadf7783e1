"""Ways from local rules to a theory, and the tree that they are held against."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

from benchmarks.cells import Cell
from glocalx.baselines.tree import grow, iter_leaf_rules
from glocalx.merging.hierarchy import Hierarchy
from glocalx.merging.iterate import merged
from glocalx.merging.search import MergeSettings
from glocalx.rules.branches import TreeColumns
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.idle import without_idle
from glocalx.rules.rule import Rule
from glocalx.rules.scoring import Reference
from glocalx.rules.theory import Theory
from glocalx.selection import (
    DEFAULT_PRICE,
    FEW_RULES,
    budget_candidates,
    select,
    select_alpha,
    select_alpha_together,
    select_budget,
    shortened,
    with_otherwise,
    with_wider,
)
from glocalx.selection.candidates import without_one

BUDGET = 10
WEIGHT = 0.05
Way: TypeAlias = Callable[["Ways"], tuple[Iterable[Rule] | RankedTheory, Reference]]


def widened(rules: Iterable[Rule], reference: Reference) -> Theory:
    """The rules, and what is left of each when conditions are dropped, one after the other.

    Each time the condition goes that costs the least accuracy on the reference records (on a tie
    the first by name), as long as one is left.
    """
    found: set[Rule] = set()
    for rule in rules:
        while rule not in found:
            found.add(rule)
            if len(rule) < 2:
                break
            rule = min(without_one(rule), key=lambda each: -reference.score(each).accuracy)
    return Theory.of(found)


@dataclass(frozen=True, slots=True)
class Figures:
    """What became of a theory on the records that judge it."""

    fidelity: float
    conditions: int
    rules: int


class Ways:
    """The ways of one cell; each hierarchy is made once."""

    def __init__(self, cell: Cell) -> None:
        self.cell = cell
        self.hierarchy: Callable[..., Hierarchy] = cache(self._hierarchy)
        self.candidates: Callable[[str, bool], list[Rule]] = cache(self._candidates)

    @property
    def explained(self) -> Reference:
        return self.cell.explained

    @property
    def labelled(self) -> Reference:
        return self.cell.labelled

    def _hierarchy(self, bic_on: str, *, labelled: bool, weight: float = 0.1) -> Hierarchy:
        settings = MergeSettings(bic_on=bic_on, complexity_weight=weight)  # type: ignore[arg-type]
        return merged(self.cell.rules, self.labelled if labelled else self.explained, settings)

    def whole(self, weight: float = WEIGHT) -> Hierarchy:
        return self.hierarchy("whole", labelled=True, weight=weight)

    def _candidates(self, wide: str, labelled: bool) -> list[Rule]:
        """Every rule of the whole's hierarchy; `one` or `all` conditions left out."""
        rules, reference = self.whole().every_rule(), self.labelled if labelled else self.explained
        if wide == "one":
            return list(with_wider(rules))
        return list(widened(rules, reference)) if wide == "all" else list(rules)

    def ten(
        self, wide: str, *, labelled: bool, price: float | None, ahead: bool
    ) -> tuple[Iterable[Rule], Reference]:
        """Ten rules of the whole's hierarchy; see :func:`ten`."""
        reference = self.labelled if labelled else self.explained
        candidates = self.candidates(wide, labelled)
        rules = select_budget(candidates, reference, BUDGET, (price or 0.0) if ahead else 0.0)
        return rules if price is None else shortened(rules, reference, price=price), reference

    def figures(self, way: Way) -> Figures:
        rules, reference = way(self)
        theory = rules if isinstance(rules, RankedTheory) else RankedTheory.of(rules, reference)
        conditions = sum(map(len, theory.rules))
        return Figures(theory.fidelity(self.cell.judge), conditions, theory.size)


def union(ways: Ways) -> tuple[Iterable[Rule], Reference]:
    return ways.cell.rules, ways.explained


def not_merged(ways: Ways) -> tuple[Iterable[Rule], Reference]:
    return select_budget(ways.cell.rules, ways.explained, BUDGET), ways.explained


def left(bic_on: str, *, labelled: bool, weight: float = 0.1) -> Way:
    """All rules that merging leaves."""

    def way(ways: Ways) -> tuple[Iterable[Rule], Reference]:
        hierarchy = ways.hierarchy(bic_on, labelled=labelled, weight=weight)
        return hierarchy.rules(), ways.labelled if labelled else ways.explained

    return way


def alpha(bic_on: str, *, labelled: bool, weight: float = 0.1) -> Way:
    """The paper's filter on these."""

    def way(ways: Ways) -> tuple[Iterable[Rule], Reference]:
        hierarchy = ways.hierarchy(bic_on, labelled=labelled, weight=weight)
        reference = ways.labelled if labelled else ways.explained
        return select_alpha(hierarchy.rules(), reference, BUDGET), reference

    return way


def alpha_together(*, every: bool = True, otherwise: bool = True, helping: bool = False) -> Way:
    """Rules that are faithful together, outcome by outcome, after merging by the whole.

    Parameters
    ----------
    every
        From every rule of the hierarchy, or from those that merging left.
    otherwise
        Whether the default is the most common answer to records that no rule covers.
    helping
        Whether conditions and rules go without which all of them are no less faithful.
    """

    def way(ways: Ways) -> tuple[RankedTheory, Reference]:
        hierarchy, known = ways.whole(), ways.labelled
        rules = without_idle(hierarchy.every_rule() if every else hierarchy.rules(), known)
        taken = select_alpha_together(rules, known, BUDGET)
        theory = RankedTheory.of(shortened(taken, known) if helping else taken, known)
        return with_otherwise(theory, known) if otherwise else theory, known

    return way


def alpha_otherwise(ways: Ways) -> tuple[RankedTheory, Reference]:
    """The paper's filter after merging by the whole, with another default."""
    rules, known = alpha("whole", labelled=True, weight=WEIGHT)(ways)
    assert not isinstance(rules, RankedTheory)
    return with_otherwise(RankedTheory.of(rules, known), known), known


def ten_as_before(ways: Ways) -> tuple[Iterable[Rule], Reference]:
    """Merged pair by pair and chosen on the explained records; conditions are free."""
    candidates = budget_candidates(ways.hierarchy("all", labelled=False), ways.explained)
    return select_budget(candidates, ways.explained, BUDGET), ways.explained


def ten_plainer(share: float) -> Way:
    """As before, without conditions that keep no more than this share of the records out."""

    def way(ways: Ways) -> tuple[Iterable[Rule], Reference]:
        every = ways.hierarchy("all", labelled=False).every_rule()
        candidates = with_wider(every) if every.size < FEW_RULES else every
        plainer = without_idle(candidates, ways.explained, share)
        return select_budget(plainer, ways.explained, BUDGET), ways.explained

    return way


def ten(
    wide: str = "", *, labelled: bool = True, price: float | None = None, ahead: bool = False
) -> Way:
    """Ten rules of the whole's hierarchy.

    Parameters
    ----------
    wide
        Also from its rules without `one` of their conditions, or without `all` but one.
    price
        Of a condition; see :func:`glocalx.selection.records_to_earn`.
    ahead
        A rule has to earn its conditions when it is chosen, too, not only afterwards.
    """
    return lambda ways: ways.ten(wide, labelled=labelled, price=price, ahead=ahead)


def ten_priced(price: float = DEFAULT_PRICE) -> Way:
    """What people get, at this price."""

    def way(ways: Ways) -> tuple[Iterable[Rule], Reference]:
        return select(ways.whole(), ways.labelled, budget=BUDGET, price=price), ways.labelled

    return way


def tree(*, labelled: bool) -> Way:
    """A tree of as many leaves."""

    def way(ways: Ways) -> tuple[Iterable[Rule], Reference]:
        reference = ways.labelled if labelled else ways.explained
        columns = TreeColumns(reference.records.schema)
        grown = grow(reference, columns, max_leaves=BUDGET)
        return list(iter_leaf_rules(grown, columns, reference.records)), reference

    return way
