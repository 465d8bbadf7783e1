"""Twenty people on one server, and one more who brings files that cost as much as they may.

The twenty step through a run as in :mod:`benchmarks.classroom`. The other one brings a hostile
file, waits until the server is done with it, rests for as long, and brings the next: half of the
time there is a hostile file, and half of the time there is none, in turns, so that whatever else
the machine does meets both. A step counts by what was there when it was asked for. One file in four
is a harmless small table: to bring a file costs something, whatever is in it, as does a page.
"""

from __future__ import annotations

import asyncio
import io
import itertools
import math
import statistics
import sys
import tempfile
import time
import zipfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pyarrow as pa  # type: ignore[import-untyped]
from pyarrow import feather

from benchmarks.visitors import Visitor, look_and_step, memory, visitor
from glocalx.table.limits import MAX_ROWS
from glocalx.workspace.sample_runs import open_sample
from glocalx.workspace.store import Workspace
from tests.browser.serving import Server

PEOPLE, SECONDS = 20, 300.0
LEAST_REST = 2.0
TARGET = 1.2
CALM, OPENING, HARMLESS = "nobody", "a page is opened", "a harmless table, 2 KB"
_SPACE = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"


def hostile_files() -> dict[str, bytes]:
    """What somebody may bring who means harm, by what it does; and what anybody brings."""
    empty = pa.Table.from_arrays([pa.nulls(10**8)] * 2, names=["a", "b"])
    codes = pa.DictionaryArray.from_arrays(pa.array(np.zeros(MAX_ROWS, np.int8)), ["x"])
    return {
        "10⁸ empty rows, 1 KB": _feather(empty),
        "a workbook that computes": _long_workbook(),
        "as many rows as are allowed": _feather(
            pa.Table.from_arrays([codes] * 2, names=["a", "b"])
        ),
        HARMLESS: b"age,answer\n" + b"31,yes\n58,no\n" * 150,
    }


def _feather(table: pa.Table) -> bytes:
    held = io.BytesIO()
    feather.write_feather(table, held, chunksize=len(table))
    return held.getvalue()


def _long_workbook() -> bytes:
    """Rows that take seconds to read, in a small file that turns out to be cut off."""
    row = b"<row>" + b'<c t="n"><v>1</v></c>' * 10 + b"</row>"
    parts = {
        "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/'
        'content-types"><Override PartName="/xl/workbook.xml" ContentType="application/vnd.'
        'openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>',
        "_rels/.rels": _relation("officeDocument", "xl/workbook.xml"),
        "xl/workbook.xml": f'<workbook xmlns="{_SPACE}" xmlns:r="http://schemas.openxmlformats.org/'
        'officeDocument/2006/relationships"><sheets><sheet name="s" sheetId="1" r:id="r"/></sheets>'
        "</workbook>",
        "xl/_rels/workbook.xml.rels": _relation("worksheet", "worksheets/sheet1.xml"),
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{_SPACE}"><sheetData>'.encode()
        + row * 30_000,
    }
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in parts.items():
            packed.writestr(name, content)
    return held.getvalue()


def _relation(kind: str, target: str) -> str:
    spaces = "http://schemas.openxmlformats.org/package/2006/relationships"
    kinds = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    return (
        f'<Relationships xmlns="{spaces}"><Relationship Id="r" Type="{kinds}/{kind}" '
        f'Target="{target}"/></Relationships>'
    )


async def attack(
    server: Server, files: dict[str, bytes], times: list[tuple[float, float, str]]
) -> None:
    """One file after the other, without end; notes from when to when each was there."""
    for name, content in itertools.cycle(files.items()):
        one = await visitor(server, "hostile")
        with _noted(OPENING, times):
            await one.open("")
        begun = time.perf_counter()
        with _noted(name, times):
            await one.bring("hostile", content)
        await one.socket.close()
        await asyncio.sleep(max(LEAST_REST, time.perf_counter() - begun))


@contextmanager
def _noted(name: str, times: list[tuple[float, float, str]]) -> Iterator[None]:
    begun = time.perf_counter()
    times.append((begun, math.inf, name))
    yield
    times[-1] = begun, time.perf_counter(), name


async def crowd(server: Server, run: str, seconds: float) -> None:
    files = hostile_files()
    everybody: list[Visitor] = []
    for number in range(PEOPLE):
        everybody.append(await visitor(server, f"person-{number}", f"run={run}&step=1"))
        await everybody[-1].open("merge")
    until = time.perf_counter() + seconds
    steps = [look_and_step(one, number, until) for number, one in enumerate(everybody)]
    attacks: list[tuple[float, float, str]] = []
    hostile = asyncio.create_task(attack(server, files, attacks))
    waits = await asyncio.gather(*steps)
    if not hostile.cancel():
        hostile.result()  # it has ended by itself: why
    now = time.perf_counter()
    attacks = [(begun, min(ended, now), name) for begun, ended, name in attacks]
    tell(attacks, itertools.chain.from_iterable(waits))
    print(f"memory of the server: {memory(server):.0f} MB")


def tell(attacks: list[tuple[float, float, str]], waits: Iterable[tuple[float, float]]) -> None:
    """Medians by what was there, and what a hostile file does to them."""
    by_file: dict[str, list[float]] = defaultdict(list)
    for asked, wait in waits:
        there = (name for begun, ended, name in attacks if begun <= asked < ended)
        by_file[next(there, CALM)].append(wait)
    others = (CALM, OPENING, HARMLESS)
    hostile = [wait for name, each in by_file.items() if name not in others for wait in each]
    print(f"{'':30}{'times':>6}{'seconds':>9}{'steps':>7}{'median':>9}{'95 %':>9}")
    for name in (CALM, *dict.fromkeys(name for *_, name in attacks)):
        lengths = [ended - begun for begun, ended, each in attacks if each == name]
        print(f"{name:30}{len(lengths):>6}{sum(lengths):>9.0f}" + _row(by_file[name]))
    print(f"{'any hostile one':30}{'':>15}" + _row(hostile))
    calm = statistics.median(by_file[CALM])
    all_of_it = statistics.median(wait for each in by_file.values() for wait in each)
    print(f"all the time with that person / with nobody: {all_of_it / calm:.2f} (target: {TARGET})")
    for other in filter(by_file.get, (CALM, OPENING, HARMLESS)):  # a short run may miss one
        ratio = statistics.median(hostile) / statistics.median(by_file[other])
        print(f"while a hostile file is there / {other}: {ratio:.2f}")


def _row(waits: list[float]) -> str:
    if not waits:
        return f"{0:>7}"
    last = sorted(waits)[int(0.95 * len(waits))]
    return f"{len(waits):>7}{statistics.median(waits):>7.3f} s{last:>7.3f} s"


def main() -> None:
    """twenty people for five minutes, hostile files half of the time (`--seconds 60`: shorter)"""
    given = sys.argv
    seconds = float(given[given.index("--seconds") + 1]) if "--seconds" in given else SECONDS
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder))
        run = open_sample(Workspace(Path(folder)), "browser:teacher", "compas")
        server.start()
        try:
            asyncio.run(crowd(server, run.id, seconds))
        finally:
            server.kill()


if __name__ == "__main__":
    main()
