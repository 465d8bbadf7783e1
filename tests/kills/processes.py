"""Processes as the system tells of them: who descends from whom, and what each is."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator
from pathlib import Path

_ADOPT, _NAME = 36, 15
_prctl = ctypes.CDLL(None).prctl


def adopt_orphans() -> None:
    """Descendants whose parent dies become children of this process, and are found."""
    _prctl(_ADOPT, 1, 0, 0, 0)


def name_process(name: str) -> None:
    """What others see."""
    _prctl(_NAME, ctypes.create_string_buffer(name.encode()), 0, 0, 0)


def _facts(process: int) -> tuple[str, str, int]:
    """Its name, its state and its parent."""
    text = Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace")
    name, _, rest = text.partition(" (")[2].rpartition(") ")
    state, parent = rest.split()[:2]
    return name, state, int(parent)


def iter_descendants(process: int) -> Iterator[tuple[int, str]]:
    """Every living process below this one, with what it is: see :func:`_kind`."""
    facts = {}
    for entry in os.scandir("/proc"):
        if entry.name.isdecimal():
            try:
                facts[int(entry.name)] = _facts(int(entry.name))
            except OSError:  # it has ended
                continue
    below = {process}
    while True:
        more = {each for each, (_, _, parent) in facts.items() if parent in below} - below
        if not more:
            break
        below |= more
    for each in sorted(below - {process}):
        name, state, parent = facts[each]
        if state not in "ZX":
            yield each, _kind(each, name, parent, facts.get(parent, ("", "", 0))[0])


def _kind(process: int, name: str, parent: int, called: str) -> str:
    """What forks has a name or a line of its own, which what it forked shares.

    A worker goes on without the process that forked it, and is then a child of whoever adopts it.
    """
    if name == "forker":
        return "forker" if called == "server" else "worker"
    if name == "server" or not _serves_forks(process):
        return name if name == "server" else "other"
    return "child" if _serves_forks(parent) else "warm"


def _serves_forks(process: int) -> bool:
    try:
        return b"fork_server" in Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return False
