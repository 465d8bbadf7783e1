"""The table at a glance: four numbers, what was found in it and repaired, its first rows."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np
import streamlit as st

from glocalx.pipeline.tables import SplitTable
from glocalx.table import Finding, Gaps, Table
from glocalx.table.roles import Role
from glocalx.words.figures import percent
from glocalx.words.phrases import counted
from glocalx.workspace.run import Run
from ui.data.changes import propose, taken
from ui.layout import card
from ui.text import bold, plain

AFTER = "known after the decision"
SAID_ELSEWHERE = (AFTER, "sensitive")  # beside the columns, and as a warning of its own
SHOWN = 7
MARKS = {"warning": ":material/warning: ", "info": ""}
FIRST_ROWS = 100
GAPS: dict[Gaps, str] = {"keep": "Keep them", "fill": "Fill them"}
GAPS_CHANGE: dict[Gaps, str] = {
    "keep": "Missing values will stay as they are.",
    "fill": "Missing values will be filled with the mean or the most frequent value.",
}


def table_metrics(table: Table, shared: SplitTable, unread: Collection[str]) -> None:
    """Records, columns, the outcome that people ask about and its share."""
    used = shared.table
    labels = table.schema().outcome_labels
    positive = labels.get(shared.positive, shared.positive)
    share = float(np.mean(used.target.astype(str) == shared.positive))
    others = sorted({str(text) for text in used.target} - {shared.positive})
    with st.grid(4, min_column_width=150):
        st.metric("Records", f"{used.size:,}", border=True, help=_records_help(table, used))
        st.metric(
            "Columns used",
            f"{len(used.features) - len(unread)} of {len(used.columns) - 1}",
            border=True,
            help="Columns that rules may speak of, of all but the outcome.",
        )
        st.metric(
            "Outcome",
            plain(positive),
            border=True,
            help="Against: " + ", ".join(plain(labels.get(other, other)) for other in others[:8]),
        )
        st.metric(f"Share with {plain(positive)}", percent(share), border=True)


def _records_help(table: Table, used: Table) -> str | None:
    if used.size < table.size:
        return f"Drawn at random from {table.size:,}; see “Large tables” below."
    if table.size < table.raw.size:
        return f"Of {table.raw.size:,} rows; the others have no outcome."
    return None


def first_rows(table: Table, *, opened: bool = False) -> None:
    """The file as it is."""
    with st.expander("First rows of the file", expanded=opened, icon=":material/table:"):
        st.dataframe(
            table.raw.head(FIRST_ROWS),
            hide_index=True,
            alt=f"The first {min(FIRST_ROWS, table.raw.size):,} rows as they are in the file.",
        )


def sorted_findings(findings: Sequence[Finding]) -> list[Finding]:
    """What may make results wrong first, each sentence once; otherwise in the order found."""
    once = {
        finding.sentence: finding for finding in findings if finding.topic not in SAID_ELSEWHERE
    }
    return sorted(once.values(), key=lambda finding: finding.severity != "warning")


def findings_card(run: Run, shared: SplitTable, locked: bool) -> None:
    """The sentences, and the warning about columns known only after the decision."""
    found = sorted_findings([*shared.table.findings, *shared.parts.findings])
    with card("What was found and repaired"):
        findings_list(found)
        _gaps(run, shared.table, locked)
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


def _gaps(run: Run, table: Table, locked: bool) -> None:
    """What becomes of missing values, where there are some."""
    if not any(column.missing for column in table.features):
        return

    def take(gaps: Gaps) -> None:
        settings = replace(run.settings, data=replace(run.settings.data, gaps=gaps))
        propose(run, settings, GAPS_CHANGE[gaps])

    options: list[Gaps] = list(GAPS)
    st.radio(
        "Missing values",
        options,
        options.index(run.settings.data.gaps),
        format_func=GAPS.__getitem__,
        horizontal=True,
        disabled=locked,
        help="Kept, the black box is asked about records as they are, and rules can speak of a "
        "missing value. Filled, the mean or the most frequent value takes its place first, as in "
        "the paper; do that for a model that takes no gaps.",
        **taken("gaps", take),
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
        out: dict[str, Role] = dict.fromkeys(late, "ignored")
        roles = {**run.settings.data.roles, **out}
        settings = replace(run.settings, data=replace(run.settings.data, roles=roles))
        propose(run, settings, f"{counted(len(late), 'column')} will be left out.")
        st.rerun()
