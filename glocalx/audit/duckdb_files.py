"""Opening files and databases for a streamed audit, with nothing else within reach.

DuckDB may read the named files and nothing more, loads no extension, and keeps to its share of
memory; what does not fit goes to disk.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Unpack

import duckdb

from glocalx.audit.streamed_columns import StreamedColumns, refusing
from glocalx.audit.streaming import Streamed, StreamedSource
from glocalx.errors import GLocalXError
from glocalx.rules.schema import Schema
from glocalx.rules.sql import quoted_name, quoted_text
from glocalx.words.phrases import listing, shown

MEMORY = "600MB"
_READERS = {
    ".parquet": "read_parquet([{files}])",
    ".csv": "read_csv([{files}], header = true, all_varchar = true)",
    ".tsv": "read_csv([{files}], header = true, all_varchar = true, delim = chr(9))",
}


@contextmanager
def open_files(
    paths: Sequence[Path],
    schema: Schema,
    *,
    threads: int | None = None,
    **understood: Unpack[Streamed],
) -> Iterator[StreamedSource]:
    """One or more Parquet or CSV files of the same columns as one table.

    Parameters
    ----------
    schema
        Of the rules.
    threads
        How many processors to use; by default all.
    """
    relation = _relation(paths)
    called = paths[0].name if len(paths) == 1 else f"{paths[0].name} and {len(paths) - 1} more"
    with _connected(":memory:", threads) as connection:
        allowed = ", ".join(quoted_text(str(path.resolve())) for path in paths)
        connection.execute(f"SET allowed_paths = [{allowed}]")
        connection.execute("SET enable_external_access = false")
        columns = StreamedColumns(connection, relation, schema, called)
        yield StreamedSource(columns, **understood)


@contextmanager
def open_database(
    path: Path, table: str | None, schema: Schema, **understood: Unpack[Streamed]
) -> Iterator[StreamedSource]:
    """A table or view of a DuckDB database, which is opened for reading only.

    Parameters
    ----------
    table
        Its name; None where the database has only one.
    """
    if not path.is_file():
        raise GLocalXError(f"There is no file {shown(path)}. Check the name.")
    with refusing(path.name), _connected(str(path)) as connection:
        connection.execute("SET enable_external_access = false")
        names = [row[0] for row in connection.execute("SHOW TABLES").fetchall()]
        name = _one_of(names, table, path.name)
        columns = StreamedColumns(connection, quoted_name(name), schema, name)
        yield StreamedSource(columns, **understood)


def _one_of(names: Sequence[str], wanted: str | None, database: str) -> str:
    """The table that is wanted, or the only one."""
    if not names:
        raise GLocalXError(f"{shown(database)} has no tables. Give another database.")
    if wanted is None and len(names) == 1:
        return names[0]
    if wanted is None:
        raise GLocalXError(f"{shown(database)} has several tables: {listing(names)}. Name one.")
    if wanted not in names:
        raise GLocalXError(
            f"{shown(database)} has no table {shown(wanted)}. It has: {listing(names)}."
        )
    return wanted


def _relation(paths: Sequence[Path]) -> str:
    if not paths:
        raise GLocalXError("No file is given. Name at least one Parquet or CSV file.")
    absent = [path for path in paths if not path.is_file()]
    if absent:
        raise GLocalXError(f"There is no file {shown(absent[0])}. Check the name.")
    kinds = {path.suffix.lower() for path in paths}
    if len(kinds) > 1 or not kinds <= set(_READERS):
        raise GLocalXError(
            f"Files that end in {listing(sorted(kinds))} cannot be streamed together. "
            f"Give files that all end in one of {', '.join(_READERS)}."
        )
    files = ", ".join(quoted_text(str(path.resolve())) for path in paths)
    return _READERS[kinds.pop()].format(files=files)


@contextmanager
def _connected(database: str, threads: int | None = None) -> Iterator[duckdb.DuckDBPyConnection]:
    with tempfile.TemporaryDirectory(prefix="glocalx-") as spill:
        config: dict[str, str | bool | int | float | list[str]] = {
            "threads": threads or os.cpu_count() or 1,
            "memory_limit": MEMORY,
            "temp_directory": spill,
            "preserve_insertion_order": False,
            "autoinstall_known_extensions": False,
            "autoload_known_extensions": False,
        }
        connection = duckdb.connect(database, read_only=database != ":memory:", config=config)
        try:
            connection.execute("SET enable_progress_bar = false")
            yield connection
        finally:
            connection.close()
