"""The same theory in five kinds of SQL answers as the library does, on every row."""

import datetime
import math
import shutil
import sqlite3
from contextlib import closing

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glocalx.errors import GLocalXError
from glocalx.rules.dialects import BIGQUERY, DIALECTS, DUCKDB, POSTGRESQL, SNOWFLAKE, SQLITE
from glocalx.rules.schema import Feature, Schema
from tests.export.databases import in_duckdb, in_sqlite, postgresql, translated
from tests.export.hostile import ranked, texts
from tests.export.portable import PortableWorld, portable_worlds

INF = math.inf
plain_names = st.text(st.characters(codec="ascii", categories=["L", "N"]), min_size=1, max_size=9)


@settings(max_examples=60)
@given(portable_worlds())
def test_duckdb(world: PortableWorld):
    assert in_duckdb(world.theory, world.rows) == world.expected


@settings(max_examples=60)
@given(portable_worlds())
def test_sqlite(world: PortableWorld):
    assert in_sqlite(world.theory, world.rows) == world.expected


@pytest.fixture(scope="module")
def server():
    if not shutil.which("initdb"):
        pytest.skip("PostgreSQL (initdb, pg_ctl, psql) is not installed on this machine")
    with postgresql() as started:
        yield started


def test_postgresql(server):
    @settings(max_examples=20)
    @given(portable_worlds())
    def answers_alike(world: PortableWorld):
        assert server.answers(world.theory, world.rows) == world.expected

    answers_alike()


@settings(max_examples=30)
@given(portable_worlds(plain_names))
def test_bigquery_as_sqlglot_reads_it(world: PortableWorld):
    assert translated(world.theory, world.rows, BIGQUERY) == world.expected


@settings(max_examples=30)
@given(portable_worlds())
def test_snowflake_as_sqlglot_reads_it(world: PortableWorld):
    assert translated(world.theory, world.rows, SNOWFLAKE) == world.expected


NUMBER = Schema((Feature("x", "numeric", gaps=True),), ("a", "b"))
ABOVE = ranked(NUMBER, [NUMBER.rule({"x": (1, INF)}, "b")])


def test_nan_that_is_not_null_is_missing():
    gone = ranked(NUMBER, [NUMBER.rule({"x": NUMBER["x"].only_missing}, "b")])
    values = "(VALUES (CAST('NaN' AS DOUBLE)), (2), (NULL)) AS t(x)"
    with duckdb.connect() as connection:
        for theory, said in [(ABOVE, ["a", "b", "a"]), (gone, ["b", "a", "b"])]:
            found = connection.execute(f"SELECT {theory.to_sql()} FROM {values}").fetchall()
            assert [row[0] for row in found] == said


def test_dates_in_sqlite_are_texts():
    schema = Schema((Feature("day", "date"),), ("a", "b"))
    theory = ranked(schema, [schema.rule({"day": (18_262, 18_272)}, "b")])
    days = ["2019-12-31", "2020-01-01", "2020-01-10 23:59:59", "2020-01-11", None]
    assert in_sqlite(theory, [{"day": day} for day in days]) == ["a", "b", "b", "a", "a"]


@pytest.mark.parametrize("kind", ["TEXT", "", "NUMERIC"])
def test_numbers_in_sqlite_may_stand_there_as_texts(kind):
    """A CSV file that was imported has nothing but texts, and gaps are empty ones."""
    schema = Schema((Feature("x", "integer", gaps=True),), ("a", "b"))
    theory = ranked(schema, [schema.rule({"x": (9, INF)}, "b")])
    with closing(sqlite3.connect(":memory:")) as lite:
        lite.execute(f"CREATE TABLE t (x {kind})")
        lite.executemany("INSERT INTO t VALUES (?)", [("10",), ("8",), ("",)])
        found = lite.execute(theory.to_sql(SQLITE, table="t")).fetchall()
    assert [row[-1] for row in found] == ["b", "a", "a"]


def test_a_column_that_is_not_there_is_no_text_in_sqlite():
    """There, a name in double quotes that no column has is a text, and above every number."""
    with closing(sqlite3.connect(":memory:")) as lite:
        lite.execute("CREATE TABLE t (y REAL)")
        with pytest.raises(sqlite3.OperationalError, match="no such column: x"):
            lite.execute(ABOVE.to_sql(SQLITE, table="t"))


@pytest.mark.parametrize("dialect", [DUCKDB, SQLITE, POSTGRESQL], ids=lambda each: each.key)
def test_yes_and_no_may_be_of_a_type_of_their_own(dialect, request):
    schema = Schema((Feature("b", "categorical", ("False", "True")),), ("no", "yes"))
    query = ranked(schema, [schema.rule({"b": ["True"]}, "yes")]).to_sql(dialect, table="t")
    making = ["CREATE TABLE t (b BOOLEAN)", "INSERT INTO t VALUES (TRUE), (FALSE), (NULL)"]
    said = ["yes", "no", "no"]
    if dialect is POSTGRESQL:
        lines = request.getfixturevalue("server").ask("DROP TABLE IF EXISTS t", *making, query)
        assert [line.rpartition("|")[2] for line in lines] == said
        return
    opened = duckdb.connect() if dialect is DUCKDB else sqlite3.connect(":memory:")
    with closing(opened) as connection:
        for command in making:
            connection.execute(command)
        assert [row[-1] for row in connection.execute(query).fetchall()] == said


@pytest.mark.parametrize("dialect", [DUCKDB, SQLITE, SNOWFLAKE], ids=lambda each: each.key)
def test_days_end_where_the_calendar_does(dialect):
    schema = Schema((Feature("day", "date"),), ("a", "b"))
    theory = ranked(schema, [schema.rule({"day": (-1e9, 1e9)}, "b")])
    rows = [{"day": datetime.date(2020, 1, 1)}]
    answer = {DUCKDB: in_duckdb, SQLITE: in_sqlite}.get(dialect)
    assert (answer(theory, rows) if answer else translated(theory, rows, dialect)) == ["b"]


@given(texts)
def test_bigquery_refuses_what_no_column_there_can_be_called(name):
    schema = Schema((Feature(name, "numeric"),), ("a", "b"))
    theory = ranked(schema, [schema.rule({name: (0, 1)}, "b")])
    if set(name) & set('!"$()*,./;?@[\\]^`{}~') or any(ord(each) < 32 for each in name):
        with pytest.raises(GLocalXError, match="BigQuery allows no"):
            theory.to_sql(BIGQUERY)
    else:
        assert f"`{name}`" in theory.to_sql(BIGQUERY)


@pytest.mark.parametrize("dialect", DIALECTS.values(), ids=DIALECTS)
def test_each_says_for_whom_it_is_written(dialect):
    assert ABOVE.to_sql(dialect).startswith(f"/* SQL for {dialect.title}. ")
