"""Work that waits, so that a test can look at it for as long as it likes."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def kept_waiting(folder: Path) -> Iterator[None]:
    """The work of the run in this folder waits for its turn as long as this lasts."""
    with (folder / ".lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
