"""Four numbers about the table, and its first rows as they are in the file."""

from __future__ import annotations

import numpy as np
import streamlit as st

from glocalx.pipeline.tables import SplitTable
from glocalx.table import Table
from glocalx.words.figures import percent
from ui.text import plain

FIRST_ROWS = 100


def table_metrics(table: Table, shared: SplitTable) -> None:
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
            f"{len(used.features)} of {len(used.columns) - 1}",
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
