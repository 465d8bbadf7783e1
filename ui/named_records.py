"""Records by the name that their file gives them: the values of its identifier columns."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from glocalx.table.split import Places
from glocalx.words.phrases import enumeration, shown
from glocalx.workspace.run import Run
from ui.opened import kept, shared_of
from ui.text import plain

MOST = 3  # identifiers that are shown


@kept("data")
def identifiers_of(run: Run) -> dict[str, list[str]]:
    """What the identifier columns of the file say of each record, by the columns' titles."""
    table = shared_of(run).table
    named = [column for column in table.columns if column.kind == "identifier"][:MOST]
    return {
        column.title: [str(cell) for cell in table.raw.cells.column(column.name).take(table.rows)]
        for column in named
    }


def name_of(run: Run, record: int) -> str:
    """What the file calls a record of the table, as Markdown; empty where it has no names."""
    return ", ".join(
        f"{plain(title)} **{plain(names[record])}**" for title, names in identifiers_of(run).items()
    )


def find_record(run: Run, places: Places, what: str, take: Callable[[int], None]) -> None:
    """A field for the name of a record, where the file has names.

    Parameters
    ----------
    what
        What these are called: "held-out".
    take
        Is given the place among them.
    """
    known = identifiers_of(run)
    if not known:
        return
    key, titles = f"find {what} {run.id}", enumeration(list(known), "or")

    def asked() -> None:
        wanted = st.session_state[key].strip()
        if not wanted:
            return
        found = {i for names in known.values() for i, name in enumerate(names) if name == wanted}
        here = [place for place, record in enumerate(places.tolist()) if record in found]
        if here:
            take(here[0])
        elif found:
            st.toast(f"{plain(shown(wanted))} is in the table, but not among the {what} records.")
        else:
            st.toast(f"No record of the table is called {plain(shown(wanted))}.")

    st.text_input(
        f"Or find it by {plain(titles)}", key=key, on_change=asked, placeholder="as in the file"
    )
