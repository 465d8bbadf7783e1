"""The final theory, chosen with what people said in mind.

Bars and directions say what any rule may be: they change what there is to choose from. Pinned,
changed and written rules are in the theory as they are, whatever is chosen besides; removed ones
are not, and nothing takes their place, so that one step never moves the other rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from glocalx.errors import GLocalXError
from glocalx.merging.hierarchy import Hierarchy
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.rule import Rule
from glocalx.rules.scoring import Reference
from glocalx.rules.steering import NOTHING_STEERED, Steering, SteeringStep
from glocalx.rules.theory import Theory
from glocalx.selection import select, with_otherwise


def may_be_chosen(rules: Iterable[Rule], steering: Steering) -> Theory:
    """The rules without barred features and without ends that break a direction.

    A rule that has no condition left says nothing any more and is gone.
    """
    made = []
    for rule in rules:
        free = steering.stripped(rule)
        for direction in steering.directions:
            free = direction.freed(free)
        if len(free) or free == rule:
            made.append(free)
    return Theory.of(made)


@dataclass(slots=True)
class RestrictedHierarchy(Hierarchy):
    """A hierarchy to choose from: its rules are those that may be chosen."""

    steering: Steering = NOTHING_STEERED

    def rules(self, at: int | None = None) -> Theory:
        return may_be_chosen(Hierarchy.rules(self, at), self.steering)

    def every_rule(self) -> Theory:
        return may_be_chosen(Hierarchy.every_rule(self), self.steering)


def restricted(hierarchy: Hierarchy, steering: Steering) -> Hierarchy:
    """What there is to choose from; the hierarchy itself where nobody said anything about it."""
    only = steering.restrictions
    if not only:
        return hierarchy
    parts = {each.name: getattr(hierarchy, each.name) for each in fields(Hierarchy)}
    view = RestrictedHierarchy(**parts, steering=only)
    if not view.every_rule().size:
        raise GLocalXError(
            "No rule is left that keeps to what was said: every one names a barred feature alone. "
            "Lift a bar."
        )
    return view


def with_hand(chosen: Iterable[Rule], steering: Steering, reference: Reference) -> RankedTheory:
    """What was chosen, with what is by hand put in and taken out, each rule with its mark."""
    if not steering:
        return RankedTheory.of(chosen, reference)
    marks, gone = steering.by_hand, {*steering.changed, *steering.removed}
    ranked = RankedTheory.of([*(r for r in chosen if r not in gone), *marks], reference)
    marked = tuple(replace(each, mark=marks.get(each.rule)) for each in ranked.ranked)
    return replace(ranked, ranked=marked, steering=steering)


def steered_theory(
    hierarchy: Hierarchy,
    reference: Reference,
    steering: Steering,
    *,
    alpha: int | None = None,
    together: bool = True,
    **options: Any,
) -> RankedTheory:
    """The theory that is chosen and steered; all options are those of :func:`select`."""
    free = restricted(hierarchy, steering)
    chosen = select(free, reference, alpha=alpha, together=together, **options)
    made = with_hand(chosen, steering, reference)
    return with_otherwise(made, reference) if alpha is not None and together else made


def iter_steered(
    hierarchy: Hierarchy, reference: Reference, steering: Steering, options: Mapping[str, Any]
) -> Iterator[tuple[SteeringStep | None, RankedTheory]]:
    """The theory before the first step, and after each of them in turn.

    Parameters
    ----------
    options
        How it is chosen, see :func:`steered_theory`.
    """
    yield None, steered_theory(hierarchy, reference, NOTHING_STEERED, **options)
    for count, step in enumerate(steering.steps, start=1):
        so_far = Steering(steering.steps[:count])
        yield step, steered_theory(hierarchy, reference, so_far, **options)
