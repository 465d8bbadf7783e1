"""One run: its settings, its folder, how far it has come, and what is said of its work."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

from glocalx.file_bytes import write_whole, written_when
from glocalx.pipeline.settings import EVERY_STAGE, RunSettings, Stage

FILES: dict[Stage, str] = {
    "model": "black_box.json",
    "rules": "local_rules.jsonl",
    "merge": "hierarchy.jsonl",
    "resamples": "resamples.jsonl",
}
Link: TypeAlias = Literal["results", "table", "nothing"]
LINKS: tuple[Link, ...] = get_args(Link)
TRAINED = "black_box.skops"
PROGRESS = "progress.json"
LOCK = ".lock"  # held by the process that works on a run


def brought_files(settings: RunSettings) -> tuple[str, ...]:
    """The names of the files in a run's folder that a person brought."""
    named = (settings.data.file, settings.box.file, settings.rules.file)
    return tuple(name for name in named if name is not None)


@dataclass(frozen=True, slots=True)
class Run:
    """A run as it is saved.

    Parameters
    ----------
    id
        Long and random: whoever has it can look at the run, see `link`.
    owner
        Who may change it.
    name
        As people call it.
    folder
        With its files.
    settings
        What was chosen.
    created, updated
        Seconds since 1970.
    figures
        What the list of runs shows: rules, fidelity, …
    link
        What whoever has its link gets: the results, the table too, or nothing.
    """

    id: str
    owner: str
    name: str
    folder: Path
    settings: RunSettings
    created: float
    updated: float
    figures: dict[str, Any]
    link: Link = "results"

    def file(self, stage: Stage) -> Path:
        """Where the result of a stage is."""
        return self.folder / FILES[stage]

    def done(self, stage: Stage) -> bool:
        """Whether a stage has ended under the present settings."""
        return _result(self.file(stage)) == (self.settings.key(stage), True)

    def begun(self, stage: Stage) -> bool:
        """Whether a stage has a result, if only a part, under the present settings."""
        return _result(self.file(stage))[0] == self.settings.key(stage)

    @property
    def has_black_box(self) -> bool:
        """Whether the black box can be asked; a run from elsewhere lacks the one it trained."""
        return self.settings.box.source in ("model", "labels") or (self.folder / TRAINED).is_file()

    def missing(self, until: Stage) -> list[Stage]:
        """The stages that have yet to run, up to one."""
        wanted = EVERY_STAGE[: EVERY_STAGE.index(until) + 1]
        first = next((i for i, stage in enumerate(wanted) if not self.done(stage)), len(wanted))
        return list(wanted[first:])


def _result(path: Path) -> tuple[str | None, bool]:
    """The key that a result was made for, and whether it is whole; read once for each change."""
    written = written_when(path)
    try:
        return (None, False) if written is None else _read_result(path, written)
    except FileNotFoundError:
        return None, False


@lru_cache(maxsize=256)
def _read_result(path: Path, written: object) -> tuple[str | None, bool]:
    """The first line holds the key, the last whole line says that a result is finished."""
    with path.open("rb") as file:
        first = file.readline()
        file.seek(0, os.SEEK_END)
        size = file.tell()
        block, last = 4096, b""
        while size and b"\n" not in last[:-1] and len(last) < size:
            block = min(block * 4, size)
            file.seek(size - block)
            last = file.read(block)
    ending = object_in(last.rstrip(b"\n").rsplit(b"\n", 1)[-1])
    return object_in(first).get("key"), bool(ending.get("finished"))


def object_in(line: bytes) -> dict[str, Any]:
    """The JSON object that stands in a line; empty where none does."""
    try:
        made = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return made if isinstance(made, dict) else {}


def read_progress(folder: Path) -> dict[str, Any]:
    """What was said last about the work on a run; empty where nothing was."""
    path = folder / PROGRESS
    return _read_progress(path, written_when(path))


@lru_cache(maxsize=64)
def _read_progress(path: Path, written: object) -> dict[str, Any]:
    """Read once for every time that it was said."""
    try:
        return object_in(path.read_bytes())
    except OSError:
        return {}


def write_progress(folder: Path, said: Mapping[str, Any]) -> None:
    """Say it instead of what was said before."""
    write_whole(folder / PROGRESS, json.dumps(said))
