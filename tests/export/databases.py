"""The same rows in several databases, and what a theory answers there as SQL."""

from __future__ import annotations

import datetime
import json
import os
import shutil
import sqlite3
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import duckdb
import sqlglot

from glocalx.rules.classifier import RankedTheory
from glocalx.rules.dialects import BIGQUERY, DUCKDB, POSTGRESQL, SNOWFLAKE, SQLITE, Dialect

Row = Mapping[str, Any]
TYPES = {
    DUCKDB: {"numeric": "DOUBLE", "integer": "BIGINT", "date": "DATE", "text": "VARCHAR"},
    SQLITE: {"numeric": "REAL", "integer": "INTEGER", "date": "TEXT", "text": "TEXT"},
    POSTGRESQL: {"numeric": "float8", "integer": "bigint", "date": "date", "text": "text"},
}


def created(theory: RankedTheory, dialect: Dialect) -> str:
    """A table for the columns of the theory, with the types that the database has for them."""
    kinds = TYPES[dialect]
    columns = [
        f"{dialect.name(each.name)} {kinds.get(each.kind, kinds['text'])}"
        for each in theory.schema.features
    ]
    return f"CREATE TABLE {dialect.name('records')} ({', '.join(columns)})"


def plain(value: Any) -> Any:
    """A value as drivers take it; dates as texts, which every database reads."""
    return value.isoformat() if isinstance(value, datetime.date) else value


def in_duckdb(theory: RankedTheory, rows: Sequence[Row]) -> list[str]:
    with duckdb.connect() as connection:
        _filled(connection, theory, rows)
        return _answers(connection, theory.to_sql(DUCKDB, table="records"))


def _filled(
    connection: duckdb.DuckDBPyConnection, theory: RankedTheory, rows: Sequence[Row]
) -> None:
    connection.execute(created(theory, DUCKDB))
    marks = ", ".join("?" * len(theory.schema.names))
    values = [[plain(row[name]) for name in theory.schema.names] for row in rows]
    connection.executemany(f"INSERT INTO records VALUES ({marks})", values)


def _answers(connection: duckdb.DuckDBPyConnection, query: str) -> list[str]:
    connection.execute("SET threads = 1")  # rows come back in their order
    return [row[-1] for row in connection.execute(query).fetchall()]


def in_sqlite(theory: RankedTheory, rows: Sequence[Row]) -> list[str]:
    with closing(sqlite3.connect(":memory:")) as lite:
        lite.execute(created(theory, SQLITE))
        marks = ", ".join("?" * len(theory.schema.names))
        values = [[plain(row[name]) for name in theory.schema.names] for row in rows]
        lite.executemany(f"INSERT INTO records VALUES ({marks})", values)
        return [row[-1] for row in lite.execute(theory.to_sql(SQLITE, table="records"))]


def translated(theory: RankedTheory, rows: Sequence[Row], dialect: Dialect) -> list[str]:
    """BigQuery and Snowflake cannot be run here: sqlglot reads theirs, DuckDB runs what it read."""
    name = {BIGQUERY: "bigquery", SNOWFLAKE: "snowflake"}[dialect]
    (query,) = sqlglot.transpile(
        theory.to_sql(dialect, table="records"), read=name, write="duckdb", comments=False
    )
    with duckdb.connect() as connection:
        _filled(connection, theory, rows)
        return _answers(connection, query)


class PostgreSQL:
    """A server of its own, which listens on a socket in a folder and nowhere else."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def ask(self, *commands: str) -> list[str]:
        """What the last command answers, a line for each row."""
        given = [part for command in commands for part in ("-c", command)]
        options = ["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1"]
        run = subprocess.run(
            ["psql", "-h", str(self._folder), "-U", "tester", "-d", "postgres", *options, *given],
            capture_output=True,
            text=True,
            check=False,
        )
        if run.returncode:
            raise AssertionError(f"{run.stderr}\n{commands[-1]}")
        return run.stdout.removesuffix("\n").split("\n")  # a row is a line, whatever is in it

    def answers(self, theory: RankedTheory, rows: Sequence[Row]) -> list[str]:
        name = POSTGRESQL.name
        columns = ", ".join(map(name, theory.schema.names))
        values = [
            "(" + ", ".join(_literal(row[each]) for each in theory.schema.names) + ")"
            for row in rows
        ]
        query = theory.to_sql(POSTGRESQL, table="records", outcome="said ✓")
        lines = self.ask(
            f"DROP TABLE IF EXISTS {name('records')}",
            created(theory, POSTGRESQL),
            f"INSERT INTO {name('records')} ({columns}) VALUES {', '.join(values)}",
            f"SELECT to_json({name('said ✓')}) FROM ({query}) AS answered",
        )
        return [json.loads(line) for line in lines]


def _literal(value: Any) -> str:
    if value is None:
        return "NULL"
    text = plain(value) if isinstance(value, str | datetime.date) else repr(value)
    return POSTGRESQL.text(text)


@contextmanager
def postgresql() -> Iterator[PostgreSQL]:
    """Start a server, and stop it. It refuses to run as root, so that root lends it a name."""
    user = "postgres" if os.geteuid() == 0 else None
    # Where a socket's name must not be long.
    folder = Path(tempfile.mkdtemp(prefix="pg-", dir="/tmp"))
    if user:
        shutil.chown(folder, user)
    data = str(folder / "data")

    def run(*command: str) -> None:
        subprocess.run(command, user=user, cwd=folder, check=True, stdout=subprocess.DEVNULL)

    try:
        run("initdb", "-D", data, "-U", "tester", "-A", "trust", "-E", "UTF8", "--no-sync")
        settings = f"-c listen_addresses='' -c unix_socket_directories={folder} -c fsync=off"
        run("pg_ctl", "-D", data, "-w", "-l", str(folder / "log"), "-o", settings, "start")
        try:
            yield PostgreSQL(folder)
        finally:
            run("pg_ctl", "-D", data, "-w", "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
