"""What the columns of a streamed table hold, found out by asking DuckDB."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

import duckdb
import numpy as np
import pandas as pd

from glocalx.audit.axis import FEW_VALUES, equal_ranks, useful_edges
from glocalx.audit.sql_columns import SqlColumns, double_literal
from glocalx.errors import GLocalXError
from glocalx.rules.schema import Feature, Schema
from glocalx.words.phrases import counted, shown

MAX_CATEGORIES = 1_000
MAX_LISTED = 10_000  # different numbers that are fetched one by one


class StreamedColumns:
    """Kinds, categories and bands of the columns behind a FROM.

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
        self._connection, self._schema = connection, schema
        self.relation, self.called = relation, called
        described = self.rows(f"DESCRIBE SELECT * FROM {relation}")
        self.sql = SqlColumns({row[0]: row[1] for row in described}, called)
        self.feature = cache(self._feature)
        self.edges = cache(self._edges)
        self._checked: set[str] = set()

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        with refusing(self.called):
            return self._connection.execute(query).fetchall()

    def frame(self, query: str) -> pd.DataFrame:
        with refusing(self.called):
            return self._connection.execute(query).df()

    def expression(self, feature: Feature) -> str:
        """The SQL of a feature as rules compare it; a column of the wrong kind is refused."""
        if not feature.is_categorical:
            self._check_numbers(feature)
        return self.sql.expression(feature)

    def _feature(self, column: str) -> Feature:
        """What a column is; the categories of the schema and those that occur."""
        if column in self._schema:
            known = self._schema[column]
            return self._with_categories(known) if known.is_categorical else known
        if self._holds_texts(column):
            return self._with_categories(None, column)
        if self.sql.is_date(column):
            return Feature(column, "date")
        number = self.sql.number(Feature(column, "numeric"))
        whole = self.rows(f"SELECT bool_and({number} = floor({number})) FROM {self.relation}")
        return Feature(column, "integer" if whole[0][0] else "numeric")

    def _with_categories(self, known: Feature | None, column: str = "") -> Feature:
        name = known.name if known else column
        text = self.sql.text(name, known.categories if known else ())
        found = self.rows(
            f"SELECT DISTINCT {text} AS v FROM {self.relation} "
            f"WHERE v IS NOT NULL LIMIT {MAX_CATEGORIES + 1}"
        )
        categories = {*(row[0] for row in found), *(known.categories if known else ())}
        if len(categories) > MAX_CATEGORIES:
            raise GLocalXError(
                f"The column {shown(name)} of {shown(self.called)} has more than "
                f"{MAX_CATEGORIES:,} categories, too many for groups. Choose another column."
            )
        if not categories:
            raise GLocalXError(
                f"The column {shown(name)} of {shown(self.called)} is empty. Choose another."
            )
        label, unit = (known.label, known.unit) if known else (None, None)
        return Feature(name, "categorical", tuple(categories), label, unit)

    def _holds_texts(self, column: str) -> bool:
        """True for categories; texts that are all numbers, as in CSV files, are numbers."""
        sql = self.sql
        if sql.is_whole(column) or sql.is_real(column) or sql.is_date(column):
            return False
        if not sql.is_text(column):
            return True
        text = sql.known_text(column)
        numbers = f"bool_and(TRY_CAST({text} AS DOUBLE) IS NOT NULL)"
        known = f"FILTER (WHERE {text} IS NOT NULL)"
        return not self.rows(f"SELECT {numbers} {known} FROM {self.relation}")[0][0]

    def _check_numbers(self, feature: Feature) -> None:
        """Refuse texts where numbers or dates should be, rather than leave them out."""
        if feature.name in self._checked or not self.sql.is_text(feature.name):
            return
        text, number = self.sql.known_text(feature.name), self.sql.number(feature)
        unread = f"{text} IS NOT NULL AND {number} IS NULL"
        count, example = self.rows(
            f"SELECT count(*), min({text}) FROM {self.relation} WHERE {unread}"
        )[0]
        if count:
            what = "dates such as 2024-05-31" if feature.kind == "date" else "numbers"
            raise GLocalXError(
                f"The column {shown(feature.name)} of {shown(self.called)} should hold {what}, "
                f"but {counted(count, 'record')} {'holds' if count == 1 else 'hold'} something "
                f"else, such as {shown(example)}. Correct the column."
            )
        self._checked.add(feature.name)

    def _edges(self, feature: Feature, parts: int) -> Sequence[float]:
        """Where bands of about the same size begin; few different values have a band each."""
        known, distinct = self._number_facts(feature)
        if not known:
            return ()
        ranks = equal_ranks(known, parts)
        if distinct > MAX_LISTED:
            return self._edges_of_many(feature, ranks, known)
        listed = self.rows(
            f"SELECT v, count(*) FROM (SELECT {self.expression(feature)} AS v "
            f"FROM {self.relation}) WHERE v IS NOT NULL GROUP BY v ORDER BY v"
        )
        values = np.array([row[0] for row in listed])
        if values.size <= FEW_VALUES:
            return tuple(values[1:].tolist())
        upto = np.cumsum([row[1] for row in listed])
        cuts = values[np.searchsorted(upto, ranks)]
        return useful_edges(cuts.tolist(), *values[:2].tolist())

    def _number_facts(self, feature: Feature) -> tuple[int, int]:
        """Number of known values, and about how many different ones."""
        number = self.expression(feature)
        row = self.rows(
            f"SELECT count(v), approx_count_distinct(v) "
            f"FROM (SELECT {number} AS v FROM {self.relation})"
        )[0]
        return int(row[0]), int(row[1])

    def _edges_of_many(self, feature: Feature, ranks: Sequence[int], known: int) -> Sequence[float]:
        number = self.expression(feature)
        # Half a rank below, so that rounding cannot lead to the next value.
        shares = [double_literal((rank - 0.5) / known) for rank in ranks]
        lowest, cuts = self.rows(
            f"SELECT min(v), quantile_disc(v, [{', '.join(shares)}]) "
            f"FROM (SELECT {number} AS v FROM {self.relation})"
        )[0]
        second = self.rows(
            f"SELECT min({number}) FROM {self.relation} WHERE {number} > {double_literal(lowest)}"
        )
        return useful_edges(cuts, lowest, second[0][0])


@contextmanager
def refusing(called: str) -> Iterator[None]:
    """One sentence about the table for whatever DuckDB finds wrong with it."""
    try:
        yield
    except duckdb.Error as error:
        reason = str(error).strip().splitlines()[0].rstrip(".")
        raise GLocalXError(f"{shown(called)} cannot be read: {reason}.") from error
