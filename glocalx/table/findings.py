"""What was found in a table, in sentences that can be shown as they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Severity: TypeAlias = Literal["info", "warning"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a person should know about a table.

    Parameters
    ----------
    topic
        What it is about, one word for programs: `missing`, `constant`, `duplicate column`, ...
    severity
        `warning` where the result may be wrong or a column was set aside, else `info`.
    column
        The column it concerns; None for the table as a whole.
    sentence
        What was found and what was done about it.
    count
        How many cells, rows, categories or columns it concerns.
    """

    topic: str
    severity: Severity
    column: str | None
    sentence: str
    count: int = 1
