"""A theory in the languages of others: SQL, Python, Markdown; and tables as CSV.

Names and categories come from strangers' tables. Each module quotes or escapes them for its
language, so that a column called `"; DROP TABLE x; --` stays a column.
"""

from glocalx.export.csv import table_to_csv
from glocalx.export.markdown import markdown_table, theory_to_markdown
from glocalx.export.python_source import theory_to_python
from glocalx.export.sql import theory_to_sql

__all__ = [
    "markdown_table",
    "table_to_csv",
    "theory_to_markdown",
    "theory_to_python",
    "theory_to_sql",
]
