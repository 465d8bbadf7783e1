"""What was found in the table and what was done about it, as sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from glocalx.pipeline.tables import SplitTable
from glocalx.table import Finding, Table
from glocalx.words.phrases import counted
from glocalx.workspace.run import Run
from ui.data.changes import propose
from ui.text import bold, plain

AFTER = "known after the decision"
SAID_ELSEWHERE = (AFTER, "sensitive")  # beside the columns, and as a warning of its own
SHOWN = 7
MARKS = {"warning": ":material/warning: ", "info": ""}


def sorted_findings(findings: Sequence[Finding]) -> list[Finding]:
    """What may make results wrong first, each sentence once; otherwise in the order found."""
    once = {
        finding.sentence: finding for finding in findings if finding.topic not in SAID_ELSEWHERE
    }
    return sorted(once.values(), key=lambda finding: finding.severity != "warning")


def findings_card(run: Run, shared: SplitTable, locked: bool) -> None:
    """The sentences, and the warning about columns known only after the decision."""
    found = sorted_findings([*shared.table.findings, *shared.parts.findings])
    with st.container(border=True):
        st.subheader("What was found and repaired", anchor=False)
        findings_list(found)
        _known_after(run, shared.table, locked)


def findings_list(found: Sequence[Finding]) -> None:
    """The first sentences, and the others folded."""
    if not found:
        st.markdown("Nothing: no gaps, no odd values, no repeated rows.")
        return
    st.markdown(_lines(found[:SHOWN]))
    if len(found) > SHOWN:
        with st.expander(f"{counted(len(found) - SHOWN, 'more sentence')}"):
            st.markdown(_lines(found[SHOWN:]))


def _lines(findings: Sequence[Finding]) -> str:
    return "\n".join(
        f"- {MARKS[finding.severity]}{plain(finding.sentence)}" for finding in findings
    )


def late_columns(table: Table) -> tuple[str, ...]:
    """The features that were not yet known when the decision was taken."""
    return tuple(c.name for c in table.features if c.name in table.choices.known_after)


def _known_after(run: Run, table: Table, locked: bool) -> None:
    late = late_columns(table)
    if not late:
        return
    titles = ", ".join(bold(table.column(name).title) for name in late)
    many = f"{len(late)} columns are" if len(late) > 1 else "One column is"
    st.warning(
        f"{many} known only after the decision: {titles}. The black box may use "
        f"{'them' if len(late) > 1 else 'it'}. Leave {'them' if len(late) > 1 else 'it'} out if "
        "you want reasons that could have been given at the time.",
        icon=":material/schedule:",
    )
    if len(late) < len(table.features) and st.button(
        "Leave them out" if len(late) > 1 else "Leave it out",
        icon=":material/visibility_off:",
        key="leave_out_late",
        disabled=locked,
    ):
        roles = {**run.settings.data.roles, **dict.fromkeys(late, "ignored")}
        settings = replace(run.settings, data=replace(run.settings.data, roles=roles))
        propose(run, settings, f"{counted(len(late), 'column')} will be left out.")
        st.rerun()
