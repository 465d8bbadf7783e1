"""Tables and sentences of the library, drawn on a page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import pandas as pd
import streamlit as st

from glocalx.plots import OutcomeColours
from glocalx.report.data_table import DataTable, TableColumn, cell_value
from glocalx.report.sentences import Strong, Text
from ui.text import bold, plain, with_its_spaces

ROW, MOST_ROWS = 35, 16
LINE, LETTER, WIDEST = 20, 6.8, 380  # pixels of a line and of a letter; of a column of texts


def markdown(text: Text) -> str:
    """A text of the library as Markdown; names of files stay what they are."""
    pieces = (text,) if isinstance(text, str) else text
    return "".join(
        bold(piece.text) if isinstance(piece, Strong) else with_its_spaces(piece)
        for piece in pieces
    )


def frame_of(table: DataTable, colours: OutcomeColours | None = None) -> pd.DataFrame:
    """A table as Streamlit takes it: shares in per cent, differences with their intervals."""
    return pd.DataFrame(
        {
            column.name: [_cell(column, row[place], colours) for row in table.rows]
            for place, column in enumerate(table.columns)
        }
    )


def _cell(column: TableColumn, value: Any, colours: OutcomeColours | None) -> Any:
    if column.kind == "outcome" and colours is not None:
        return [colours.name(value)]
    return cell_value(column, value)


def draw_table(
    table: DataTable,
    colours: OutcomeColours | None = None,
    *,
    widths: Mapping[str, int] | None = None,
    pinned: str | None = None,
    most_rows: int = MOST_ROWS,
    **options: Any,
) -> None:
    """Draw a table in which no text is cut: rows are as high as the longest needs.

    `options` are Streamlit's own.
    """
    frame = frame_of(table, colours)
    given, lines = _room(table, frame, widths or {})
    row = ROW + LINE * (lines - 1)
    st.dataframe(
        frame,
        hide_index=True,
        row_height=row if lines > 1 else None,
        height=min(len(frame), most_rows) * row + ROW + 2,
        column_config={
            column.name: _config(
                column, colours, width=given.get(column.name), pinned=column.name == pinned
            )
            for column in table.columns
        },
        placeholder="–",
        alt=f"{table.caption}.",
        **options,
    )


def _room(
    table: DataTable, frame: pd.DataFrame, widths: Mapping[str, int]
) -> tuple[dict[str, int], int]:
    """How wide columns of texts are, and how many lines their longest cell needs."""
    found, lines = dict(widths), 1
    for column in table.columns:
        if column.kind in ("text", "points") and len(frame):
            letters = max(len(str(cell)) for cell in frame[column.name])
            title = len(column.title or column.name)
            wanted = int(LETTER * max(letters, title)) + 22
            found.setdefault(column.name, min(wanted, WIDEST))
            room = found[column.name] - 20
            if LETTER * letters > room:  # words go to the next line: none is quite used up
                lines = max(lines, -(-int(1.1 * LETTER * letters) // room))
    return found, lines


def _config(column: TableColumn, colours: OutcomeColours | None, **options: Any) -> Any:
    configs = st.column_config
    options |= {"help": plain(column.help) if column.help else None}
    label = column.title or column.name
    if column.kind == "outcome" and colours is not None:
        return configs.MultiselectColumn(
            label,
            options=[colours.name(outcome) for outcome in colours.outcomes],
            color=[colours.tones(outcome).soft for outcome in colours.outcomes],
            **options,
        )
    formats = {
        "count": "localized",
        "part": "%.1f %%",
        "share": "%.1f %%",
        "number": f"%.{column.decimals}f",
    }
    if column.kind in formats:
        return configs.NumberColumn(label, format=formats[column.kind], **options)
    alignment: Literal["right"] | None = "right" if column.kind in ("points", "p") else None
    return configs.TextColumn(label, alignment=alignment, **options)
