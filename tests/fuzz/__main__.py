"""`make fuzz`: 20,000 damaged files for each reader, and what came of them."""

from __future__ import annotations

import argparse
import sys
import time
from concurrent.futures import ProcessPoolExecutor

from tests.fuzz.outcomes import KINDS, tally
from tests.fuzz.readers import READERS


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("readers", nargs="*", help=f"of {', '.join(READERS)}; otherwise all")
    parser.add_argument("--files", type=int, default=20_000, help="for each reader")
    parser.add_argument("--first", type=int, default=0, help="the number of the first file")
    parser.add_argument("--processes", type=int, default=2)
    asked = parser.parse_args()
    print(f"{'reader':10}" + "".join(f"{kind:>14}" for kind in KINDS) + f"{'s':>8}", flush=True)
    faults = 0
    with ProcessPoolExecutor(asked.processes) as pool:
        for reader in asked.readers or READERS:
            began = time.monotonic()
            last = asked.first + asked.files
            step = max(1, asked.files // (4 * asked.processes))
            parts = [range(at, min(at + step, last)) for at in range(asked.first, last, step)]
            told = list(pool.map(tally, [reader] * len(parts), parts))
            counts = sum((count for count, _ in told), start=type(told[0][0])())
            faults += counts["fault"] + counts["late"]
            row = "".join(f"{counts[kind]:>14,}" for kind in KINDS)
            print(f"{reader:10}{row}{time.monotonic() - began:>8.0f}", flush=True)
            for each in (each for _, found in told for each in found):
                print(each, flush=True)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
