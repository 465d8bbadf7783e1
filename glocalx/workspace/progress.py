"""What is said about the work on a run: one small file in its folder, always whole."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from glocalx.workspace.run import PROGRESS, written_when


def read_progress(folder: Path) -> dict[str, Any]:
    """What was said last; empty where nothing was."""
    path = folder / PROGRESS
    return _read(path, written_when(path))


@lru_cache(maxsize=64)
def _read(path: Path, written: object) -> dict[str, Any]:
    """Read once for every time that it was said."""
    try:
        said = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return said if isinstance(said, dict) else {}


def write_progress(folder: Path, said: Mapping[str, Any]) -> None:
    """Say it instead of what was said before."""
    beside = folder / f".{PROGRESS}.{os.getpid()}"
    beside.write_text(json.dumps(said), encoding="utf-8")
    beside.replace(folder / PROGRESS)
