"""A change of settings: taken at once where nothing is lost, asked about where results are.

Widgets on the page show what is saved. What a person does with them is a proposal; a new set of
widgets (another `version` in their keys) shows what came of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import streamlit as st

from glocalx.errors import GLocalXError
from glocalx.pipeline.settings import STAGES, RunSettings, Stage
from glocalx.words.phrases import counted, enumeration
from glocalx.workspace.run import Run
from ui.layout import problem
from ui.session import DATA, go, owner, workspace
from ui.text import plain

CHANGED_ELSEWHERE = (
    "This run was changed in another window. Here is how it is now; make your change again."
)
LOST = {"model": "the black box", "rules": "the local rules", "merge": "the merged rules"}


@dataclass(frozen=True, slots=True)
class Proposal:
    """Settings that a person asked for, and that would make results invalid.

    Parameters
    ----------
    run, settings
        Which run, and how it would be.
    files
        What would be put into the run's folder.
    """

    run: str
    settings: RunSettings
    what: str
    files: dict[str, bytes] = field(default_factory=dict, repr=False)


def version() -> int:
    """Stands in the key of every widget that shows a setting."""
    return int(st.session_state.get("data_version", 0))


def taken(name: str, take: Callable[[Any], None]) -> dict[str, Any]:
    """The key of a widget that shows a setting, and what happens when somebody changes it.

    A page run that is cut short by the next click leaves its widgets marked as changed, and their
    callbacks are called once more: what was dealt with before is passed over.

    `take`: is given what the widget says.
    """
    shown = version()
    key = f"{name}_{shown}"

    def changed() -> None:
        if shown == version():
            take(st.session_state[key])

    return {"key": key, "on_change": changed}


def fresh_widgets() -> None:
    """Make all widgets show again what is saved."""
    st.session_state.data_version = version() + 1


def lost_stages(run: Run, settings: RunSettings) -> list[Stage]:
    """The stages whose results would no longer count."""
    return [
        stage
        for stage in STAGES
        if run.begun(stage) and run.settings.key(stage) != settings.key(stage)
    ]


def propose(
    run: Run, settings: RunSettings, what: str, files: dict[str, bytes] | None = None
) -> None:
    """Change the settings, or ask first where results would be lost.

    What the page showed when it was changed may be old: another window may have gone on.
    """
    fresh_widgets()
    saved = workspace().run(run.id).settings
    if replace(saved, selection=run.settings.selection) != run.settings:
        refuse(GLocalXError(CHANGED_ELSEWHERE))
        return
    files = files or {}
    settings = replace(settings, selection=saved.selection).with_contents(files)
    if settings == run.settings:
        return
    proposal = Proposal(run.id, settings, what, files)
    if lost_stages(run, settings):
        st.session_state.proposal = proposal
    else:
        apply(run, proposal)


def refuse(error: GLocalXError) -> None:
    """Say on the next run of the page why a change was not made."""
    fresh_widgets()
    st.session_state.data_refusal = str(error)


def show_refusal() -> None:
    """The sentence of the last refused change, once."""
    sentence = st.session_state.pop("data_refusal", None)
    if sentence:
        problem(sentence)


def apply(run: Run, proposal: Proposal) -> Run:
    """Save a change."""
    return workspace().save(run, settings=proposal.settings, files=proposal.files)


def ask_about_proposal(run: Run) -> None:
    """Open the question where a change would throw results away."""
    proposal = st.session_state.get("proposal")
    if proposal is None:
        return
    if proposal.run != run.id:
        forget_proposal()
        return
    _question(run, proposal)


def forget_proposal() -> None:
    """Leave everything as it was."""
    st.session_state.pop("proposal", None)
    fresh_widgets()


@st.dialog("Results will have to be made again", on_dismiss=forget_proposal)
def _question(run: Run, proposal: Proposal) -> None:
    st.markdown(plain(proposal.what))
    st.markdown(f"**{lost_sentence(run, proposal)}**")
    st.caption("A copy keeps this run as it is and takes the change.")
    if st.button("Make a copy with the change", icon=":material/content_copy:", width="stretch"):
        copy = workspace().duplicate(run, owner(), proposal.settings)
        copy = apply(copy, proposal)
        forget_proposal()
        go(DATA, copy)
    if st.button("Change this run", icon=":material/edit:", width="stretch"):
        apply(run, proposal)
        forget_proposal()
        st.rerun()
    if st.button("Leave it as it was", type="tertiary", width="stretch"):
        forget_proposal()
        st.rerun()


def lost_sentence(run: Run, proposal: Proposal) -> str:
    """What has to be made again."""
    lost = lost_stages(run, proposal.settings)
    names = [LOST[stage] for stage in lost]
    rules = run.figures.get("local_rules")
    if "rules" in lost and isinstance(rules, int):
        names[lost.index("rules")] = counted(rules, "local rule")
    said = enumeration(names)
    return f"{said[0].upper()}{said[1:]} will have to be made again."
