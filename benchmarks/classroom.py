"""A class on one server: thirty people step through the same run at the same time.

No browser draws here (:mod:`benchmarks.visitors`): each person opens the page Merge by a link,
presses *Step*, waits until everything has come, looks at it for a while and presses again. The
server is the real one, in a process of its own.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.visitors import LOOKING, look_and_step, memory, spent, visitor
from glocalx.workspace.run import Run
from glocalx.workspace.sample_runs import open_sample
from glocalx.workspace.store import Workspace
from tests.browser.serving import Server

PEOPLE, SECONDS = 30, 60.0
TARGET = 1.0
ALONE_STEPS = 20


async def alone(server: Server, run: Run, name: str) -> tuple[float, float]:
    """One person, some steps: the server's time for a view, and how long it was waited for."""
    one = await visitor(server, name, f"run={run.id}&step=1")
    await one.open("merge")
    await asyncio.sleep(1)  # what the server does after a page has come
    before = spent(server)
    waits = [await one.step() for _ in range(ALONE_STEPS)]
    cost = (spent(server) - before) / ALONE_STEPS
    await one.socket.close()
    return cost, statistics.median(waits)


async def lesson(server: Server, run: Run, people: int, seconds: float) -> None:
    for said in ("first time", "again, another person"):
        cost, wait = await alone(server, run, f"alone-{said[0]}")
        print(f"one person, {said:<24} {1000 * cost:6.0f} ms of the server, {wait:.2f} s waited")
    everybody = [
        await visitor(server, f"person-{number}", f"run={run.id}&step=1")
        for number in range(people)
    ]
    opened = await asyncio.gather(*(one.open("merge") for one in everybody))
    print(f"{people} people open the page at once: the last has it after {max(opened):.1f} s")
    memory_before, before = memory(server), spent(server)
    begun = time.perf_counter()
    tasks = [look_and_step(one, number, begun + seconds) for number, one in enumerate(everybody)]
    waits = [wait for each in await asyncio.gather(*tasks) for _, wait in each]
    lasted, used = time.perf_counter() - begun, spent(server) - before
    print(
        f"{people} people step for {lasted:.0f} s, one about every {sum(LOOKING) / 2:g} s: "
        f"{len(waits):,} views"
    )
    print(f"  median wait       {statistics.median(waits):6.2f} s   (target: under {TARGET:.0f} s)")
    print(f"  95 % wait at most {sorted(waits)[int(0.95 * len(waits))]:6.2f} s")
    print(f"  longest wait      {max(waits):6.2f} s")
    print(f"  server            {1000 * used / len(waits):6.0f} ms of the processor a view")
    print(f"  memory            {memory_before:6.0f} MB before, {memory(server):.0f} MB after")


def main() -> None:
    """thirty people step through one run at the same time (`--quick`: ten for ten seconds)"""
    people, seconds = (10, 10.0) if "--quick" in sys.argv else (PEOPLE, SECONDS)
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder) / "workspace")
        run = open_sample(Workspace(server.workspace), "browser:teacher", "compas")
        server.start()
        try:
            asyncio.run(lesson(server, run, people, seconds))
        finally:
            server.kill()


if __name__ == "__main__":
    main()
