"""Whom a page asks: the black box, or a stand-in where only a column of its answers is known."""

from __future__ import annotations

from glocalx.blackbox.base import stands_in
from glocalx.workspace.run import Run
from ui.opened import black_box_of

STAND_IN = (
    "Only the model’s answers are known, not the model: a stand-in that learned them was asked."
)


NEAREST = (
    "There is no model, only the labels of the table: the nearest record’s label was taken for the "
    "answer."
)


def is_stand_in(run: Run) -> bool:
    """Whether another model answers in the place of a run's black box."""
    return stands_in(black_box_of(run))


def whom(run: Run, black_box: str = "the black box") -> str:
    """Who answers, within a sentence."""
    return "the stand-in" if is_stand_in(run) else black_box


def whom_first(run: Run, black_box: str = "The black box") -> str:
    """The same where a sentence begins."""
    return "The stand-in" if is_stand_in(run) else black_box


def stand_in_said(run: Run) -> str:
    """That a stand-in was asked; empty where the black box itself was."""
    if run.settings.box.source == "labels":
        return NEAREST
    return STAND_IN if is_stand_in(run) else ""
