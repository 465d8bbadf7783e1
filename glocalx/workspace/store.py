"""The workspace: a folder with every run, and a small database that lists them.

The database holds what a list shows: names, owners, times, figures. Each run's folder holds its
content: the table, the model, what was made.
"""

from __future__ import annotations

import json
import re
import secrets
import shutil
import sqlite3
import time
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from glocalx.errors import GLocalXError
from glocalx.pipeline.settings import STAGES, RunSettings, Stage
from glocalx.workspace.coming import (
    coming,
    final,
    iter_coming,
    put_in_place,
    settle,
    size_of,
    write,
    write_coming,
)
from glocalx.workspace.database import opened, prepare, writing
from glocalx.workspace.quota import Quota
from glocalx.workspace.run import LINKS, PROGRESS, Link, Run

MOST_NAME = 80
FIGURES: dict[str, Stage] = {
    "black_box": "model",
    "records": "model",
    "local_rules": "rules",
    "different_rules": "rules",
    "merges": "merge",
    "rules": "merge",
    "fidelity": "merge",
}
"""What the list of runs shows, and the stage that it comes from."""
_KEYS = "keys"  # beside the figures: the key of the stage when each was made
_COLUMNS = "id, owner, name, settings, created, updated, figures"


class NoSuchRunError(GLocalXError):
    """There is no run with this id."""


@dataclass(frozen=True, slots=True)
class UnreadableRun:
    """A run that this program cannot open, and why: it can be exported as it is, or deleted."""

    id: str
    name: str
    folder: Path
    updated: float
    settings: str
    sentence: str


class Workspace:
    """A folder of runs.

    Parameters
    ----------
    folder
        Is made where there is none.
    quota
        What one person may keep in it.
    """

    def __init__(self, folder: Path, quota: Quota | None = None) -> None:
        self.folder = folder
        self.quota = quota or Quota()
        try:
            (folder / "runs").mkdir(parents=True, exist_ok=True)
            prepare(folder)
        except OSError as error:
            raise GLocalXError(
                f"The workspace “{folder}” cannot be used: {error}. Set GLOCALX_WORKSPACE to a "
                "folder that you may write to."
            ) from None
        self._repair()

    def create(
        self,
        owner: str,
        name: str,
        settings: RunSettings,
        files: Mapping[str, bytes | Path] | None = None,
        figures: Mapping[str, Any] | None = None,
    ) -> Run:
        """A new run with these files in its folder, given as bytes or to be copied.

        The folder takes its place together with its row, as a file does; see :meth:`save`.
        """
        files = files or {}
        identity = secrets.token_urlsafe(12)
        folder = coming(self.folder_of(identity))
        called = _name(name)
        self.quota.check(self._folders(owner), sum(map(size_of, files.values())))
        given = {file: data for file, data in files.items() if isinstance(data, bytes)}
        settings = settings.with_contents(given)
        kept = _json(_with_keys(figures or {}, settings))
        now = time.time()
        values = (identity, owner, called, _json(settings.to_dict()), now, now, kept)
        try:
            with self._database() as database, writing():
                database.execute("BEGIN IMMEDIATE")
                folder.mkdir()
                for file, data in files.items():
                    write(folder / file, data)
                database.execute(
                    f"INSERT INTO runs ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)", values
                )
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        put_in_place(folder)
        return self.run(identity)

    def run(self, identity: str) -> Run:
        """The run with this id."""
        with self._database() as database:
            return self._made(_row(database, identity))

    def runs(self, owner: str) -> list[Run]:
        """The runs of one owner that can be read, the newest first."""
        return [made for made in self._all(owner) if isinstance(made, Run)]

    def unreadable(self, owner: str) -> list[UnreadableRun]:
        """The runs of one owner that are damaged or of another version, the newest first."""
        return [made for made in self._all(owner) if isinstance(made, UnreadableRun)]

    def _all(self, owner: str) -> Iterator[Run | UnreadableRun]:
        with self._database() as database:
            rows = database.execute(
                "SELECT * FROM runs WHERE owner = ? ORDER BY updated DESC, id", (owner,)
            ).fetchall()
        for row in rows:
            try:
                yield self._made(row)
            except GLocalXError as error:
                folder = self.folder_of(row["id"])
                about = (row["name"], folder, row["updated"], row["settings"], str(error))
                yield UnreadableRun(row["id"], *about)

    def save(
        self,
        run: Run,
        *,
        name: str | None = None,
        settings: RunSettings | None = None,
        figures: Mapping[str, Any] | None = None,
        files: Mapping[str, bytes] | None = None,
        link: Link | None = None,
    ) -> Run:
        """Change what is given.

        Figures are added to those that are there. They hold for the settings that are given with
        them, or else for those of `run`, and are there as long as their stage's key stays so.
        A file takes its place together with its row: it is written beside the old one, and put
        there once the row holds. Where the process is killed in between, the next start does it.
        """
        files = files or {}
        made = _with_keys(figures or {}, (settings or run.settings).with_contents(files))
        if files:
            self.quota.check_room(self._folders(run.owner), _growth(run.folder, files))
        with self._database() as database:
            database.execute("BEGIN IMMEDIATE")  # nobody else writes between reading and writing
            row = _row(database, run.id)
            now = self._made(row)
            kept = json.loads(row["figures"])
            write_coming(run.folder, files)
            values = (
                now.name if name is None else _name(name),
                _json((settings or now.settings).with_contents(files).to_dict()),
                _json({**kept, **made, _KEYS: {**kept.get(_KEYS, {}), **made[_KEYS]}}),
                link or now.link,
                time.time(),
                run.id,
            )
            database.execute(
                "UPDATE runs SET name = ?, settings = ?, figures = ?, link = ?, updated = ? "
                "WHERE id = ?",
                values,
            )
        for file in files:
            put_in_place(coming(run.folder / file))
        return self.run(run.id)

    def duplicate(self, run: Run, owner: str, settings: RunSettings | None = None) -> Run:
        """A copy with all that was made; results that other settings make invalid do not count."""
        files = {
            file.name: file
            for file in sorted(run.folder.iterdir())
            if file.is_file() and not file.name.startswith(".") and file.name != PROGRESS
        }
        now = settings or run.settings
        figures = _that_hold(_with_keys(run.figures, run.settings), now)
        return self.create(owner, f"{run.name} (copy)", now, files, figures)

    def delete(self, run: Run | UnreadableRun) -> None:
        """Remove a run and all its files."""
        going = coming(run.folder)
        try:
            self._delete_row(run.id, run.folder, going)
        except GLocalXError:  # no room even for that: what the run held makes some
            shutil.rmtree(going, ignore_errors=True)
            self._delete_row(run.id, run.folder, going)
        shutil.rmtree(going, ignore_errors=True)

    def _delete_row(self, identity: str, folder: Path, going: Path) -> None:
        with self._database() as database, writing():
            database.execute("BEGIN IMMEDIATE")
            with suppress(FileNotFoundError):
                folder.rename(going)
            database.execute("DELETE FROM runs WHERE id = ?", (identity,))

    def folder_of(self, identity: str) -> Path:
        """Where the files of a run are."""
        if not re.fullmatch(r"[\w-]{8,64}", identity, re.ASCII):
            raise NoSuchRunError("There is no such run here. It may have been deleted.")
        return self.folder / "runs" / identity

    def _made(self, row: sqlite3.Row) -> Run:
        settings = _settings(row["settings"])
        return Run(
            id=row["id"],
            owner=row["owner"],
            name=row["name"],
            folder=self.folder_of(row["id"]),
            settings=settings,
            created=row["created"],
            updated=row["updated"],
            figures=_that_hold(json.loads(row["figures"]), settings),
            link=row["link"] if row["link"] in LINKS else "nothing",
        )

    def _folders(self, owner: str) -> list[Path]:
        with self._database() as database:
            rows = database.execute("SELECT id FROM runs WHERE owner = ?", (owner,)).fetchall()
        return [self.folder_of(row["id"]) for row in rows]

    def _database(self) -> AbstractContextManager[sqlite3.Connection]:
        return opened(self.folder)

    def _repair(self) -> None:
        """Finish, or take back, what a killed process was about to do, while nobody writes."""
        left = list(iter_coming(self.folder / "runs"))
        if not left:
            return
        with suppress(GLocalXError), self._database() as database, writing():
            database.execute("BEGIN IMMEDIATE")
            for each in left:
                settle(each, belongs=_belongs(database, each))


def _belongs(database: sqlite3.Connection, waiting: Path) -> bool | None:
    """Whether a row knows it: its folder, or the content of a file; None if nobody can tell."""
    if waiting.is_dir():
        return _found(database, final(waiting).name) is not None
    row = _found(database, waiting.parent.name)
    try:
        known = _settings(row["settings"]) if row else None
        data = {final(waiting).name: waiting.read_bytes()}
        return known is not None and known.with_contents(data) == known
    except (GLocalXError, FileNotFoundError):
        return None


@lru_cache(maxsize=64)
def _settings(text: str) -> RunSettings:
    """Settings as they are stored: one object as long as nobody changes them, with its keys."""
    try:
        stored = json.loads(text)
    except ValueError:
        raise GLocalXError("The settings of this run are damaged.") from None
    return RunSettings.from_dict(stored)


def _row(database: sqlite3.Connection, identity: str) -> sqlite3.Row:
    row = _found(database, identity)
    if row is None:
        raise NoSuchRunError("There is no such run here. It may have been deleted.")
    return row


def _found(database: sqlite3.Connection, identity: str) -> sqlite3.Row | None:
    asked = database.execute("SELECT * FROM runs WHERE id = ?", (identity,))
    row: sqlite3.Row | None = asked.fetchone()
    return row


def _growth(folder: Path, files: Mapping[str, bytes]) -> int:
    """How many bytes more a folder has with these files, some of which are there already."""
    there = (folder / file for file in files)
    return sum(map(len, files.values())) - sum(size_of(old) for old in there if old.is_file())


def _with_keys(figures: Mapping[str, Any], settings: RunSettings) -> dict[str, Any]:
    """Figures as they are kept, each with the key of its stage under these settings."""
    return {**figures, _KEYS: {name: settings.key(FIGURES[name]) for name in figures}}


def _that_hold(kept: dict[str, Any], settings: RunSettings) -> dict[str, Any]:
    """The figures that were made under settings like these; those without a key are taken to be."""
    now = {stage: settings.key(stage) for stage in STAGES}
    then = kept.get(_KEYS, {})
    return {
        name: kept[name]
        for name, stage in FIGURES.items()
        if name in kept and then.get(name, now[stage]) == now[stage]
    }


def _name(name: str) -> str:
    """A name on one line, not too long."""
    text = " ".join("".join(c if c.isprintable() else " " for c in name).split())
    if not text:
        raise GLocalXError("A run needs a name. Type one.")
    return text[:MOST_NAME]


def _json(content: Any) -> str:
    return json.dumps(content, ensure_ascii=False)
