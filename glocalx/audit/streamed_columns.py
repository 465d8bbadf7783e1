"""The columns of a streamed table as rules see them: numbers, days, texts, NULL where missing.

What they hold is found out by asking DuckDB.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

import duckdb
import numpy as np
import pandas as pd

from glocalx.audit.axis import equal_ranks, listed_edges, useful_edges
from glocalx.errors import GLocalXError
from glocalx.rules.schema import Feature, Schema
from glocalx.rules.sql import number_literal, quoted_name, quoted_text
from glocalx.table.cells import MISSING
from glocalx.words.phrases import counted, listing, shown

MAX_CATEGORIES = 1_000
MAX_LISTED = 10_000  # different numbers that are fetched one by one
_SPACES = "' ' || chr(9) || chr(10) || chr(13)"
_COMMA = "[-+]?([0-9]+|[1-9][0-9]{0,2}([.][0-9]{3})+)(,[0-9]+)?"
_DECIMAL_COMMA = ".*,([0-9]{1,2}|[0-9]{4,})"
_DAY_ZERO = "DATE '1970-01-01'"
_WHOLE = (
    *("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT"),
    *("UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "UHUGEINT"),
)
_BEGINNINGS = {
    "text": ("VARCHAR", "ENUM"),
    "date": ("DATE", "TIMESTAMP"),
    "real": ("FLOAT", "DOUBLE", "DECIMAL"),
}


class StreamedColumns:
    """Kinds, categories and bands of the columns behind a FROM, and their SQL.

    Parameters
    ----------
    connection
        To DuckDB; whoever opened it closes it.
    relation
        What stands behind FROM.
    schema
        Of the rules.
    called
        What people call the table.
    """

    def __init__(
        self, connection: duckdb.DuckDBPyConnection, relation: str, schema: Schema, called: str
    ) -> None:
        self._connection, self.schema = connection, schema
        self.relation, self.called = relation, called
        described = self.rows(f"DESCRIBE SELECT * FROM {relation}")
        self._kinds = {row[0]: _kind(row[1].upper()) for row in described}
        self._actual = {name.strip(): name for name in reversed(self._kinds)}
        self._actual |= {name: name for name in self._kinds}
        self.feature = cache(self._feature)
        self.edges = cache(self._edges)
        self._checked: set[str] = set()
        self._commas: dict[str, bool] = {}

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        with refusing(self.called):
            return self._connection.execute(query).fetchall()

    def frame(self, query: str) -> pd.DataFrame:
        with refusing(self.called):
            return self._connection.execute(query).df()

    def iter_frames(self, query: str, rows: int) -> Iterator[pd.DataFrame]:
        """The answer in its order, so many rows at a time."""
        with refusing(self.called):
            self._connection.execute("SET preserve_insertion_order = true")
            for batch in self._connection.sql(query).to_arrow_reader(rows):
                yield batch.to_pandas()

    def drawn(self, query: str, most: int | None) -> pd.DataFrame:
        """The answer, or so many rows of it: the same ones whenever it is asked, by one thread."""
        if most is None:
            return pd.concat(self.iter_frames(query, MAX_LISTED), ignore_index=True)
        threads = self.rows("SELECT current_setting('threads')")[0][0]
        self.rows("SET threads = 1")
        try:
            return self.frame(f"{query} USING SAMPLE reservoir({most} ROWS) REPEATABLE (0)")
        finally:
            self.rows(f"SET threads = {threads}")

    def expression(self, feature: Feature) -> str:
        """The feature as rules compare it: text, number, or days since 1970-01-01.

        A column of the wrong kind is refused.
        """
        if feature.is_categorical:
            return self.text(feature.name, feature.categories)
        self.check_numbers([feature])
        return self.number(feature)

    def _raw(self, column: str) -> tuple[str, str]:
        """The column as it is, and its kind."""
        if column not in self._actual:
            raise GLocalXError(
                f"{shown(self.called)} has no column {shown(column)}. "
                f"It has: {listing(self._kinds)}."
            )
        actual = self._actual[column]
        return quoted_name(actual), self._kinds[actual]

    def number(self, feature: Feature) -> str:
        """A DOUBLE, NULL where it is missing, not finite, or a text that is no number."""
        raw, kind = self._raw(feature.name)
        if feature.kind == "date" and kind in ("date", "text"):
            day = f"TRY_CAST({raw} AS DATE)"
            if kind == "text":
                text = self._known_text(feature.name)
                dotted = f"CAST(try_strptime({text}, '%d.%m.%Y') AS DATE)"
                day = f"COALESCE(TRY_CAST({text} AS DATE), {dotted})"
            return f"CAST(date_diff('day', {_DAY_ZERO}, {day}) AS DOUBLE)"
        number = f"CAST({raw} AS DOUBLE)"
        if kind == "whole":
            return number
        if kind == "text":
            number = f"TRY_CAST({self._number_text(feature.name)} AS DOUBLE)"
        return f"CASE WHEN isfinite({number}) THEN {number} END"

    def text(self, column: str, known: Sequence[str] = ()) -> str:
        """A VARCHAR, NULL where it is missing; a text among the `known` ones is left as it is."""
        raw, kind = self._raw(column)
        if kind == "boolean":
            return f"CASE WHEN {raw} THEN 'True' WHEN NOT {raw} THEN 'False' END"
        if kind == "real":
            return f"regexp_replace(CAST({raw} AS VARCHAR), '[.]0$', '')"
        if kind != "text":
            return f"CAST({raw} AS VARCHAR)"
        if not known:
            return self._known_text(column)
        listed = ", ".join(map(quoted_text, known))
        return f"CASE WHEN {raw} IN ({listed}) THEN {raw} ELSE {self._known_text(column)} END"

    def _known_text(self, column: str) -> str:
        """A text without spaces around it, NULL where it says "not known"."""
        trimmed = f"trim(CAST({self._raw(column)[0]} AS VARCHAR), {_SPACES})"
        listed = ", ".join(map(quoted_text, MISSING))
        return f"CASE WHEN lower({trimmed}) IN ({listed}) THEN NULL ELSE {trimmed} END"

    def _number_text(self, column: str) -> str:
        """The texts of a column with a point before decimals, where all are written with a comma.

        One number must show it: `3,5` does, `1,234` alone may be a thousand.
        """
        self._see_commas([column])
        text = self._known_text(column)
        return f"replace(replace({text}, '.', ''), ',', '.')" if self._commas[column] else text

    def _see_commas(self, columns: Iterable[str]) -> None:
        new = [column for column in columns if column not in self._commas]
        if not new:
            return
        asked = []
        for column in new:
            text = self._known_text(column)
            written = f"bool_and(regexp_full_match({text}, {quoted_text(_COMMA)}))"
            decimal = f"bool_or(regexp_full_match({text}, {quoted_text(_DECIMAL_COMMA)}))"
            asked.append(f"{written} AND {decimal}")
        (found,) = self.rows(f"SELECT {', '.join(asked)} FROM {self.relation}")
        self._commas |= {column: bool(is_so) for column, is_so in zip(new, found, strict=True)}

    def check_numbers(self, features: Iterable[Feature]) -> None:
        """Refuse texts where numbers or dates should be, rather than leave them out.

        All columns are looked at in two passes, not in two for each: a file may be large.
        """
        texts = [
            each
            for each in features
            if not each.is_categorical
            and each.name not in self._checked
            and self._raw(each.name)[1] == "text"
        ]
        if not texts:
            return
        self._see_commas(each.name for each in texts if each.kind != "date")
        asked = []
        for feature in texts:
            text, number = self._known_text(feature.name), self.number(feature)
            unread = f"FILTER (WHERE {text} IS NOT NULL AND {number} IS NULL)"
            asked += [f"count(*) {unread}", f"min({text}) {unread}"]
        (found,) = self.rows(f"SELECT {', '.join(asked)} FROM {self.relation}")
        for feature, count, example in zip(texts, found[::2], found[1::2], strict=True):
            if count:
                what = "dates such as 2024-05-31" if feature.kind == "date" else "numbers"
                raise GLocalXError(
                    f"The column {shown(feature.name)} of {shown(self.called)} should hold {what}, "
                    f"but {counted(count, 'record')} {'holds' if count == 1 else 'hold'} something "
                    f"else, such as {shown(example)}. Correct the column."
                )
            self._checked.add(feature.name)

    def _feature(self, column: str) -> Feature:
        """What a column is; the categories of the schema and those that occur."""
        if column in self.schema:
            known = self.schema[column]
            if not known.is_categorical:
                return known
            return self._categorical(column, known.categories, known.label, known.unit)
        if self._holds_texts(column):
            return self._categorical(column)
        if self._raw(column)[1] == "date":
            return Feature(column, "date")
        number = self.number(Feature(column, "numeric"))
        whole = self.rows(f"SELECT bool_and({number} = floor({number})) FROM {self.relation}")
        return Feature(column, "integer" if whole[0][0] else "numeric")

    def _categorical(
        self,
        name: str,
        known: Sequence[str] = (),
        label: str | None = None,
        unit: str | None = None,
    ) -> Feature:
        text = self.text(name, known)
        found = self.rows(
            f"SELECT DISTINCT v FROM (SELECT {text} AS v FROM {self.relation}) "
            f"WHERE v IS NOT NULL LIMIT {MAX_CATEGORIES + 1}"
        )
        categories = {*(row[0] for row in found), *known}
        column = f"The column {shown(name)} of {shown(self.called)}"
        if len(categories) > MAX_CATEGORIES:
            raise GLocalXError(
                f"{column} has more than {MAX_CATEGORIES:,} categories, too many for groups. "
                "Choose another column."
            )
        if not categories:
            raise GLocalXError(f"{column} is empty. Choose another.")
        return Feature(name, "categorical", tuple(categories), label, unit)

    def _holds_texts(self, column: str) -> bool:
        """True for categories; texts that are all numbers, as in CSV files, are numbers."""
        kind = self._raw(column)[1]
        if kind != "text":
            return kind not in ("whole", "real", "date")
        text = self._known_text(column)
        numbers = f"bool_and(TRY_CAST({self._number_text(column)} AS DOUBLE) IS NOT NULL)"
        known = f"FILTER (WHERE {text} IS NOT NULL)"
        return not self.rows(f"SELECT {numbers} {known} FROM {self.relation}")[0][0]

    def _edges(self, feature: Feature, parts: int) -> Sequence[float]:
        """Where bands of about the same size begin; few different values have a band each."""
        numbers = f"(SELECT {self.expression(feature)} AS v FROM {self.relation})"
        facts = f"SELECT count(v), approx_count_distinct(v) FROM {numbers}"
        known, distinct = self.rows(facts)[0]
        if distinct > MAX_LISTED:
            # Half a rank below, so that rounding cannot lead to the next value.
            ranks = [(rank - 0.5) / known for rank in equal_ranks(known, parts)]
            shares = ", ".join(map(double_literal, ranks))
            cut = f"SELECT min(v), quantile_disc(v, [{shares}]) FROM {numbers}"
            lowest, cuts = self.rows(cut)[0]
            above = f"SELECT min(v) FROM {numbers} WHERE v > {double_literal(lowest)}"
            return useful_edges(cuts, lowest, self.rows(above)[0][0])
        listed = self.rows(
            f"SELECT v, count(*) FROM {numbers} WHERE v IS NOT NULL GROUP BY v ORDER BY v"
        )
        values, counts = np.array(listed, dtype=float).reshape(-1, 2).T
        return listed_edges(values, counts.astype(np.int64), parts)


def _kind(sql_type: str) -> str:
    """What a type of DuckDB is to us."""
    if sql_type in _WHOLE:
        return "whole"
    found = (kind for kind, begin in _BEGINNINGS.items() if sql_type.startswith(begin))
    return "boolean" if sql_type == "BOOLEAN" else next(found, "other")


@contextmanager
def refusing(called: str) -> Iterator[None]:
    """One sentence about the table for whatever DuckDB finds wrong with it."""
    try:
        yield
    except duckdb.Error as error:
        reason = str(error).strip().splitlines()[0].rstrip(".")
        raise GLocalXError(f"{shown(called)} cannot be read: {reason}.") from error


def double_literal(number: float) -> str:
    """A number of the type DOUBLE, so that no decimal type rounds it."""
    text = number_literal(number)
    return text if "e" in text else f"{text}e0"
