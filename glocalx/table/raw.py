"""A table as it is in the file, before anybody has said what its columns mean."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa  # type: ignore[import-untyped]

from glocalx.table.findings import Finding
from glocalx.table.limits import check_header, no_rows


@dataclass(frozen=True, slots=True, eq=False)
class RawTable:
    """The cells of a file, column by column.

    Parameters
    ----------
    cells
        An Arrow table. Cells of text formats and of Excel are text as in the file; Parquet and
        Feather keep their own types.
    delimiter
        Of a text file.
    decimal_comma
        True where the file writes `3,5` for three and a half.
    sheet_rows
        For each record its row in a spreadsheet where that is not simply its place + 2 (the
        header is row 1), because of blank rows.
    understood
        Its columns as :func:`glocalx.table.understanding.read_column` understood them, by name and
        kind: every table that is made of this one shares them.
    """

    name: str
    cells: pa.Table
    delimiter: str | None = None
    decimal_comma: bool = False
    sheet_rows: npt.NDArray[np.int64] | None = None
    findings: tuple[Finding, ...] = ()
    understood: dict[tuple[str, str | None], Any] = field(
        init=False, repr=False, default_factory=dict
    )

    def __post_init__(self) -> None:
        check_header(self.columns, self.name)
        if not self.size:
            raise no_rows(self.name)

    @property
    def size(self) -> int:
        """Number of records."""
        return int(self.cells.num_rows)

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(self.cells.column_names)

    def sheet_row(self, place: int) -> int:
        """The row in which a person sees the record, counting the header as row 1."""
        return place + 2 if self.sheet_rows is None else int(self.sheet_rows[place])

    def head(self, rows: int = 5) -> pd.DataFrame:
        """The first records, for a preview."""
        return pd.DataFrame(self.cells.slice(0, rows).to_pandas())


def raw_from_frame(frame: pd.DataFrame, name: str = "table") -> RawTable:
    """A pandas frame as a raw table, for those who come from Python. Its index is left out."""
    columns = [_arrow(frame.iloc[:, place]) for place in range(frame.shape[1])]
    cells = pa.Table.from_arrays(columns, names=[str(column) for column in frame.columns])
    return RawTable(name, cells)


def _arrow(column: pd.Series[Any]) -> pa.Array:
    try:
        return pa.Array.from_pandas(column)
    except (pa.ArrowInvalid, pa.ArrowTypeError):  # cells of several types
        return pa.array([None if cell is None else str(cell) for cell in column], pa.string())
