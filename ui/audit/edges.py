"""What can be said column by column: where bands of a number begin, and whom to compare with."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

import streamlit as st

from glocalx.audit.axis import Axis
from glocalx.audit.grouping import find_groups
from glocalx.audit.table_source import RecordPart, group_columns
from glocalx.errors import GLocalXError
from glocalx.words.phrases import shown
from glocalx.workspace.run import Run
from ui.address import say_unknown
from ui.audit.address import ASKED, in_address, key, write
from ui.audit.result import source_of
from ui.layout import problem
from ui.opened import explained_of
from ui.text import plain


def bands(run: Run, columns: list[str], part: RecordPart) -> dict[str, tuple[float, ...]]:
    """Where the bands of numbers begin, as far as somebody said so."""
    source = source_of(run, part, tuple(columns))
    axes = [source.axis(column) for column in columns]
    numbers = [axis for axis in axes if axis.feature.kind in ("integer", "numeric")]
    if not numbers:
        return {}
    with st.popover("Bands of numbers", icon=":material/straighten:", type="tertiary"):
        st.markdown("Numbers are cut into bands, three of about the same size if nobody says how.")
        found = {axis.name: _band_ends(axis, columns) for axis in numbers}
    return {name: edges for name, edges in found.items() if edges}


def _band_ends(axis: Axis, columns: list[str]) -> tuple[float, ...]:
    widget = key(f"bands {axis.name}")
    if widget not in st.session_state:
        st.session_state[widget] = _entries("bands", columns).get(axis.name, "")
    text = st.text_input(
        f"Bands of {plain(axis.title)} begin at",
        key=widget,
        placeholder=", ".join(f"{math.ceil(edge):,}" for edge in axis.edges),
        on_change=_keep_entries,
        args=("bands", columns),
        help="Numbers with a space between them: 25 45 makes below 25, 25 to below 45, 45 and up.",
    )
    try:
        return band_ends(text)
    except GLocalXError as error:
        problem(error)
        return ()


def band_ends(text: str) -> tuple[float, ...]:
    """The numbers in what a person typed.

    Examples
    --------
    >>> band_ends("45; 25")
    (25.0, 45.0)
    """
    words = re.split(r"[\s,;]+", text.strip()) if text.strip() else []
    try:
        ends = sorted({float(word) for word in words})
    except ValueError:
        ends = [math.nan]
    if not all(map(math.isfinite, ends)):
        raise GLocalXError(f"{shown(text)} is no list of numbers. Write them like this: 25 45.")
    return tuple(ends)


def reference(
    run: Run, columns: list[str], part: RecordPart, edges: Mapping[str, tuple[float, ...]]
) -> dict[str, str]:
    """For each column the group that others are compared with."""
    source = source_of(run, part, tuple(columns))
    chosen: dict[str, str] = {}
    known: set[str] = set()
    above = st.container()
    with st.grid(min(len(columns), 4), min_column_width=180, gap="small"):
        for column in columns:
            axis = source.axis(column, edges.get(column))
            groups = find_groups(source.tally((), [axis], labels=False), [column])
            largest = max(groups, key=lambda group: group.size).title
            titles = [group.title for group in groups]
            known |= {f"{column}={title}" for title in titles}
            chosen[column] = _one_reference(axis, titles, largest, columns)
    every = group_columns(explained_of(run).split.table)
    unasked = tuple(f"{name}=" for name in every if name not in columns)
    with above:
        say_unknown(
            "reference",
            ASKED["reference"],
            lambda text: text in known or text.startswith(unasked),
            "the largest",
        )
    return chosen


def _one_reference(axis: Axis, titles: list[str], largest: str, columns: list[str]) -> str:
    widget = key(f"reference {axis.name}")
    if widget not in st.session_state:
        st.session_state[widget] = _entries("reference", columns).get(axis.name)
    elif st.session_state[widget] not in titles:  # other bands since
        st.session_state[widget] = largest
        _keep_entries("reference", columns)
    if st.session_state[widget] not in titles:
        st.session_state[widget] = largest
    return str(
        st.selectbox(
            f"{plain(axis.title)}: compare with",
            titles,
            key=widget,
            on_change=_keep_entries,
            args=("reference", columns),
        )
    )


def _entries(name: str, columns: list[str]) -> dict[str, str]:
    """What the address says column by column: `reference=race=Other&reference=sex=Male`."""
    found = {}
    for text in in_address(name):
        for column in columns:
            if text.startswith(f"{column}="):
                found[column] = text.removeprefix(f"{column}=")
    return found


def _keep_entries(name: str, columns: list[str]) -> None:
    values = {column: st.session_state.get(key(f"{name} {column}")) for column in columns}
    write(name, [f"{column}={value}" for column, value in values.items() if value])
