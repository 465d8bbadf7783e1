"""What five databases make of the same condition, and how it is written for each.

They differ in how names and texts are quoted, in whether a backslash is one, in what a NaN is
(above every number in DuckDB, PostgreSQL and Snowflake) and in whether there are dates at all (not
in SQLite, where texts stand for them, and where any column may hold anything).
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable
from dataclasses import dataclass

from glocalx.errors import GLocalXError
from glocalx.rules.schema import Feature
from glocalx.rules.sql import Notation, number_literal, quoted_name, quoted_text
from glocalx.words.phrases import shown

_EPOCH = datetime.date(1970, 1, 1)
_FIRST_DAY = (datetime.date.min - _EPOCH).days
_LAST_DAY = (datetime.date.max - _EPOCH).days
_NOT_IN_BIGQUERY = re.compile(r"""[!"$()*,./;?@\[\\\]^`{}~\x00-\x1f]""")
_BOOLEAN = frozenset({"False", "True"})


@dataclass(frozen=True, slots=True)
class Dialect:
    """The SQL of one database.

    Parameters
    ----------
    key, title
        What commands and people call it.
    note
        What the one who runs it has to know.
    name
        A column or table as a name that means itself.
    text
        A text that means itself.
    number, day
        A column, already quoted, as a number or a date; NULL where it is missing or NaN.
    category
        A column, already quoted, as a text.
    date
        A date, given as text, as one that is compared with `day`.
    true, false
        How these may stand in a column, where they are not only texts.
    """

    key: str
    title: str
    note: str
    name: Callable[[str], str]
    text: Callable[[str], str]
    number: Callable[[str], str]
    day: Callable[[str], str] = "CAST({} AS DATE)".format
    category: Callable[[str], str] = str
    date: Callable[[str], str] = "DATE '{}'".format
    true: tuple[str, ...] = ()
    false: tuple[str, ...] = ()

    @property
    def notation(self) -> Notation:
        """How conditions are written."""
        return Notation(self._column, self._bound, self._listed)

    def _column(self, feature: Feature) -> str:
        raw = self.name(feature.name)
        made = self.category if feature.is_categorical else self.number
        column = self.day(raw) if feature.kind == "date" else made(raw)
        if feature.fill is None:
            return column
        fill = feature.fill
        literal = self.text(fill) if isinstance(fill, str) else self._bound(feature, fill)
        return f"COALESCE({column}, {literal})"

    def _bound(self, feature: Feature, number: float) -> str:
        if feature.kind != "date":
            return number_literal(number)
        inside = min(max(int(number), _FIRST_DAY), _LAST_DAY)
        return self.date((_EPOCH + datetime.timedelta(days=inside)).isoformat())

    def _listed(self, feature: Feature, category: str) -> tuple[str, ...]:
        own = self.true if category == "True" else self.false
        return own if own and feature.domain <= _BOOLEAN else (self.text(category),)


def _backticked(name: str) -> str:
    """SQLite takes a name in double quotes that no column has for a text; not one in these."""
    quoted_name(name)  # refuses what cannot be said
    return "`" + name.replace("`", "``") + "`"


def _in_bigquery(name: str) -> str:
    strange = _NOT_IN_BIGQUERY.search(name)
    if strange or not name:
        raise GLocalXError(
            f"BigQuery allows no {shown(strange[0]) if strange else 'empty name'} in what a column "
            f"is called, and there is {shown(name)}. Rename the column, there and here."
        )
    return f"`{name}`"


def _escaped(text: str) -> str:
    """For databases that read a backslash as the beginning of something else."""
    quoted_text(text)  # refuses what cannot be said
    return text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n").replace("\r", "\\r")


def _unescaped(text: str) -> str:
    """PostgreSQL: the E says that a backslash begins something, whatever the server's settings."""
    quoted = quoted_text(text)
    return "E" + quoted.replace("\\", "\\\\") if "\\" in text else quoted


DUCKDB = Dialect(
    "duckdb",
    "DuckDB",
    "Dates have to be of the type DATE or TIMESTAMP, or texts such as 2024-05-31.",
    quoted_name,
    quoted_text,
    "NULLIF(CAST({} AS DOUBLE), 'NaN')".format,
)
SQLITE = Dialect(
    "sqlite",
    "SQLite",
    "Dates have to be texts such as 2024-05-31; a text in a column of numbers that is no number "
    "counts as 0.",
    _backticked,
    quoted_text,
    "CAST(NULLIF({}, '') AS REAL)".format,
    "date({})".format,
    date="'{}'".format,
    true=("'True'", "1"),
    false=("'False'", "0"),
)
POSTGRESQL = Dialect(
    "postgresql",
    "PostgreSQL",
    "Names tell upper from lower case, as they stand here.",
    quoted_name,
    _unescaped,
    "NULLIF(CAST({} AS DOUBLE PRECISION), 'NaN')".format,
)
BIGQUERY = Dialect(
    "bigquery",
    "BigQuery",
    "Numbers have to be of the type INT64, NUMERIC or FLOAT64, or texts of numbers.",
    _in_bigquery,
    lambda text: f"'{_escaped(text)}'",
    "CASE WHEN NOT IS_NAN(CAST({0} AS FLOAT64)) THEN CAST({0} AS FLOAT64) END".format,
    category="CAST({} AS STRING)".format,
    true=("'True'", "'true'"),
    false=("'False'", "'false'"),
)
SNOWFLAKE = Dialect(
    "snowflake",
    "Snowflake",
    "Names tell upper from lower case: where the table has AGE for age, rename its columns.",
    quoted_name,
    lambda text: f"'{_escaped(text)}'",
    "NULLIF(CAST({} AS DOUBLE), CAST('NaN' AS DOUBLE))".format,
)
DIALECTS = {each.key: each for each in (DUCKDB, SQLITE, POSTGRESQL, BIGQUERY, SNOWFLAKE)}
"""By what commands call them."""
