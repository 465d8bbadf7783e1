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
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

from glocalx.errors import GLocalXError
from glocalx.pipeline.settings import STAGES, RunSettings, Stage
from glocalx.workspace.run import PROGRESS, Run

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
_TABLE = """
CREATE TABLE IF NOT EXISTS runs (
    id TEXT PRIMARY KEY, owner TEXT NOT NULL, name TEXT NOT NULL, settings TEXT NOT NULL,
    created REAL NOT NULL, updated REAL NOT NULL, figures TEXT NOT NULL
)
"""


class Workspace:
    """A folder of runs.

    Parameters
    ----------
    folder
        Is made where there is none.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        try:
            (folder / "runs").mkdir(parents=True, exist_ok=True)
            with self._database() as database:
                database.execute(_TABLE)
        except (OSError, sqlite3.Error) as error:
            raise GLocalXError(
                f"The workspace “{folder}” cannot be used: {error}. Set GLOCALX_WORKSPACE to a "
                "folder that you may write to."
            ) from None

    def create(
        self,
        owner: str,
        name: str,
        settings: RunSettings,
        files: Mapping[str, bytes] | None = None,
        figures: Mapping[str, Any] | None = None,
    ) -> Run:
        """A new run with these files in its folder."""
        identity = secrets.token_urlsafe(12)
        folder = self.folder_of(identity)
        folder.mkdir()
        for file, data in (files or {}).items():
            (folder / file).write_bytes(data)
        settings = settings.with_contents(files or {})
        now = time.time()
        kept = _with_keys(figures or {}, settings)
        values = (identity, owner, _name(name), _json(settings.to_dict()), now, now, _json(kept))
        with self._database() as database:
            database.execute("INSERT INTO runs VALUES (?, ?, ?, ?, ?, ?, ?)", values)
        return self.run(identity)

    def run(self, identity: str) -> Run:
        """The run with this id."""
        with self._database() as database:
            return self._made(_row(database, identity))

    def runs(self, owner: str) -> list[Run]:
        """The runs of one owner, the newest first."""
        with self._database() as database:
            rows = database.execute(
                "SELECT * FROM runs WHERE owner = ? ORDER BY updated DESC, id", (owner,)
            ).fetchall()
        return [self._made(row) for row in rows]

    def save(
        self,
        run: Run,
        *,
        name: str | None = None,
        settings: RunSettings | None = None,
        figures: Mapping[str, Any] | None = None,
        files: Mapping[str, bytes] | None = None,
    ) -> Run:
        """Change what is given.

        Figures are added to those that are there. They hold for the settings that are given with
        them, or else for those of `run`, and are there as long as their stage's key stays so.
        """
        files = files or {}
        for file, data in files.items():
            (run.folder / file).write_bytes(data)
        made = _with_keys(figures or {}, (settings or run.settings).with_contents(files))
        with self._database() as database:
            database.execute("BEGIN IMMEDIATE")  # nobody else writes between reading and writing
            row = _row(database, run.id)
            now = self._made(row)
            values = (
                now.name if name is None else _name(name),
                _json((settings or now.settings).with_contents(files).to_dict()),
                _json(_added(json.loads(row["figures"]), made)),
                time.time(),
                run.id,
            )
            database.execute(
                "UPDATE runs SET name = ?, settings = ?, figures = ?, updated = ? WHERE id = ?",
                values,
            )
        return self.run(run.id)

    def duplicate(self, run: Run, owner: str, settings: RunSettings | None = None) -> Run:
        """A copy with all that was made; results that other settings make invalid do not count."""
        copy = self.create(owner, f"{run.name} (copy)", run.settings, figures=run.figures)
        for file in sorted(run.folder.iterdir()):
            if file.is_file() and not file.name.startswith(".") and file.name != PROGRESS:
                shutil.copy2(file, copy.folder / file.name)
        return copy if settings is None else self.save(copy, settings=settings)

    def delete(self, run: Run) -> None:
        """Remove a run and all its files."""
        with self._database() as database:
            database.execute("DELETE FROM runs WHERE id = ?", (run.id,))
        shutil.rmtree(run.folder, ignore_errors=True)

    def folder_of(self, identity: str) -> Path:
        """Where the files of a run are."""
        if not re.fullmatch(r"[\w-]{8,64}", identity, re.ASCII):
            raise GLocalXError("There is no such run here. It may have been deleted.")
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
        )

    @contextmanager
    def _database(self) -> Iterator[sqlite3.Connection]:
        database = sqlite3.connect(self.folder / "runs.sqlite", timeout=20)
        database.row_factory = sqlite3.Row
        try:
            with database:
                yield database
        finally:
            database.close()


@lru_cache(maxsize=64)
def _settings(text: str) -> RunSettings:
    """Settings as they are stored: one object as long as nobody changes them, with its keys."""
    return RunSettings.from_dict(json.loads(text))


def _row(database: sqlite3.Connection, identity: str) -> sqlite3.Row:
    row: sqlite3.Row | None = database.execute(
        "SELECT * FROM runs WHERE id = ?", (identity,)
    ).fetchone()
    if row is None:
        raise GLocalXError("There is no such run here. It may have been deleted.")
    return row


def _with_keys(figures: Mapping[str, Any], settings: RunSettings) -> dict[str, Any]:
    """Figures as they are kept, each with the key of its stage under these settings."""
    return {**figures, _KEYS: {name: settings.key(FIGURES[name]) for name in figures}}


def _added(kept: dict[str, Any], made: dict[str, Any]) -> dict[str, Any]:
    return {**kept, **made, _KEYS: {**kept.get(_KEYS, {}), **made[_KEYS]}}


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
