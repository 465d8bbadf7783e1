"""A progress bar on a terminal, and nothing at all elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")

WIDTH = 30


def with_progress(
    items: Iterable[T], share: Callable[[T], float], tell: Callable[[T], str], *, quiet: bool
) -> Iterator[T]:
    """Pass the items on while a bar on standard error shows how far along they are.

    Parameters
    ----------
    items
        What is done, one by one.
    share
        How much of the whole is done with an item, from 0 to 1.
    tell
        A few words about where things stand.
    quiet
        Show nothing, as also happens where standard error is not a terminal.
    """
    if quiet or not sys.stderr.isatty():
        yield from items
        return
    begun = drawn = time.monotonic()
    for item in items:
        now = time.monotonic()
        if now - drawn > 0.1:
            drawn = now
            _draw(share(item), now - begun, tell(item))
        yield item
    sys.stderr.write("\r\x1b[K")


def _draw(share: float, seconds: float, words: str) -> None:
    full = int(share * WIDTH)
    left = seconds / share - seconds if share > 0 else 0.0
    bar = "█" * full + "░" * (WIDTH - full)
    sys.stderr.write(f"\r\x1b[K{bar} {share:4.0%}  about {left:.0f} s left  {words}")
    sys.stderr.flush()
