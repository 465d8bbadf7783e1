"""The steps of a run that are worth a stop: where rules are joined or cut, where pairs are turned
down, and where all rules together lose answers."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from glocalx.merging.hierarchy import Hierarchy, MergeStep
from glocalx.merging.whole import Whole
from glocalx.rules.scoring import Reference

Landmark: TypeAlias = Literal["join", "cut", "refusal", "fidelity drop"]
LANDMARKS: tuple[Landmark, ...] = get_args(Landmark)


@dataclass(frozen=True, slots=True)
class Landmarks:
    """Which steps are of which kind; a step may be of several.

    Parameters
    ----------
    steps
        For each kind the numbers of its steps, ascending.
    agreed
        For each step, the start first, on how many records all rules together and the black box
        agree.
    """

    steps: Mapping[Landmark, tuple[int, ...]]
    agreed: tuple[int, ...]

    def after(self, at: int, kind: Landmark) -> int | None:
        """The next step of a kind; None where there is none."""
        places = self.steps[kind]
        found = bisect_right(places, at)
        return places[found] if found < len(places) else None

    def kinds(self, number: int) -> tuple[Landmark, ...]:
        """What a step is worth a stop for."""
        return tuple(kind for kind in LANDMARKS if number in self.steps[kind])


def cuts_something(step: MergeStep) -> bool:
    """Whether a cut of the step took anything, or all, from a rule."""
    return any(cut.after != cut.before for cut in step.cuts)


def landmarks(hierarchy: Hierarchy, reference: Reference) -> Landmarks:
    """Look through all steps of a run, finished or not."""
    steps = list(hierarchy.steps)
    agreed = _agreed(hierarchy, steps, reference)
    dropped = {step.number for step in steps if agreed[step.number] < agreed[step.number - 1]}
    kinds: dict[Landmark, list[MergeStep]] = {
        "join": [step for step in steps if step.joins],
        "cut": [step for step in steps if cuts_something(step)],
        "refusal": [step for step in steps if step.rejected],
        "fidelity drop": [step for step in steps if step.number in dropped],
    }
    numbers: dict[Landmark, tuple[int, ...]] = {
        kind: tuple(step.number for step in found) for kind, found in kinds.items()
    }
    return Landmarks(numbers, agreed)


def _agreed(
    hierarchy: Hierarchy, steps: Sequence[MergeStep], reference: Reference
) -> tuple[int, ...]:
    start = (frozenset((rule,)) for rule in hierarchy.local_rules)
    whole = Whole(start, reference)
    agreed = [whole.size[1]]
    for step in steps:
        left, right = hierarchy.rules_of(step.left), hierarchy.rules_of(step.right)
        whole.replace(left, right, step.rules)
        agreed.append(whole.size[1])
    return tuple(agreed)
