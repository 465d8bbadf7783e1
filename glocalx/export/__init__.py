"""A theory as Python and as Markdown, and tables as CSV; as SQL: `RankedTheory.to_sql`.

Names and categories come from strangers' tables. Each module quotes or escapes them for its
language, so that a column called `"; DROP TABLE x; --` stays a column.
"""

from glocalx.export.csv import table_to_csv
from glocalx.export.markdown import markdown_table, theory_to_markdown
from glocalx.export.python_source import theory_to_python

__all__ = [
    "markdown_table",
    "table_to_csv",
    "theory_to_markdown",
    "theory_to_python",
]
