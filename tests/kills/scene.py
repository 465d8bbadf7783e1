"""One workspace, a server that works in it, and whoever kills its processes."""

from __future__ import annotations

import io
import os
import signal
import sqlite3
import time
from collections import Counter
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Literal, TypeAlias

import pandas as pd
import skops.io
from sklearn.tree import DecisionTreeClassifier

from glocalx.pipeline.settings import EVERY_STAGE, BoxSettings
from glocalx.workspace.coming import iter_coming
from glocalx.workspace.run import FILES, Run
from glocalx.workspace.store import Workspace
from tests.kills.processes import adopt_orphans, iter_descendants
from tests.kills.server import forked, serve
from tests.patience import PATIENCE
from tests.workspace.conftest import small_settings, small_table

TARGETS = ("server", "forker", "worker", "warm", "child")
TREE = "sklearn.tree._tree.Tree"
RECORDS = 16
Source: TypeAlias = Literal["train", "model"]


class Scene:
    """Kills, and looks at what is left.

    Parameters
    ----------
    folder
        Two workspaces are made in it: one that nobody disturbs, and the one where it happens.
    seed
        Decides what is killed, and when.
    sources
        Where the black boxes of the runs come from.
    """

    def __init__(
        self, folder: Path, seed: int, sources: tuple[Source, ...] = ("train", "model")
    ) -> None:
        adopt_orphans()
        self.killed: Counter[str] = Counter()
        self.stages: Counter[str] = Counter()
        self.faults: list[str] = []
        self.runs = 0
        self._random = Random(seed)
        self._folder = folder / "disturbed"
        self._calm: dict[Source, dict[str, bytes]] = {}
        self._seconds: dict[Source, float] = {}
        self._sources = sources
        for source in sources:
            self._undisturbed(folder / "calm", source)
        self._side = new_run(Workspace(self._folder), "train").id
        self._two_servers()
        self._begin()

    def _two_servers(self) -> None:
        """Two servers work in one workspace, on the same run."""
        self._source = self._sources[0]
        self._run = new_run(Workspace(self._folder), self._source)
        servers = [
            forked(partial(serve, self._folder, self._run.id, self._side, seed)) for seed in (1, 2)
        ]
        ended = [os.waitpid(server, 0)[1] for server in servers]
        if any(ended):
            self.faults.append(f"one of two servers ended by itself: {ended}")
        self._expect_nobody()
        self._check_workspace()
        self._compare()

    def kill_one(self) -> None:
        """Kill one process a moment from now; whatever ended goes on."""
        time.sleep(self._random.random() * self._seconds[self._source] / 5)
        if self._ended():
            self._compare()
            self._begin()
            return
        below = dict(iter_descendants(os.getpid()))
        if self._server not in below:
            return
        wanted = self._random.choice([kind for kind in TARGETS if kind in below.values()])
        target = self._random.choice([each for each, kind in below.items() if kind == wanted])
        stage = self._stage()
        try:
            os.kill(target, signal.SIGKILL)
        except ProcessLookupError:
            return
        self.killed[wanted] += 1
        self.stages[stage] += 1
        if target == self._server:
            os.waitpid(self._server, 0)
            self._expect_nobody()
            self._check_workspace()
            self._serve()

    def finish(self) -> None:
        """Let the last run come to its end."""
        deadline = time.monotonic() + 10 * PATIENCE
        while not self._ended():
            time.sleep(0.05)
            if time.monotonic() > deadline:
                self.faults.append("the last run did not end")
                os.kill(self._server, signal.SIGKILL)
                os.waitpid(self._server, 0)
                break
        else:
            self._compare()
        self._expect_nobody()
        self._check_workspace()

    def told(self) -> str:
        """What happened so far."""
        killed = ", ".join(f"{self.killed[each]} {each}" for each in TARGETS)
        during = ", ".join(f"{count} in {stage}" for stage, count in sorted(self.stages.items()))
        return f"{self.killed.total()} kills ({killed}; {during}), {self.runs} runs equal"

    def _undisturbed(self, folder: Path, source: Source) -> None:
        workspace = Workspace(folder)
        run, side = new_run(workspace, source), new_run(workspace, "train")
        began = time.monotonic()
        process = forked(lambda: serve(folder, run.id, side.id, 0))
        _, status = os.waitpid(process, 0)
        assert status == 0, status
        self._seconds[source] = time.monotonic() - began
        self._calm[source] = results(run)
        assert set(self._calm[source]) == set(FILES.values())

    def _begin(self) -> None:
        self._source = self._random.choice(self._sources)
        self._run = new_run(Workspace(self._folder), self._source)
        self._serve()

    def _serve(self) -> None:
        seed = self._random.randrange(10**6)
        self._server = forked(lambda: serve(self._folder, self._run.id, self._side, seed))

    def _ended(self) -> bool:
        ended, status = os.waitpid(self._server, os.WNOHANG)
        if ended and status:
            self.faults.append(f"a server ended by itself: {status}")
            self._serve()
            return False
        return bool(ended)

    def _stage(self) -> str:
        made = [stage for stage in EVERY_STAGE if self._run.file(stage).exists()]
        return made[-1] if made else "the table"

    def _compare(self) -> None:
        self.runs += 1
        calm = self._calm[self._source]
        made = results(self._run)
        for name in calm:
            if made.get(name) != calm[name]:
                self.faults.append(f"{name} of a run ({self._source}) differs")
        Workspace(self._folder).delete(self._run)

    def _expect_nobody(self) -> None:
        """What the dead server left behind ends by itself."""
        deadline = time.monotonic() + PATIENCE
        while left := dict(iter_descendants(os.getpid())):
            if time.monotonic() > deadline:
                self.faults.append(f"processes stay: {left}")
                return
            time.sleep(0.02)
        _reap()

    def _check_workspace(self) -> None:
        with sqlite3.connect(self._folder / "runs.sqlite") as database:
            (said,) = database.execute("PRAGMA integrity_check").fetchone()
        database.close()
        workspace = Workspace(self._folder)  # which repairs
        known = {run.id for run in workspace.runs("me")}
        folders = {folder.name for folder in (self._folder / "runs").iterdir()}
        if said != "ok" or known != folders or workspace.unreadable("me"):
            self.faults.append(f"database {said}; rows and folders differ: {known ^ folders}")
        if left := list(iter_coming(self._folder / "runs")):
            self.faults.append(f"left behind: {left}")
        side = workspace.run(self._side)
        table = {"table": (side.folder / "table").read_bytes()}
        if side.settings != side.settings.with_contents(table):
            self.faults.append("a table that its row does not know")
        for run in workspace.runs("me"):
            if run.id not in (self._run.id, self._side):
                workspace.delete(run)  # a copy that was whole, and just not deleted yet


def new_run(workspace: Workspace, source: Source) -> Run:
    """A small run on which nothing was done."""
    settings, files = small_settings(RECORDS), {"table": small_table(200)}
    if source == "model":
        files["model"] = _model(files["table"])
        box = BoxSettings("model", file="model", name="m.skops", trusted=(TREE,), columns=("age",))
        settings = replace(settings, box=box)
    return workspace.create("me", "Main", settings, files)


@cache
def _model(table: bytes) -> bytes:
    """The same bytes each time: a skops file of the same tree has other ones."""
    people = pd.read_csv(io.BytesIO(table))
    tree = DecisionTreeClassifier(max_depth=2, random_state=0)
    return bytes(skops.io.dumps(tree.fit(people[["age"]], people["answer"])))


def results(run: Run) -> dict[str, bytes]:
    """The results of a run by the names of their files."""
    kept = (file for file in run.folder.iterdir() if file.name in FILES.values())
    return {file.name: file.read_bytes() for file in kept}


def _reap() -> None:
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return
