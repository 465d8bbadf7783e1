"""Tables: read from a file, understood, checked, shared out.

raw = read_table(Path("people.csv"))
table = Table.of(raw, target="answer")
parts = split(table, seed=0)
"""

from glocalx.table.clean import Column
from glocalx.table.confined_table import read_table
from glocalx.table.findings import Finding
from glocalx.table.kinds import ColumnKind
from glocalx.table.raw import RawTable, raw_from_frame
from glocalx.table.roles import Choices, Gaps, Role
from glocalx.table.split import Split, sample_rows, split
from glocalx.table.table import Table

__all__ = [
    "Choices",
    "Column",
    "ColumnKind",
    "Finding",
    "Gaps",
    "RawTable",
    "Role",
    "Split",
    "Table",
    "raw_from_frame",
    "read_table",
    "sample_rows",
    "split",
]
