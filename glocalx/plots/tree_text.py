"""What the points of a tree of merges say when they are pointed at."""

from __future__ import annotations

from typing import Any

from glocalx.merging.hierarchy import Hierarchy
from glocalx.merging.step import MergeStep
from glocalx.words.figures import signed

KINDS = {"join": "joined", "cut": "with a cut", "side by side": "kept side by side"}

HOVER = (
    "<b>Step %{customdata[11]}</b>, %{customdata[2]}<br>%{customdata[10]}<br>"
    "%{customdata[3]} + %{customdata[4]} rules → %{customdata[5]}<br>"
    "similarity %{customdata[6]}<br>"
    "BIC %{customdata[8]} merged, %{customdata[7]} side by side (%{customdata[9]})"
    "<extra></extra>"
)


def about_merge(step: MergeStep, hierarchy: Hierarchy, outcomes: str) -> list[Any]:
    """The fields of :data:`HOVER`; the first two, step and theory, tell what was clicked."""
    trial = step.trial
    return [
        step.number,
        step.theory,
        step.kind,
        len(hierarchy.rules_of(step.left)),
        len(hierarchy.rules_of(step.right)),
        len(step.rules),
        f"{trial.similarity:.3f}",
        f"{trial.bic_union:,.1f}",
        f"{trial.bic_merged:,.1f}",
        signed(trial.bic_merged - trial.bic_union, 2),
        outcomes,
        f"{step.number:,}",
    ]


def shape_of(step: MergeStep) -> str:
    """The kind of a merge as far as its sign tells it: a key of :data:`KINDS`."""
    return "cut" if "cut" in step.kind else step.kind


def origin(theory: int, leaves: int) -> str:
    """Where a theory from before the window comes from."""
    return f"merged by step {theory - leaves + 1:,}" if theory >= leaves else "not merged before"
