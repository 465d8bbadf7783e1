"""What a worker does; `python -m glocalx.workspace.worker` is the warm process that forks them.

A worker reads one line of JSON, `{"folder": …, "id": …, "until": …, "jobs": …}`, and works until
the stage is done. Where it reads is also its lifeline: after a line `stop`, or when it closes
because the server is gone, the work stops at the next good place and leaves the folder whole.
"""

from __future__ import annotations

import fcntl
import json
import os
import socket
import sys
import threading
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any, TextIO

from glocalx.errors import GLocalXError
from glocalx.file_bytes import sweep_beside
from glocalx.pipeline.road import Progress
from glocalx.pipeline.settings import EVERY_STAGE, Stage
from glocalx.workspace.database import FORESEEN, disk_sentence
from glocalx.workspace.jobs import NOT_WRITTEN
from glocalx.workspace.opened_run import OpenedRun
from glocalx.workspace.run import LOCK, Run, write_progress
from glocalx.workspace.store import Workspace
from glocalx.workspace.workers import serve

POLITE = 5  # people who look at pages come first


class ProgressFile:
    """What the work says about itself, for whoever looks."""

    def __init__(self, run: Run, until: Stage) -> None:
        self._folder = run.folder
        self._about = {"until": until, "key": run.settings.key(until)}
        self._stage: Stage | None = None
        self._start = self._last = 0
        self._since: tuple[int, float] | None = None
        self._lock = threading.Lock()

    def note(self, progress: Progress) -> None:
        """How far it is; of what several say about a stage, the most counts."""
        with self._lock:
            if progress.stage != self._stage:
                self._stage, self._start, self._since = progress.stage, progress.done, None
            elif progress.done < self._last:
                return
            elif self._since is None and progress.done > self._start:
                self._since = progress.done, time.time()  # ready by now; from here on is pace
            self._last = progress.done
            left = self._seconds_left(progress)
            self._write({"state": "running", **asdict(progress), "left": left})

    def end(self, state: str, sentence: str = "") -> None:
        """How it ended: `done`, `stopped`, `interrupted` or `failed`, and why."""
        self._write({"state": state, "stage": self._stage, "sentence": sentence})

    def _seconds_left(self, progress: Progress) -> float | None:
        first, begun = self._since or (progress.done, 0.0)
        made = progress.done - first
        if made <= 0:
            return None
        return (time.time() - begun) / made * (progress.total - progress.done)

    def _write(self, facts: dict[str, Any]) -> None:
        write_progress(self._folder, {**facts, **self._about})


class Stop:
    """Whether to stop, and why: somebody asked for it, or the server is gone."""

    def __init__(self) -> None:
        self._event = threading.Event()
        self.state = "stopped"

    def watch(self, lines: TextIO) -> None:
        """Wait for a line or the end of the input, whichever comes first."""
        self.state = "stopped" if lines.readline() else "interrupted"
        self._event.set()

    def __call__(self) -> bool:
        return self._event.is_set()


def work(workspace: Workspace, run: Run, until: Stage, jobs: int, stop: Stop) -> None:
    """Do what is missing, saying how far it is; never raises for what a person can put right."""
    file = ProgressFile(run, until)
    opened = OpenedRun(run, jobs=jobs, stop=stop, tell=file.note)
    try:
        for progress in opened.iter_to(until):
            file.note(progress)
            if stop():
                break
        if run.missing(until):
            file.end(stop.state)
            return
        now = workspace.run(run.id)  # somebody may have chosen another theory meanwhile
        workspace.save(now, figures=opened.figures(now))
        file.end("done")
    except GLocalXError as error:
        file.end("failed", str(error))
    except OSError as error:
        file.end("failed", disk_sentence(error))
        if error.errno not in FORESEEN:
            traceback.print_exc()
    except MemoryError:
        file.end("failed", "There was not enough memory. Explain fewer records.")
    except Exception as error:  # a fault of ours: said, and the trace goes to the server's log
        file.end("failed", f"Something went wrong in here ({type(error).__name__}). Try again.")
        raise


@contextmanager
def alone(run: Run) -> Iterator[None]:
    """Wait until no other process works on the run."""
    with (run.folder / LOCK).open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        sweep_beside(run.folder)
        yield


def main(lines: TextIO) -> None:
    """Wait for a task, do it, and stop when told to."""
    line = lines.readline()
    if not line.strip():
        return
    os.nice(POLITE)
    task = json.loads(line)
    stop = Stop()
    threading.Thread(target=stop.watch, args=(lines,), daemon=True).start()
    workspace = Workspace(Path(task["folder"]))
    run = workspace.run(task["id"])
    until: Stage = EVERY_STAGE[EVERY_STAGE.index(task["until"])]
    with alone(run):
        work(workspace, run, until, int(task["jobs"]), stop)


def live(hears: int) -> int:
    """The whole life of a worker that is told things through this; how it ended."""
    try:
        main(os.fdopen(hears))
    except OSError:  # not even that can be written
        traceback.print_exc()
        return NOT_WRITTEN
    except Exception:  # said in the run's folder
        traceback.print_exc()
        return 1
    return 0


if __name__ == "__main__":
    serve(socket.socket(fileno=sys.stdin.fileno()), live)
