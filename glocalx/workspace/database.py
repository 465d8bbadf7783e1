"""The small database of a workspace: its tables, their version, and what can go wrong with it."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from glocalx.errors import GLocalXError

FILE = "runs.sqlite"
PATIENCE = 20.0  # seconds that one process waits for another
_STEPS = (
    """
    CREATE TABLE IF NOT EXISTS runs (
        id TEXT PRIMARY KEY, owner TEXT NOT NULL, name TEXT NOT NULL, settings TEXT NOT NULL,
        created REAL NOT NULL, updated REAL NOT NULL, figures TEXT NOT NULL
    )
    """,
    "ALTER TABLE runs ADD COLUMN link TEXT NOT NULL DEFAULT 'results'",
)
"""What makes each version out of the one before; the first one had no number."""
VERSION = len(_STEPS)
FULL = "There is no room left on the disk. Delete runs, or make room, and try again."
_READ_ONLY = (
    "The folder with the runs cannot be written to. Let the person who runs this server know."
)


_NO_ROOM = (errno.ENOSPC, errno.EDQUOT)
_NOT_WRITABLE = (errno.EROFS, errno.EACCES, errno.EPERM)
FORESEEN = (*_NO_ROOM, *_NOT_WRITABLE)
"""What the sentence says all about: nobody needs a trace of it."""


@contextmanager
def opened(folder: Path) -> Iterator[sqlite3.Connection]:
    """The database: what is done with it holds if nothing goes wrong, and else not at all."""
    try:
        with closing(sqlite3.connect(folder / FILE, timeout=PATIENCE)) as database, database:
            database.row_factory = sqlite3.Row
            yield database
    except sqlite3.Error as error:
        raise GLocalXError(_sentence(error)) from error


def prepare(folder: Path) -> None:
    """Bring a database of an earlier version to this one; refuse one of a later version."""
    with opened(folder) as database:
        (found,) = database.execute("PRAGMA user_version").fetchone()
        if found > VERSION:
            raise GLocalXError(
                f"The runs here are kept in version {found}, and this program knows versions up "
                f"to {VERSION}. Use the newer program, or another folder."
            )
        if found == VERSION:
            return
        database.execute("BEGIN IMMEDIATE")
        for step in _STEPS[found:]:
            database.execute(step)
        database.execute(f"PRAGMA user_version = {VERSION}")


@contextmanager
def writing() -> Iterator[None]:
    """A sentence for a disk that cannot be written to."""
    try:
        yield
    except OSError as error:
        raise GLocalXError(disk_sentence(error)) from error


def disk_sentence(error: OSError) -> str:
    """What is wrong with the disk, and what to do."""
    if error.errno in _NO_ROOM:
        return FULL
    if error.errno in _NOT_WRITABLE:
        return _READ_ONLY
    return f"The disk does not do what it should ({error.strerror or error}). Try again."


def _sentence(error: sqlite3.Error) -> str:
    said = str(error)
    if "full" in said:
        return FULL
    if "readonly" in said or "unable to open" in said:
        return _READ_ONLY
    if "locked" in said or "busy" in said:
        return "Another program is busy with the list of runs. Wait a moment, and try again."
    return f"The list of runs cannot be read ({said}). Let the person who runs this server know."
