"""The list of runs: what each is about, how far it is, and what came out."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from urllib.parse import urlencode, urlsplit

import pandas as pd
import streamlit as st

from glocalx.workspace.run import Run
from ui.session import DATA, MERGE, RULES, THEORY, jobs

NEXT = {"model": DATA, "rules": RULES, "merge": MERGE}
PATHS = {DATA: "data", RULES: "rules", MERGE: "merge", THEORY: "theory"}


def runs_frame(runs: Sequence[Run], now: float) -> pd.DataFrame:
    """One line for each run, in words."""
    return pd.DataFrame(
        {
            "Run": [run.name for run in runs],
            "State": [state_text(run) for run in runs],
            "Rules": [rules_text(run) for run in runs],
            "Fidelity": [_percent(run.figures.get("fidelity")) for run in runs],
            "Table": [run.settings.data.name for run in runs],
            "Black box": [run.figures.get("black_box", "–") for run in runs],
            "Changed": [when(run.updated, now) for run in runs],
        }
    )


def _percent(share: float | None) -> float | None:
    return None if share is None else 100 * share


def rules_text(run: Run) -> str:
    """How many rules became how few."""
    many, few = run.figures.get("different_rules"), run.figures.get("rules")
    if many is None:
        return "–"
    return f"{many:,}" if few is None else f"{many:,} → {few:,}"


def state_text(run: Run) -> str:
    """How far a run is."""
    state = jobs().state(run)
    if state.busy:
        return f"working, {state.share:.0%}" if state.total else "working"
    missing = run.missing("merge")
    if not missing:
        return "finished"
    words = {"model": "no black box yet", "rules": "no local rules yet", "merge": "not merged yet"}
    begun = run.begun(missing[0]) and missing[0] != "model"
    half = {"rules": "local rules half made", "merge": "half merged"}
    return half[missing[0]] if begun else words[missing[0]]


def best_page(run: Run) -> str:
    """The page on which to go on with a run."""
    missing = run.missing("merge")
    return NEXT[missing[0]] if missing else THEORY


def link_to(run: Run) -> str:
    """The address that shows a run to whoever has it."""
    here = urlsplit(st.context.url or "http://localhost:8501/")
    query = urlencode({"run": run.id})
    return f"{here.scheme}://{here.netloc}/{PATHS[best_page(run)]}?{query}"


def when(time: float, now: float) -> str:
    """A time as people say it: `today 09:12`, `yesterday`, `3 Nov`.

    Examples
    --------
    >>> import datetime
    >>> now = datetime.datetime(2026, 11, 16, 12, 0).timestamp()
    >>> when(now - 3600, now), when(now - 86400, now), when(now - 10 * 86400, now)
    ('today 11:00', 'yesterday', '6 Nov')
    >>> when(now - 400 * 86400, now)
    '12 Oct 2025'
    """
    then, today = datetime.datetime.fromtimestamp(time), datetime.datetime.fromtimestamp(now)
    days = (today.date() - then.date()).days
    if days == 0:
        return f"today {then:%H:%M}"
    if days == 1:
        return "yesterday"
    return f"{then.day} {then:%b}" if days < 300 else f"{then.day} {then:%b %Y}"
