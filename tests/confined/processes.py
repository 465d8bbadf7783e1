"""Whether a process is still there, and how long a test waits until it is not."""

import time
from collections.abc import Callable
from pathlib import Path

from tests.patience import PATIENCE


def alive(process_id: int) -> bool:
    """Not gone, and not merely waiting for its parent to notice."""
    try:
        status = Path(f"/proc/{process_id}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


def soon(holds: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + PATIENCE
    while not holds() and time.monotonic() < deadline:
        time.sleep(0.01)
    return holds()
