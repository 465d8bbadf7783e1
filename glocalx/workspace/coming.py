"""Files and folders that take their place together with their row in the database.

They are written under another name first. Once the row holds they are put in place; where a
process is killed in between, the next one that opens the workspace does it, or takes them away.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from glocalx.errors import GLocalXError
from glocalx.workspace.database import writing

_ENDING = ".coming"


def coming(place: Path) -> Path:
    """Where a file or folder waits until its row is written, or goes when its row is gone."""
    return place.with_name(f".{place.name}{_ENDING}")


def final(waiting: Path) -> Path:
    """The place of what waits."""
    return waiting.with_name(waiting.name.removeprefix(".").removesuffix(_ENDING))


def iter_coming(runs: Path) -> Iterator[Path]:
    """What waits in a folder of runs: whole folders first."""
    yield from sorted(runs.glob(f".*{_ENDING}"))
    yield from sorted(runs.glob(f"*/.*{_ENDING}"))


def put_in_place(waiting: Path) -> None:
    """Its row holds."""
    with suppress(FileNotFoundError):  # another server that has just started was quicker
        waiting.replace(final(waiting))


def settle(waiting: Path, belongs: bool | None) -> None:
    """Put in place what belongs to a row, remove what does not, leave what nobody can tell."""
    if belongs:
        put_in_place(waiting)
    elif belongs is False and waiting.is_dir():
        shutil.rmtree(waiting, ignore_errors=True)
    elif belongs is False:
        waiting.unlink(missing_ok=True)


def size_of(data: bytes | Path) -> int:
    """Bytes that a file will take."""
    return len(data) if isinstance(data, bytes) else data.stat().st_size


def write(place: Path, data: bytes | Path) -> None:
    """Write bytes, or copy a file."""
    if isinstance(data, bytes):
        place.write_bytes(data)
    else:
        shutil.copy2(data, place)


def write_coming(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files under the names under which they wait; all of them or none."""
    try:
        with writing():
            for file, data in files.items():
                coming(folder / file).write_bytes(data)
    except GLocalXError:
        for file in files:
            coming(folder / file).unlink(missing_ok=True)
        raise
