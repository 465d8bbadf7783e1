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
from pathlib import Path
from typing import Any

from glocalx.errors import GLocalXError
from glocalx.workspace.run import PROGRESS, Run
from glocalx.workspace.settings import RunSettings

MOST_NAME = 80
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
        values = (identity, owner, _name(name), _json(settings.to_dict()), now, now)
        with self._database() as database:
            database.execute(
                "INSERT INTO runs VALUES (?, ?, ?, ?, ?, ?, ?)", (*values, _json(figures or {}))
            )
        return self.run(identity)

    def run(self, identity: str) -> Run:
        """The run with this id."""
        with self._database() as database:
            row = database.execute("SELECT * FROM runs WHERE id = ?", (identity,)).fetchone()
        if row is None:
            raise GLocalXError("There is no such run here. It may have been deleted.")
        return self._made(row)

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
        """Change what is given; figures are added to those that are there."""
        for file, data in (files or {}).items():
            (run.folder / file).write_bytes(data)
        now = self.run(run.id)
        chosen = (settings or now.settings).with_contents(files or {})
        values = (
            now.name if name is None else _name(name),
            _json(chosen.to_dict()),
            _json({**now.figures, **(figures or {})}),
            time.time(),
            run.id,
        )
        with self._database() as database:
            database.execute(
                "UPDATE runs SET name = ?, settings = ?, figures = ?, updated = ? WHERE id = ?",
                values,
            )
        return self.run(run.id)

    def duplicate(self, run: Run, owner: str, settings: RunSettings | None = None) -> Run:
        """A copy with all that was made; results that other settings make invalid do not count."""
        copy = self.create(
            owner, f"{run.name} (copy)", settings or run.settings, figures=run.figures
        )
        for file in sorted(run.folder.iterdir()):
            if file.is_file() and not file.name.startswith(".") and file.name != PROGRESS:
                shutil.copy2(file, copy.folder / file.name)
        return copy

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
        return Run(
            id=row["id"],
            owner=row["owner"],
            name=row["name"],
            folder=self.folder_of(row["id"]),
            settings=RunSettings.from_dict(json.loads(row["settings"])),
            created=row["created"],
            updated=row["updated"],
            figures=json.loads(row["figures"]),
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


def _name(name: str) -> str:
    """A name on one line, not too long."""
    text = " ".join("".join(c if c.isprintable() else " " for c in name).split())
    if not text:
        raise GLocalXError("A run needs a name. Type one.")
    return text[:MOST_NAME]


def _json(content: Any) -> str:
    return json.dumps(content, ensure_ascii=False)
