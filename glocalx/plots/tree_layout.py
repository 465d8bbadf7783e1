"""Where the branches and merges of a tree stand. No drawing here.

A window of merges is laid out like a cluster tree: every theory that was there before the window
is a *branch* in a slot of its own, every merge stands half-way between its two theories. Lines
never cross, because a theory's branches stand together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from glocalx.merging.hierarchy import Hierarchy, MergeStep
from glocalx.merging.lineage import folded_rules

GAP = 0.8  # between theories that were not merged with each other, in slots


@dataclass(frozen=True, slots=True)
class FoldedBranch:
    """A theory from before the window.

    Parameters
    ----------
    theory
        Its number.
    slot
        Its height, from 0 at the top.
    folded
        The number of local rules that were merged into it.
    idle
        Whether no merge of the window touches it.
    """

    theory: int
    slot: float
    folded: int
    idle: bool


@dataclass(frozen=True, slots=True)
class Joint:
    """A merge of the window: where it stands, and where its two theories come from.

    `lefts` are the steps that made them, 0 for a branch.
    """

    step: MergeStep
    slot: float
    slots: tuple[float, float]
    lefts: tuple[int, int]
    is_root: bool


@dataclass(frozen=True, slots=True)
class TreeLayout:
    """A window of merges laid out.

    Parameters
    ----------
    first, last
        The step before the window, and its last.
    hidden
        Theories that no merge of the window touches and that are left out.
    """

    first: int
    last: int
    branches: tuple[FoldedBranch, ...]
    joints: tuple[Joint, ...]
    hidden: int
    slots: float


def tree_layout(hierarchy: Hierarchy, first: int, last: int, room: int | None) -> TreeLayout:
    """Lay out the merges after step `first` up to step `last`.

    Theories that none of them touches are shown as long as there are not more than `room`
    branches in all, or with None in any case. The theory of the most local rules stands on top.
    """
    steps = hierarchy.steps[first:last]
    made_by = {step.theory: step for step in steps}
    folded = folded_rules(hierarchy, last)
    merged = {number for step in steps for number in (step.left, step.right)}
    touched = [number for number in made_by if number not in merged]
    idle = [n for n in hierarchy.numbers(first) if n not in merged]
    branch_count = len(merged) - sum(number in made_by for number in merged)
    shown = idle if room is None or branch_count + len(idle) <= room else []
    roots = sorted((*touched, *shown), key=lambda number: (-folded[number], number))
    slots, height = _branch_slots(roots, made_by, folded)
    branches = tuple(
        FoldedBranch(number, slot, folded[number], number not in merged)
        for number, slot in slots.items()
    )
    joints = _joints(steps, slots, made_by, merged)
    return TreeLayout(first, last, branches, joints, len(idle) - len(shown), height)


def _branch_slots(
    roots: Sequence[int], made_by: dict[int, MergeStep], folded: Sequence[int]
) -> tuple[dict[int, float], float]:
    """Slots for all branches from top to bottom; within a theory the larger part is on top."""
    slots: dict[int, float] = {}
    height = 0.0
    for root in roots:
        waiting = [root]  # a stack: chains of merges are too long for recursion
        while waiting:
            number = waiting.pop()
            step = made_by.get(number)
            if step is None:
                slots[number] = height
                height += 1
            else:
                waiting += sorted((step.left, step.right), key=lambda n: (folded[n], -n))
        height += GAP if root in made_by else 0
    return slots, height


def _joints(
    steps: Sequence[MergeStep],
    branch_slots: dict[int, float],
    made_by: dict[int, MergeStep],
    merged: set[int],
) -> tuple[Joint, ...]:
    slots = dict(branch_slots)
    joints = []
    for step in steps:
        ends = (slots[step.left], slots[step.right])
        lefts = tuple(made_by[n].number if n in made_by else 0 for n in (step.left, step.right))
        slots[step.theory] = sum(ends) / 2
        joints.append(
            Joint(step, sum(ends) / 2, ends, (lefts[0], lefts[1]), step.theory not in merged)
        )
    return tuple(joints)
