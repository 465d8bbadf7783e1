"""What is by hand in a run: kept with it at once, so that nothing is lost, and undone from here."""

from __future__ import annotations

from dataclasses import dataclass, replace

import streamlit as st

from glocalx.files.steering import fitting_steering, steering_to_list
from glocalx.pipeline.settings import SelectionSettings
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.rule import Rule
from glocalx.rules.steering import ChangeRule, Steering, SteeringStep, WriteRule
from glocalx.rules.step_check import checked_step
from glocalx.steering import SteeringEffect, effect_of
from glocalx.workspace.run import Run
from ui import work
from ui.opened import explained_of, kept, theory_of
from ui.session import workspace
from ui.theory.selection import save_selection, selection_of


def steering_in(run: Run, chosen: SelectionSettings) -> Steering:
    """The steps that fit the table as it is read now."""
    return fitting_steering(chosen.steering, explained_of(run).schema)


def steered_by(chosen: SelectionSettings, steering: Steering) -> SelectionSettings:
    """The same choice of rules with other steps."""
    return replace(chosen, steering=tuple(steering_to_list(steering)))


def with_step(run: Run, chosen: SelectionSettings, step: SteeringStep) -> Steering:
    """One step more. Raises GLocalXError where it cannot be."""
    steering = steering_in(run, chosen)
    return steering.and_then(checked_step(step, steering, explained_of(run).schema))


def tried(
    run: Run, chosen: SelectionSettings, step: SteeringStep
) -> tuple[Steering, RankedTheory, SteeringEffect]:
    """One step more, the theory that it would give, and what that would change on the records
    that rules are chosen on. Raises GLocalXError where the step cannot be.
    """
    steering = with_step(run, chosen, step)
    theory = theory_of(run, steered_by(chosen, steering))
    effect = effect_of(theory_of(run, chosen), theory, explained_of(run).reference)
    return steering, theory, effect


@kept("merge", most=200)
def fidelities(run: Run, chosen: SelectionSettings) -> tuple[float, float]:
    """Of the theory of a choice: on the records it is chosen on, and on the held-out ones."""
    theory, facts = theory_of(run, chosen), explained_of(run)
    return theory.fidelity(facts.reference), theory.fidelity(facts.held_out)


def turn_of(run: Run) -> int:
    """How often something was kept in this session: a button acts in its own turn alone, because
    Streamlit may call its callback twice.
    """
    turn: int = st.session_state.get(f"steering turn {run.id}", 0)
    return turn


def _is_turn(run: Run, turn: int) -> bool:
    if turn != turn_of(run):
        return False
    st.session_state[f"steering turn {run.id}"] = turn + 1
    return True


def keep(run: Run, turn: int, steering: Steering) -> None:
    """Keep other steps with the run; what they were can be come back to."""
    if _is_turn(run, turn):
        past, _ = _history(run)
        _put(run, [*past, _now(run)], [])
        _save(run, steering)


def take(run: Run, turn: int, step: SteeringStep) -> None:
    """Keep one step more; for a button that asks nothing."""
    keep(run, turn, with_step(run, selection_of(workspace().run(run.id)), step))


def take_back(run: Run, turn: int, step: SteeringStep) -> None:
    """Keep all steps but one."""
    keep(run, turn, _now(run).without(step))


def can_undo(run: Run, chosen: SelectionSettings) -> bool:
    """Whether there is something to go back to."""
    return bool(_history(run)[0]) or bool(chosen.steering)


def can_redo(run: Run) -> bool:
    """Whether something was undone."""
    return bool(_history(run)[1])


def undo(run: Run, turn: int) -> None:
    """As it was before the last change; after a reload, without the last step."""
    if not _is_turn(run, turn):
        return
    past, future = _history(run)
    now = _now(run)
    before = past[-1] if past else Steering(now.steps[:-1])
    _put(run, past[:-1], [*future, now])
    _save(run, before)


def redo(run: Run, turn: int) -> None:
    """What was undone last, done again."""
    past, future = _history(run)
    if future and _is_turn(run, turn):
        _put(run, [*past, _now(run)], future[:-1])
        _save(run, future[-1])


def _now(run: Run) -> Steering:
    saved = workspace().run(run.id)
    return steering_in(saved, saved.settings.selection)


def _save(run: Run, steering: Steering) -> None:
    close_draft(run)
    saved = workspace().run(run.id)
    save_selection(saved, steered_by(selection_of(saved), steering))
    now = workspace().run(run.id)
    if now.missing("merge"):  # something is barred from the start, or no longer
        work.start(now, "merge")


def _history(run: Run) -> tuple[list[Steering], list[Steering]]:
    """What was before, the last at the end; what was undone, the last at the end."""
    found: tuple[list[Steering], list[Steering]] = st.session_state.get(
        f"steering history {run.id}", ([], [])
    )
    return found


def _put(run: Run, past: list[Steering], future: list[Steering]) -> None:
    st.session_state[f"steering history {run.id}"] = (past, future)


@dataclass(frozen=True, slots=True)
class Draft:
    """The one rule that is open.

    Parameters
    ----------
    origin
        The rule as it is in the theory; None for one that is being written.
    rule
        As it would be.
    opened
        In which turn it was opened: its widgets begin anew with another one.
    """

    origin: Rule | None
    rule: Rule
    opened: int

    @property
    def step(self) -> ChangeRule | WriteRule:
        """What it would be to keep it."""
        return WriteRule(self.rule) if self.origin is None else ChangeRule(self.origin, self.rule)


def draft_of(run: Run) -> Draft | None:
    """The rule that is open, if any."""
    found: Draft | None = st.session_state.get(f"steering draft {run.id}")
    return found


def open_draft(run: Run, origin: Rule | None, rule: Rule) -> None:
    """Open a rule, and close another one."""
    opened = st.session_state.get("drafts opened", 0) + 1
    st.session_state["drafts opened"] = opened
    redraft(run, Draft(origin, rule, opened))


def redraft(run: Run, draft: Draft) -> None:
    """The open rule, as it would be now."""
    st.session_state[f"steering draft {run.id}"] = draft


def close_draft(run: Run) -> None:
    """No rule is open any more."""
    st.session_state.pop(f"steering draft {run.id}", None)
