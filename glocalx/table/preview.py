"""A first look at a table: which column may be the outcome, and how values spread."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd

from glocalx.table.clean import Column
from glocalx.table.limits import MAX_CLASSES
from glocalx.table.table import Table

_BARS = 12
_OUTCOME_WORDS = frozenset(
    {
        *("target", "label", "class", "outcome", "decision", "result", "answer", "y", "default"),
        *("approved", "accepted", "granted", "prediction", "predicted", "score", "risk", "status"),
        *("income", "churn", "fraud", "survived", "response", "verdict", "klasse", "classe"),
    }
)


def guess_target(table: Table) -> str | None:
    """The column that is most likely the outcome: few classes, a telling name, near the end.

    None where no column can be one.
    """
    fit = [
        (_likelihood(column, place, table), column.name)
        for place, column in enumerate(table.columns)
    ]
    likely = [(score, name) for score, name in fit if score > 0]
    return max(likely, key=lambda each: each[0])[1] if likely else None


def _likelihood(column: Column, place: int, table: Table) -> float:
    most = min(MAX_CLASSES, max(2, table.size // 2))
    if not 2 <= column.distinct <= most or column.kind in ("text", "date"):
        return 0.0
    words = set(re.findall(r"[^\W\d_]+", column.name.lower()))
    score = 4.0 * bool(words & _OUTCOME_WORDS)
    score += 3.0 if place == len(table.columns) - 1 else 0.5 * (place == 0)
    score += 2.0 if column.distinct == 2 else 1.0 if column.distinct <= 5 else 0.2
    score -= 2.0 * (column.role == "sensitive")
    return max(score - column.missing / max(table.size, 1), 0.1)


def commonest_values(table: Table, name: str, most: int = 6) -> tuple[list[tuple[str, int]], int]:
    """The most frequent values of a column as the file writes them, and how many more there are."""
    cells = table.raw.cells.column(name).drop_null()
    counts = cells.value_counts()
    texts = [str(value) for value in counts.field("values").to_pylist()]
    numbers = np.asarray(counts.field("counts").to_pylist(), dtype=np.int64)
    order = pd.Series(numbers).sort_values(ascending=False, kind="stable").index[:most]
    return [(texts[place], int(numbers[place])) for place in order], max(len(texts) - most, 0)


def spread(table: Table, column: Column) -> list[int]:
    """Counts for a small histogram; none for columns that are not used."""
    if column.is_feature:
        values = table.frame[column.name]
        if pd.api.types.is_numeric_dtype(values):
            numbers = values.to_numpy(dtype=float)
            distinct = len(pd.unique(numbers))
            return [int(n) for n in np.histogram(numbers, bins=min(max(distinct, 2), _BARS))[0]]
        return [int(n) for n in values.value_counts().head(_BARS)]
    if column.role not in ("target", "predictions"):
        return []
    texts = table.target if column.role == "target" else table.predictions
    return [int(n) for n in pd.Series(texts).value_counts().head(_BARS)]
