"""The lists of runs: what each is about, how far it is, what came out, and which is selected."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, tzinfo
from typing import Any, Literal
from urllib.parse import urlencode, urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import pandas as pd
import streamlit as st

from glocalx.workspace.run import Run
from ui.session import DATA, MERGE, RULES, THEORY, jobs

NEXT = {"model": DATA, "rules": RULES, "merge": MERGE}
NOTHING = {"model": "no black box yet", "rules": "no local rules yet", "merge": "not merged yet"}
HALF = NOTHING | {"rules": "local rules half made", "merge": "half merged"}
PATHS = {DATA: "data", RULES: "rules", MERGE: "merge", THEORY: "theory"}


def select_runs(
    name: str,
    runs: Sequence[Run],
    frame: pd.DataFrame,
    mode: Literal["single-row", "multi-row"],
    **look: Any,
) -> list[Run]:
    """A table of runs, and those that are selected in it.

    A run that is changed moves to the top. So the order is part of the table's key, and a table in
    a new order begins with the runs that were selected in the one before.
    """
    ids = [run.id for run in runs]
    drawn = f"{name}_drawn"
    key = f"{name}_{hash(tuple(ids))}"
    key_before, ids_before = st.session_state.get(drawn, (key, ids))
    marked = st.session_state.get(key_before)
    before = [ids_before[row] for row in marked["selection"]["rows"]] if marked else []
    event = st.dataframe(
        frame,
        hide_index=True,
        on_select="rerun",
        selection_mode=mode,
        selection_default={"selection": {"rows": [ids.index(i) for i in before if i in ids]}},
        key=key,
        **look,
    )
    st.session_state[drawn] = key, ids
    return [runs[row] for row in event["selection"]["rows"]]


def runs_frame(runs: Sequence[Run], now: float, zone: tzinfo | None) -> pd.DataFrame:
    """One line for each run, in words."""
    return pd.DataFrame(
        {
            "Run": [run.name for run in runs],
            "State": [state_text(run) for run in runs],
            "Rules": [rules_text(run) for run in runs],
            "Fidelity": [_percent(run.figures.get("fidelity")) for run in runs],
            "Table": [run.settings.data.name for run in runs],
            "Black box": [run.figures.get("black_box", "–") for run in runs],
            "Changed": [when(run.updated, now, zone) for run in runs],
        }
    )


def short_runs_frame(runs: Sequence[Run], now: float, zone: tzinfo | None) -> pd.DataFrame:
    """One line for each run where there is little room."""
    return pd.DataFrame(
        {
            "Run": [run.name for run in runs],
            "Rules": [rules_text(run) if run.done("rules") else state_text(run) for run in runs],
            "When": [when(run.updated, now, zone) for run in runs],
        },
        dtype="str",
    )


def _percent(share: float | None) -> float | None:
    return None if share is None else 100 * share


def rules_text(run: Run) -> str:
    """`1,515 → 10`: local rules and final ones, as far as they are made."""
    local, final = run.figures.get("local_rules"), run.figures.get("rules")
    if local is None:
        return "–"
    return f"{local:,} local" if final is None else f"{local:,} → {final:,}"


def state_text(run: Run) -> str:
    """How far a run is."""
    state = jobs().state(run)
    if state.busy:
        return f"working, {state.share:.0%}" if state.total else "working"
    missing = run.missing("merge")
    if not missing:
        return "finished"
    return HALF[missing[0]] if run.begun(missing[0]) else NOTHING[missing[0]]


def best_page(run: Run) -> str:
    """The page on which to go on with a run."""
    missing = run.missing("merge")
    return NEXT[missing[0]] if missing else THEORY


def link_to(run: Run) -> str:
    """The address that shows a run to whoever has it."""
    here = urlsplit(st.context.url or "http://localhost:8501/")
    query = urlencode({"run": run.id})
    return f"{here.scheme}://{here.netloc}/{PATHS[best_page(run)]}?{query}"


def when(time: float, now: float, zone: tzinfo | None) -> str:
    """A time as people say it.

    Examples
    --------
    >>> rome = ZoneInfo("Europe/Rome")
    >>> now = datetime(2026, 11, 16, 12, 0, tzinfo=rome).timestamp()
    >>> [when(now - hours * 3600, now, rome) for hours in (1, 24, 240)]
    ['today 11:00', 'yesterday', '6 Nov']
    >>> when(now - 400 * 86400, now, rome)
    '12 Oct 2025'
    """
    then, today = datetime.fromtimestamp(time, zone), datetime.fromtimestamp(now, zone)
    days = (today.date() - then.date()).days
    if days == 0:
        return f"today {then:%H:%M}"
    if days == 1:
        return "yesterday"
    return f"{then.day} {then:%b}" if days < 300 else f"{then.day} {then:%b %Y}"


def browser_zone() -> tzinfo | None:
    """The time zone of whoever looks; None is the server's own."""
    return zone_of(st.context.timezone)


def zone_of(name: str | None) -> tzinfo | None:
    """The time zone that a browser names; None where it is not known here."""
    try:
        return ZoneInfo(name) if name else None
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None
