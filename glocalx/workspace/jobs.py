"""Work in the background: one process for each run that is being worked on.

The server knows nothing of the work but the run's folder, where it finds how far it is. A process
that has everything imported stands ready, so that work begins at once.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Literal

from glocalx.errors import GLocalXError
from glocalx.pipeline.settings import Stage
from glocalx.workspace.database import FULL, writing
from glocalx.workspace.run import Run, read_progress, write_progress
from glocalx.workspace.store import Workspace

NOT_WRITTEN = 74  # how a worker ends where the disk does not take what it says
MOST_WAITING = 20  # runs of one person
READY_AFTER = 3.0  # seconds in which the server is left alone to show its first page
State = Literal["idle", "waiting", "running", "stopped", "done", "failed", "interrupted"]


@dataclass(frozen=True, slots=True)
class JobState:
    """What is going on with a run.

    Parameters
    ----------
    state
        `waiting` for another run to end; `interrupted`: the work was going on, or waiting, when
        the server ended, and goes on when it is started again.
    stage, done, total
        What is being worked on and how far that is.
    until
        The stage at which the work will end.
    left
        Seconds, as far as one can tell.
    sentence
        Why it failed.
    place
        While it waits: 1 if it is the next.
    """

    state: State = "idle"
    stage: Stage | None = None
    until: Stage | None = None
    done: int = 0
    total: int = 0
    left: float | None = None
    sentence: str = ""
    place: int | None = None

    @property
    def busy(self) -> bool:
        return self.state in ("running", "waiting")

    @property
    def share(self) -> float:
        return self.done / self.total if self.total else 0.0


class Jobs:
    """The processes of this server.

    Parameters
    ----------
    workspace
        Where the runs are.
    at_once
        How many may work at the same time; more have to wait.
    ready_after
        A process that has everything imported is kept ready, the first one after so many
        seconds; None for none.
    """

    def __init__(
        self,
        workspace: Workspace,
        at_once: int | None = None,
        ready_after: float | None = READY_AFTER,
    ) -> None:
        self._workspace = workspace
        self._at_once = at_once or os.cpu_count() or 1
        self._spare_wanted = ready_after is not None
        self._closed = False
        self._lock = threading.Lock()
        self._working: dict[str, subprocess.Popen[bytes]] = {}
        self._waiting: dict[str, Stage] = {}
        self._owners: dict[str, str] = {}  # of runs that wait or are worked on
        self._wordless: set[str] = set()  # runs whose work could not say how it ended
        self._spare: subprocess.Popen[bytes] | None = None
        if ready_after is not None:
            timer = threading.Timer(ready_after, self._get_ready)
            timer.daemon = True
            timer.start()

    def start(self, run: Run, until: Stage) -> None:
        """Work on a run up to a stage; does nothing if it is being worked on."""
        with self._lock:
            self._tidy()
            if run.id not in self._working:
                self._refuse_too_many(run)
                self._say(run.id, "waiting", until)
                self._wordless.discard(run.id)
                self._waiting[run.id] = until
                self._owners[run.id] = run.owner
                self._fill()

    def stop(self, run: Run) -> None:
        """Ask the work to stop; what was made stays, and starting goes on from there."""
        with self._lock:
            until = self._waiting.pop(run.id, None)
            if until is not None:
                self._say(run.id, "stopped", until)
            process = self._working.get(run.id)
            if process is not None and process.stdin is not None:
                with suppress(OSError, ValueError):  # it may have ended, or been told already
                    process.stdin.write(b"stop\n")
                _let_go(process)

    def end(self, run: Run, seconds: float = 10) -> None:
        """Stop, and wait until nothing works on the run."""
        self.stop(run)
        process = self._working.get(run.id)
        if process is not None:
            try:
                process.wait(seconds)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def state(self, run: Run) -> JobState:
        """What is going on with a run."""
        with self._lock:
            self._tidy()
            self._fill()
            waiting, working = run.id in self._waiting, run.id in self._working
            place = self._in_turn().index(run.id) + 1 if waiting else None
        if waiting:
            return JobState("waiting", place=place)
        if run.id in self._wordless and not working:
            return JobState("failed", sentence=FULL)
        written = _written(run)
        if working:
            return written if written.state == "running" else JobState("running")
        return _as_interrupted(written) if written.busy else written

    def close(self) -> None:
        """End all processes."""
        with self._lock:
            self._closed = True
            for process in (*self._working.values(), self._spare):
                if process is not None:
                    process.kill()
                    process.wait()
                    _let_go(process)
            self._working.clear()
            self._spare = None

    def _tidy(self) -> None:
        for name, process in list(self._working.items()):
            if process.poll() is not None:
                if process.returncode == NOT_WRITTEN:
                    self._wordless.add(name)
                _let_go(process)
                del self._working[name]

    def _fill(self) -> None:
        while self._waiting and len(self._working) < self._at_once:
            name = self._in_turn()[0]
            until = self._waiting.pop(name)
            self._say(name, "running", until)
            process = self._spare if self._spare and self._spare.poll() is None else self._started()
            self._working[name] = process
            jobs = max((os.cpu_count() or 1) // len(self._working), 1)
            task = {
                "folder": str(self._workspace.folder),
                "id": name,
                "until": until,
                "jobs": jobs,
            }
            assert process.stdin is not None  # it was opened as a pipe
            process.stdin.write(f"{json.dumps(task)}\n".encode())
            process.stdin.flush()
            self._spare = self._started() if self._spare_wanted else None

    def _in_turn(self) -> list[str]:
        """Who is next: whoever has the least going on, and of these the first who came.

        A person with ten runs waits for each of them no longer than one with a single run.
        """
        busy = Counter(self._owners[name] for name in self._working if name in self._owners)
        left, turns = list(self._waiting), []
        while left:
            name = min(left, key=lambda each: busy[self._owners[each]])
            busy[self._owners[name]] += 1
            left.remove(name)
            turns.append(name)
        return turns

    def _refuse_too_many(self, run: Run) -> None:
        mine = sum(self._owners.get(name) == run.owner for name in self._waiting)
        if mine >= MOST_WAITING:
            raise GLocalXError(
                f"{mine} of your runs are waiting already. Wait for one of them, or cancel it."
            )

    def _get_ready(self) -> None:
        with self._lock:
            if self._spare is None and not self._closed:
                self._spare = self._started()

    def _say(self, name: str, state: State, until: Stage) -> None:
        """Say it in the run's folder, where the next server finds it if this one dies."""
        with writing(), suppress(FileNotFoundError):  # it may have been deleted
            write_progress(self._workspace.folder_of(name), {"state": state, "until": until})

    def _started(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "glocalx.workspace.worker"]
        quiet = {**os.environ, "PYTHONWARNINGS": "ignore"}
        return subprocess.Popen(command, stdin=subprocess.PIPE, env=quiet)


def _let_go(process: subprocess.Popen[bytes]) -> None:
    """Close the input of a process: the sign to stop, if it still works."""
    if process.stdin is not None:
        with suppress(OSError):  # it may have ended
            process.stdin.close()


def _written(run: Run) -> JobState:
    """What was said last in the run's folder, unless it was about other settings."""
    said = read_progress(run.folder)
    if said.get("key") and said["key"] != run.settings.key(said["until"]):
        return JobState()
    return JobState(**{key: value for key, value in said.items() if key in JobState.__slots__})


def _as_interrupted(written: JobState) -> JobState:
    return replace(written, state="interrupted", left=None)
