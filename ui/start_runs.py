"""Earlier runs as a short table: what, how far, when."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import pandas as pd

from glocalx.workspace.run import Run
from ui.session import DATA, RULES, THEORY

MOST_RUNS = 8


def rows_of(runs: Sequence[Run], now: datetime) -> pd.DataFrame:
    """One row for each run; texts as they are, for a table that shows them so."""
    zone = now.tzinfo
    return pd.DataFrame(
        {
            "Run": [run.name for run in runs],
            "Rules": [rules_text(run) for run in runs],
            "When": [when(datetime.fromtimestamp(run.updated, zone), now) for run in runs],
        },
        dtype="str",
    )


def rules_text(run: Run) -> str:
    """`1,515 → 10`: local rules and final ones; how far it has come where there are none yet."""
    local, final = run.figures.get("local_rules"), run.figures.get("rules")
    if run.done("merge") and isinstance(local, int) and isinstance(final, int):
        return f"{local:,} → {final:,}"
    if run.done("rules"):
        return f"{local:,} local" if isinstance(local, int) else "local rules"
    return "model ready" if run.done("model") else "not yet"


def page_of(run: Run) -> str:
    """The page that shows the newest result of a run."""
    if not run.missing("merge"):
        return THEORY
    return RULES if run.done("model") and run.begun("rules") else DATA


def when(moment: datetime, now: datetime) -> str:
    """A time as people say it: today 09:12, yesterday, 3 Nov, 3 Nov 2025."""
    if moment.date() == now.date():
        return f"today {moment:%H:%M}"
    if moment.date() == (now - timedelta(days=1)).date():
        return "yesterday"
    year = "" if moment.year == now.year else f" {moment.year}"
    return f"{moment.day} {moment:%b}{year}"


def zone_of(name: str | None) -> tzinfo | None:
    """The time zone that a browser names; None is the server's own."""
    try:
        return ZoneInfo(name) if name else None
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None
