"""`make kills`: real processes are killed at random moments, 200 times; what is left is whole.

A server, its worker, the processes kept warm that fork workers and children, and such a child: one
of them is killed, the work goes on, and in the end every result is the same to the byte as one that
nobody disturbed.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from tests.kills.scene import Scene


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.kills", description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--trained-only", action="store_true", help="bring no model: quicker")
    asked = parser.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        sources = ("train",) if asked.trained_only else ("train", "model")
        scene = Scene(Path(folder), asked.seed, sources)
        while scene.killed.total() < asked.kills:
            scene.kill_one()
            if scene.killed.total() % 20 == 0:
                print(scene.told(), f"{time.monotonic() - began:.0f} s", flush=True)
        scene.finish()
    print(scene.told(), f"{time.monotonic() - began:.0f} s", flush=True)
    for fault in scene.faults:
        print(fault)
    return 1 if scene.faults else 0


if __name__ == "__main__":
    sys.exit(main())
