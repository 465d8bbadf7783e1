"""Work in the background: one process for each run that is being worked on.

The server knows nothing of the work but the run's folder, where it finds how far it is.
"""

from __future__ import annotations

import json
import os
import threading
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Literal

from glocalx.errors import GLocalXError
from glocalx.pipeline.settings import Stage
from glocalx.workspace import workers
from glocalx.workspace.database import FULL, writing
from glocalx.workspace.run import Run, read_progress, write_progress
from glocalx.workspace.store import Workspace
from glocalx.workspace.workers import Worker

NOT_WRITTEN = 74  # how a worker ends where the disk does not take what it says
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
        Everything that the work needs is imported after so many seconds, see
        :mod:`glocalx.workspace.workers`; None for as soon as it is needed.
    """

    def __init__(
        self,
        workspace: Workspace,
        at_once: int | None = None,
        ready_after: float | None = READY_AFTER,
    ) -> None:
        self._workspace = workspace
        self._at_once = at_once or os.cpu_count() or 1
        self._lock = threading.Lock()
        self._working: dict[str, Worker] = {}
        self._waiting: dict[str, Stage] = {}
        self._owners: dict[str, str] = {}  # of runs that wait or are worked on
        self._wordless: set[str] = set()  # runs whose work could not say how it ended
        self._timer = threading.Timer(ready_after or 0, workers.warm_up)
        if ready_after is not None:
            self._timer.daemon = True
            self._timer.start()

    def start(self, run: Run, until: Stage) -> None:
        """Work on a run up to a stage; does nothing if it is being worked on."""
        with self._lock:
            self._tidy()
            if run.id not in self._working:
                mine = sum(self._owners.get(name) == run.owner for name in self._waiting)
                self._workspace.quota.check_waiting(mine)
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
            worker = self._working.get(run.id)
            if worker is not None:
                worker.tell("stop")
                worker.let_go()

    def end(self, run: Run, seconds: float = 10) -> None:
        """Stop, and wait until nothing works on the run."""
        self.stop(run)
        worker = self._working.get(run.id)
        if worker is not None and not worker.wait(seconds):
            worker.kill()

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
        return replace(written, state="interrupted", left=None) if written.busy else written

    def close(self) -> None:
        """End all work."""
        self._timer.cancel()
        with self._lock:
            for worker in self._working.values():
                worker.kill()
            self._working.clear()

    def _tidy(self) -> None:
        for name, worker in list(self._working.items()):
            if worker.code is not None:
                if worker.code == NOT_WRITTEN:
                    self._wordless.add(name)
                worker.let_go()
                del self._working[name]

    def _fill(self) -> None:
        while self._waiting and len(self._working) < self._at_once:
            name = self._in_turn()[0]
            until = self._waiting.pop(name)
            try:
                self._say(name, "running", until)
            except GLocalXError:  # whoever looks is told
                self._wordless.add(name)
                continue
            worker = self._working[name] = workers.begin()
            jobs = max((os.cpu_count() or 1) // len(self._working), 1)
            task = {
                "folder": str(self._workspace.folder),
                "id": name,
                "until": until,
                "jobs": jobs,
            }
            worker.tell(json.dumps(task))

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

    def _say(self, name: str, state: State, until: Stage) -> None:
        """Say it in the run's folder, where the next server finds it if this one dies."""
        with writing(), suppress(FileNotFoundError):  # it may have been deleted
            write_progress(self._workspace.folder_of(name), {"state": state, "until": until})


def _written(run: Run) -> JobState:
    """What was said last in the run's folder, unless it was about other settings."""
    said = read_progress(run.folder)
    if said.get("key") and said["key"] != run.settings.key(said["until"]):
        return JobState()
    return JobState(**{key: value for key, value in said.items() if key in JobState.__slots__})
