"""A table of 50,000 rows through the door for strangers' files, beside the same one read here."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import numpy as np
import pandas as pd

from glocalx.table import read_table
from glocalx.table.confined_table import parse_plain

ROWS, TIMES = 50_000, 15
LIMIT = 0.2


def table() -> bytes:
    """Numbers, categories and dates."""
    draw = np.random.default_rng(0)
    columns = {
        "age": draw.integers(18, 90, ROWS),
        "income": draw.normal(3_000, 900, ROWS).round(2),
        "job": draw.choice(["clerk", "chief", "cook", "nurse"], ROWS),
        "since": pd.to_datetime(draw.integers(0, 19_000, ROWS), unit="D").astype(str),
        "name": [f"person {number}" for number in range(ROWS)],
        "granted": draw.choice(["yes", "no"], ROWS),
    }
    return pd.DataFrame(columns).to_csv(index=False).encode()


def _seconds(read: Callable[[], object]) -> float:
    begun = time.perf_counter()
    read()
    return time.perf_counter() - begun


def main() -> None:
    """a CSV of 50,000 rows read in a confined child, beside the same one read in this process"""
    data = table()
    here, there = (lambda: parse_plain(data, "t")), (lambda: read_table(data, "t"))
    here(), there()  # imports, and the warm process
    waits = [(_seconds(here), _seconds(there)) for _ in range(TIMES)]
    medians = [statistics.median(each) for each in zip(*waits, strict=True)]
    slower = statistics.median(there - here for here, there in waits)
    print(f"{len(data) / 2**20:.1f} MB, medians of {TIMES} in turns: ", end="")
    print(f"here {medians[0]:.3f} s, in a child {medians[1]:.3f} s", end="")
    print(f" ({medians[1] / medians[0]:.1f} times)")
    print(f"slower by {slower:.3f} s (target: at most {LIMIT} s)")


if __name__ == "__main__":
    main()
