"""`python -m tests.kills.full_disk`: a small disk that is full, at every stage of a run.

A disk of its own in memory, which only this process sees. With a little more room each time a run
is made and worked on: it ends with a sentence, leaves nothing half made, and goes on to the same
result once there is room.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import sys
import tempfile
from collections import Counter
from pathlib import Path

from glocalx.errors import GLocalXError
from glocalx.workspace.coming import iter_coming
from glocalx.workspace.database import FULL
from glocalx.workspace.run import LOCK, Run, read_progress
from glocalx.workspace.store import Workspace
from glocalx.workspace.worker import Stop, alone, work
from tests.kills.scene import new_run, results

SIZE = 2 * 2**20
NO_DISK = 77
LAST = "resamples"
_NEW_MOUNTS, _NEW_USER, _PRIVATE = 0x00020000, 0x10000000, 0x44000
_NOW = 2


def own_disk(place: Path) -> bool:
    """Put a small disk there that nobody else sees; False where the system does not let us."""
    library = ctypes.CDLL(None, use_errno=True)
    user, group = os.getuid(), os.getgid()
    if library.unshare(_NEW_MOUNTS | (_NEW_USER if user else 0)):
        return False
    if user:
        for name, said in (
            ("setgroups", "deny"),
            ("uid_map", f"0 {user} 1"),
            ("gid_map", f"0 {group} 1"),
        ):
            Path(f"/proc/self/{name}").write_text(said, encoding="ascii")
    library.mount(b"none", b"/", None, _PRIVATE, None)
    options = f"size={SIZE}".encode()
    return not library.mount(b"tmpfs", str(place).encode(), b"tmpfs", 0, options)


def fill(disk: Path, room: int) -> Path:
    """A file that leaves so many bytes."""
    filler = disk / "filler"
    with filler.open("wb") as file:
        file.truncate(0)
        free = os.statvfs(disk)
        os.posix_fallocate(file.fileno(), 0, max(free.f_bavail * free.f_frsize - room, 1))
    return filler


def try_room(disk: Path, calm: dict[str, bytes], room: int) -> tuple[str, list[str]]:
    """How far a run comes with so much room, and what is wrong with what it leaves."""
    workspace = Workspace(disk / "workspace")
    filler, faults = fill(disk, room), list[str]()
    try:
        run = new_run(workspace, "train")
    except GLocalXError as error:
        filler.unlink()
        faults += [] if str(error) == FULL else [f"{room}: {error}"]
        return "no run", faults + _left(workspace, [])
    reached = _worked(workspace, run, faults)
    made = set(results(run))
    faults += _left(workspace, [run])
    filler.unlink()
    if _worked(workspace, run, faults) != "done" or results(run) != calm:
        faults.append(f"{room}: not the same result after {made}")
    workspace.delete(run)
    return reached, faults + _left(workspace, [])


def _worked(workspace: Workspace, run: Run, faults: list[str]) -> str:
    try:
        with alone(run):
            work(workspace, workspace.run(run.id), LAST, 1, Stop())
    except OSError:
        return "wordless"  # the server says it instead
    said = read_progress(run.folder)
    if said["state"] == "failed" and said["sentence"] != FULL:
        faults.append(f"said: {said}")
    return str(said["state"])


def _left(workspace: Workspace, runs: list[Run]) -> list[str]:
    known = {run.id for run in workspace.runs("me")}
    folders = {folder.name for folder in (workspace.folder / "runs").iterdir()}
    hidden = [file.name for run in runs for file in run.folder.glob(".*") if file.name != LOCK]
    half = [*map(str, iter_coming(workspace.folder / "runs")), *hidden]
    return [f"left: {half}, {known ^ folders}"] if half or known != folders else []


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.kills.full_disk", description=__doc__)
    parser.add_argument("--step", type=int, default=8, help="kilobytes more each time")
    step = parser.parse_args().step * 1024
    with tempfile.TemporaryDirectory() as folder:
        disk = Path(folder) / "disk"
        disk.mkdir()
        if not own_disk(disk):
            print("This system lets nobody make a disk.")
            return NO_DISK
        first = new_run(Workspace(disk / "workspace"), "train")
        assert _worked(Workspace(disk / "workspace"), first, []) == "done"
        calm = results(first)
        Workspace(disk / "workspace").delete(first)
        reached, faults, room = Counter[str](), list[str](), 0
        while not reached["done"]:
            came, found = try_room(disk, calm, room)
            reached[came] += 1
            faults += found
            room += step
        ctypes.CDLL(None).umount2(str(disk).encode(), _NOW)
    print(f"{reached.total()} sizes up to {room // 1024} kB: {dict(reached)}")
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
