"""One row for each audited record: what was said of it, by which rule, and in which groups it is.

Every figure of an audit can be counted again from these rows, with any other program.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd

from glocalx.audit.audit import Audit
from glocalx.audit.source import Source
from glocalx.audit.tally import Ints
from glocalx.export.csv import table_to_csv

ROWS = 100_000  # records at a time
RECORDS = "records.csv"


def iter_record_rows(
    source: Source,
    audit: Audit,
    *,
    identifier: str | None = None,
    identifiers: Sequence[str | None] | None = None,
    places: npt.NDArray[np.int64] | None = None,
    parts: Sequence[str] | None = None,
) -> Iterator[pd.DataFrame]:
    """The rows, so many at a time, in the order of the table; what is not known is missing.

    Parameters
    ----------
    source
        The records that were audited.
    identifier
        A column by which people tell records apart.
    identifiers
        The same, for each record, where the source does not have it.
    places
        The row of each record in the table, from 0; by default as they stand.
    parts
        What each record was for (`held-out`, `explained`); None where nobody shared them out.
    """
    theory, start = audit.theory, 0
    names = () if identifier is None else (identifier,)
    for tally, texts in source.iter_records(theory.rules, audit.axes, names, ROWS):
        end = start + len(tally.count)
        row = np.arange(start, end) if places is None else places[start:end]
        deciding, outcomes = tally.deciding(), (*tally.outcomes, None)
        said = tally.outcomes_of(deciding, theory.default)
        columns: dict[str, object] = {"row": row + 1}
        if identifier is not None:
            columns["identifier"] = texts[identifier]
        if identifiers is not None:
            columns["identifier"] = list(identifiers[start:end])
        if parts is not None:
            columns["part"] = list(parts[start:end])
        columns |= {
            "model": _named(outcomes, tally.black_box),
            "rules": _named(outcomes, said),
            "deciding rule": pd.Series(deciding + 1, dtype="Int64").where(deciding >= 0),
            "truth": _named(outcomes, tally.truth),
        }
        for axis, codes in zip(tally.axes, tally.groups.T, strict=True):
            columns[f"group: {axis.name}"] = _named((*axis.groups, axis.missing), codes)
        yield pd.DataFrame(columns)
        start = end


def iter_record_csv(parts: Iterable[pd.DataFrame]) -> Iterator[str]:
    """The rows as CSV, a text for each part: texts defused, what is missing left empty."""
    for number, frame in enumerate(parts):
        names = list(map(str, frame.columns))
        values = frame.astype(object).where(frame.notna(), None).to_numpy().tolist()
        rows = [dict(zip(names, row, strict=True)) for row in values]
        yield table_to_csv(rows, names, header=not number)


def _named(names: Sequence[str | None], codes: Ints) -> object:
    """The texts behind codes; −1 is the last of them."""
    return pd.array(np.array(names, dtype=object)[codes], dtype="str")
