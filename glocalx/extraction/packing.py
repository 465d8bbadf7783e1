"""Work packed for other processes of the same user; never for files that travel."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import cloudpickle  # type: ignore[import-untyped]

from glocalx.errors import GLocalXError
from glocalx.extraction.extract import Extraction


def packed(work: Extraction) -> bytes:
    """The work in a form that other processes can read."""
    try:
        return bytes(cloudpickle.dumps(work))
    except Exception as reason:
        raise GLocalXError(
            f"The black box “{work.oracle.black_box.name}” cannot be sent to other processes "
            f"({type(reason).__name__}). Use one process."
        ) from reason


def unpacked(content: bytes) -> Extraction:
    """The work that was packed."""
    work: Extraction = cloudpickle.loads(content)
    return work


@lru_cache(maxsize=1)
def unpacked_from(path: str) -> Extraction:
    """The work that was packed into a file; a process reads it once."""
    return unpacked(Path(path).read_bytes())
