"""A first look at a table: which column may be the outcome, and how values spread."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd

from glocalx.table.clean import Column
from glocalx.table.table import Table

MOST_GUESSED = 20
"""More different values are hardly an outcome; a person may choose such a column all the same."""
MOST_NUMBERS = 10
"""The same for numbers, which are then classes and not amounts."""
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

    A column of many numbers is none, so one of yes and no before it counts as the last. None
    where no column can be one.
    """
    likely = [column for column in table.columns if _may_be_outcome(column, table)]
    if not likely:
        return None
    scores = [_likelihood(column, table) for column in likely]
    scores[0] += 0.5
    scores[-1] += 3.0 + (likely[-1].distinct == 2)
    return likely[int(np.argmax(scores))].name


def _may_be_outcome(column: Column, table: Table) -> bool:
    numbers = column.kind in ("numeric", "integer")
    most = min(MOST_NUMBERS if numbers else MOST_GUESSED, max(2, table.size // 2))
    return 2 <= column.distinct <= most and column.kind not in ("text", "date", "identifier")


def _likelihood(column: Column, table: Table) -> float:
    words = set(re.findall(r"[^\W\d_]+", column.name.lower()))
    score = 4.0 * bool(words & _OUTCOME_WORDS)
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
        values = table.frame[column.name].dropna()
        if pd.api.types.is_numeric_dtype(values):
            numbers = values.to_numpy(dtype=float)
            distinct = len(pd.unique(numbers))
            return [int(n) for n in np.histogram(numbers, bins=min(max(distinct, 2), _BARS))[0]]
        return [int(n) for n in values.value_counts().head(_BARS)]
    if column.role not in ("target", "predictions"):
        return []
    texts = table.target if column.role == "target" else table.predictions
    return [int(n) for n in pd.Series(texts).value_counts().head(_BARS)]
