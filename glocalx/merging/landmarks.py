"""The steps of a run that are worth a stop: where rules are joined or cut, where pairs are turned
down, and where all rules together lose answers."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, TypeAlias, get_args

from glocalx.merging.hierarchy import Hierarchy
from glocalx.merging.series import iter_sizes
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


def landmarks(hierarchy: Hierarchy, reference: Reference) -> Landmarks:
    """Look through all steps of a run, finished or not."""
    steps = list(hierarchy.steps)
    agreed = tuple(agreed for _, agreed in iter_sizes(hierarchy, steps, reference))
    drops = [after < before for before, after in pairwise(agreed)]
    kinds: dict[Landmark, list[bool]] = {
        "join": [bool(step.joins) for step in steps],
        "cut": [step.cuts_something for step in steps],
        "refusal": [bool(step.rejected) for step in steps],
        "fidelity drop": drops,
    }
    numbers: dict[Landmark, tuple[int, ...]] = {
        kind: tuple(step.number for step, is_one in zip(steps, which, strict=True) if is_one)
        for kind, which in kinds.items()
    }
    return Landmarks(numbers, agreed)
