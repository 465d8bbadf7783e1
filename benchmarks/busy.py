"""Run a command on a machine that has other work: `python -m benchmarks.busy make test`.

Four processes spin beside it, as other people's work would, and end with it. What passes here waits
for states and not for times.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

SPINNING = 4


@contextmanager
def busy(processes: int = SPINNING) -> Iterator[None]:
    """As many processes that do nothing but take time, ended whatever happens."""
    spin = [sys.executable, "-c", "while True: pass"]
    started = [subprocess.Popen(spin) for _ in range(processes)]
    try:
        yield
    finally:
        for process in started:
            process.kill()
            process.wait()


def main(command: list[str]) -> int:
    begun = time.monotonic()
    with busy():
        code = subprocess.run(command, check=False).returncode
    minutes, seconds = divmod(round(time.monotonic() - begun), 60)
    print(f"{minutes} min {seconds} s beside {SPINNING} busy processes")
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
