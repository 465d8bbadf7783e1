"""Cells on all cores, each written to a file as soon as it is done; what is there is kept."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from joblib import Parallel, delayed
from joblib.externals.loky.process_executor import TerminatedWorkerError

from glocalx.errors import GLocalXError
from glocalx.words.phrases import counted
from study.cell_work import work_on
from study.plan import StudyCell, StudySettings

FORMAT = "glocalx/study-cell"
VERSION = 1


@dataclass(frozen=True, slots=True)
class CellDone:
    """A cell that is on file, and how far the study has come.

    Parameters
    ----------
    cell
        Which one.
    seconds
        How long it took; None where it was there already.
    done, total
        Cells on file, and cells in all.
    expected_done, expected_left
        Seconds of work, as expected beforehand, that were done in this run, and that are left.
    """

    cell: StudyCell
    seconds: float | None
    done: int
    total: int
    expected_done: float
    expected_left: float


def iter_cells(
    cells: Sequence[StudyCell], settings: StudySettings, folder: Path, *, jobs: int = 1
) -> Generator[CellDone, None, None]:
    """Work on all cells that are not on file yet, several at a time.

    Drawing no further ends the work; what is on file stays, and the next run goes on from there.

    Parameters
    ----------
    cells, settings
        What to do.
    folder
        Where cells are kept, one file each.
    jobs
        Processes.
    """
    folder.mkdir(parents=True, exist_ok=True)
    missing = cells_left(cells, settings, folder)
    there = [cell for cell in cells if cell not in set(missing)]
    left = sum(map(settings.expected_seconds, missing))
    worked = 0.0
    for done, cell in enumerate(there, start=1):
        yield CellDone(cell, None, done, len(cells), 0.0, left)
    for done, (cell, seconds) in enumerate(
        _worked_on(missing, settings, folder, jobs), start=len(there) + 1
    ):
        worked += settings.expected_seconds(cell)
        left -= settings.expected_seconds(cell)
        yield CellDone(cell, seconds, done, len(cells), worked, left)


def cells_left(
    cells: Sequence[StudyCell], settings: StudySettings, folder: Path
) -> list[StudyCell]:
    """Those that are not on file yet."""
    return [cell for cell in cells if read_cell(folder, cell, settings) is None]


def read_cell(folder: Path, cell: StudyCell, settings: StudySettings) -> dict[str, Any] | None:
    """The figures on file; None where there are none, or were made with other settings."""
    try:
        found = json.loads((folder / cell.file_name).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) and found.get("made for") == _key(settings) else None


def _worked_on(
    cells: list[StudyCell], settings: StudySettings, folder: Path, jobs: int
) -> Generator[tuple[StudyCell, float], None, None]:
    if not cells:
        return
    parallel = Parallel(
        n_jobs=min(jobs, len(cells)),
        return_as="generator_unordered",
        batch_size=1,
        pre_dispatch=jobs,
    )
    made = parallel(delayed(work_and_write)(cell, settings, folder) for cell in cells)
    try:
        for result in made:  # noqa: UP028  # `yield from` would close it outside the `try`
            yield result
    except TerminatedWorkerError:
        raise GLocalXError(
            f"A process ended while it worked on one of {counted(len(cells), 'cell')}, perhaps for "
            "want of memory. Start the command again: it goes on from there."
        ) from None
    finally:
        with warnings.catch_warnings():  # joblib warns of work that nobody waited for
            warnings.simplefilter("ignore", UserWarning)
            made.close()


def work_and_write(
    cell: StudyCell, settings: StudySettings, folder: Path
) -> tuple[StudyCell, float]:
    """Work on one cell and put its file in place, whole or not at all."""
    figures = work_on(cell, settings)
    content = {
        "format": FORMAT,
        "made for": _key(settings),
        "cell": {"dataset": cell.dataset, "black_box": cell.black_box, "seed": cell.seed},
        **figures,
    }
    text = json.dumps(content, ensure_ascii=False, allow_nan=False, indent=1)
    beside = folder / f".{cell.file_name}.{os.getpid()}"
    beside.write_text(text + "\n", encoding="utf-8")
    beside.replace(folder / cell.file_name)
    return cell, float(figures["seconds"]["all"])


def _key(settings: StudySettings) -> dict[str, Any]:
    made: dict[str, Any] = json.loads(json.dumps({"version": VERSION, **settings.to_dict()}))
    return made
