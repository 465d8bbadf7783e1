"""Columns that cannot tell anything, and rows that say the same: each found and told."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from glocalx.table.findings import Finding
from glocalx.table.kinds import ReadColumn
from glocalx.words.phrases import counted, shown

MANY_CATEGORIES = 100


@dataclass(frozen=True, slots=True)
class Stats:
    """How many records lack a value, and how many different values there are."""

    missing: int
    distinct: int


def stats_of(read: ReadColumn) -> Stats:
    known = read.values[read.known()]
    return Stats(read.values.size - known.size, int(pd.unique(known).size))


def why_set_aside(name: str, read: ReadColumn, stats: Stats, twin: str | None) -> Finding | None:
    """The reason not to use a column as a feature; None where there is none.

    Parameters
    ----------
    twin
        An earlier column with the same values.
    """
    known = read.values.size - stats.missing
    if stats.distinct == 0:
        return _set_aside(name, "empty", "is empty")
    if stats.distinct == 1:
        return _set_aside(name, "constant", "has the same value in every record")
    if read.kind == "text":
        return _set_aside(name, "text", "holds free text", stats.distinct)
    if read.kind == "identifier":
        what = f"has {stats.distinct:,} different values in {known:,} records, like an identifier"
        return _set_aside(name, "identifier", what, stats.distinct)
    if twin is not None:
        return _set_aside(name, "duplicate column", f"has the same values as {shown(twin)}")
    return None


def _set_aside(name: str, topic: str, what: str, count: int = 1) -> Finding:
    sentence = f"{shown(name)} {what}, so it is set aside."
    return Finding(topic, "warning", name, sentence, count)


def many_categories(name: str, read: ReadColumn, stats: Stats) -> tuple[Finding, ...]:
    if read.is_number or stats.distinct <= MANY_CATEGORIES:
        return ()
    sentence = (
        f"{shown(name)} has {stats.distinct:,} categories. None were grouped; rules on it may "
        "become long."
    )
    return (Finding("many categories", "info", name, sentence, stats.distinct),)


def content_key(read: ReadColumn) -> tuple[object, ...]:
    """Equal for columns that hold the same values, gaps included."""
    digest = hashlib.sha256(np.ascontiguousarray(read.values).tobytes()).digest()
    return (read.is_number, read.categories, digest)


def repeated_rows(columns: Iterable[ReadColumn]) -> int:
    """How many records equal an earlier one in all these columns."""
    total: np.ndarray | None = None
    for read in columns:
        values = np.asarray(read.values, dtype=np.float64) + 0.0  # −0.0 equals 0.0
        hashed = pd.util.hash_array(values, categorize=False)
        total = hashed if total is None else total * np.uint64(1_000_003) ^ hashed
    return 0 if total is None else int(total.size - pd.unique(total).size)


def repeated_finding(count: int, size: int) -> tuple[Finding, ...]:
    if not count:
        return ()
    sentence = (
        f"{count:,} of {counted(size, 'record')} {'equals' if count == 1 else 'equal'} an earlier "
        f"one in every column in use; {'it was' if count == 1 else 'they were'} kept."
    )
    return (Finding("duplicate rows", "info", None, sentence, count),)
