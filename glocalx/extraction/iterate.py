"""Local rules block by block, on one core or many, always the same ones in the same order."""

from __future__ import annotations

import itertools
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

import pandas as pd
from joblib import Parallel, cpu_count, delayed

from glocalx.blackbox.base import BlackBox
from glocalx.errors import GLocalXError
from glocalx.extraction.cluster import rules_on_cluster
from glocalx.extraction.extract import Extraction, packed, unpacked
from glocalx.extraction.local_rule import LocalRule, RuleBlock
from glocalx.extraction.settings import ExtractionSettings
from glocalx.rules.schema import Schema

ROWS_PER_BLOCK = 20_000  # a call of 5,000 to 50,000 rows is what black boxes answer fastest
_DRAFTED, _LOOK_SECONDS = ".drafted", 0.5
_TRIED, _AT_ONCE = 60, 5  # records of a trial at most, and in one call of the black box


def iter_local_rules(
    frame: pd.DataFrame,
    black_box: BlackBox,
    schema: Schema,
    *,
    background: pd.DataFrame,
    settings: ExtractionSettings | None = None,
    seed: int = 0,
    records: Sequence[int] | None = None,
    jobs: int = 1,
    cluster: str | None = None,
    block: int | None = None,
    drafted: Callable[[int], object] | None = None,
) -> Generator[RuleBlock, None, None]:
    """One local rule for each record, in the order of the records, as they are done.

    Nothing runs before the first block is drawn, and drawing no further ends the work. The
    rules are the same for any number of jobs, on a cluster, and in blocks of any size, if the
    black box answers for a row the same whatever rows it is asked about together with it.

    Parameters
    ----------
    frame, black_box, schema, background, settings, seed
        See :class:`glocalx.extraction.extract.Extraction`.
    records
        Rows of `frame` to explain, from 0; all of them by default.
    jobs
        Processes; −1 for one on each core.
    cluster
        The address of a Dask scheduler, such as `tcp://10.0.0.5:8786`, to work there instead.
    block
        Records in a block; by default as many as make a call of 20,000 rows.
    drafted
        Is told, between blocks too, how many rules are as good as made; not on a cluster.
    """
    chosen = _checked(records, len(frame))
    if jobs == 0:
        raise GLocalXError("The number of jobs is 0. Give at least 1, or −1 for one on each core.")
    if not chosen:
        return
    work = Extraction(frame, black_box, schema, background=background, settings=settings, seed=seed)
    blocks = _blocks(chosen, work, jobs, block)
    if cluster is not None:
        made = rules_on_cluster(work, blocks, cluster)
    elif jobs == 1:
        made = _rules_here(work, blocks, drafted)
    else:
        made = _rules_in_processes(work, blocks, jobs, drafted)
    with closing(made):
        done = 0
        for rules in made:
            done += len(rules)
            yield RuleBlock(rules, done, len(chosen))


def local_rules(*given: Any, **options: Any) -> list[LocalRule]:
    """The rules of :func:`iter_local_rules`, all at once."""
    return [rule for block in iter_local_rules(*given, **options) for rule in block.rules]


def seconds_per_rule(
    frame: pd.DataFrame,
    black_box: BlackBox,
    schema: Schema,
    *,
    background: pd.DataFrame,
    settings: ExtractionSettings,
    most_seconds: float = 0.3,
) -> float:
    """How long a rule takes on this machine with this black box: a few are written.

    What is made once for all of them is not counted.

    `frame`, `black_box`, `schema`, `background`, `settings`: see
    :class:`glocalx.extraction.extract.Extraction`; few of the records are used.
    """
    some = frame[:_TRIED]
    known = background[: settings.evidence]
    work = Extraction(some, black_box, schema, background=known, settings=settings)
    work.rules([0])
    done, begun = 0, time.perf_counter()
    while done < len(some) and time.perf_counter() - begun < most_seconds:
        done += len(work.rules(range(done, min(done + _AT_ONCE, len(some)))))
    return (time.perf_counter() - begun) / done


def _checked(records: Sequence[int] | None, size: int) -> list[int]:
    if records is None:
        return list(range(size))
    chosen = [int(record) for record in records]
    outside = [record for record in chosen if not 0 <= record < size]
    if outside:
        raise GLocalXError(
            f"Record {outside[0]:,} was asked for, but the table has the records 0 to "
            f"{size - 1:,}. Ask for one of these."
        )
    return chosen


def _blocks(records: list[int], work: Extraction, jobs: int, block: int | None) -> list[list[int]]:
    size = block or max(1, ROWS_PER_BLOCK // work.settings.neighbours)
    if block is None and jobs != 1:
        processes = cpu_count() if jobs < 0 else jobs
        size = min(size, -(-len(records) // processes))
    return [records[start : start + size] for start in range(0, len(records), size)]


def _rules_here(
    work: Extraction, blocks: list[list[int]], drafted: Callable[[int], object] | None
) -> Generator[tuple[LocalRule, ...], None, None]:
    count = itertools.count(1)
    for block in blocks:
        yield work.rules(block, None if drafted is None else lambda: drafted(next(count)))


@contextmanager
def _counted(path: Path, drafted: Callable[[int], object] | None) -> Iterator[None]:
    """While processes add a byte to a file for each rule, tell how long it is."""
    ended = threading.Event()

    def look() -> None:
        while not ended.wait(_LOOK_SECONDS):
            if drafted is not None and path.exists():
                drafted(path.stat().st_size)

    looking = threading.Thread(target=look, daemon=True)
    looking.start()
    try:
        yield
    finally:
        ended.set()
        looking.join()


def _rules_in_processes(
    work: Extraction,
    blocks: list[list[int]],
    jobs: int,
    drafted: Callable[[int], object] | None,
) -> Generator[tuple[LocalRule, ...], None, None]:
    """The table and the black box go to each process once, by way of a file."""
    with (
        tempfile.TemporaryDirectory(prefix="glocalx-") as folder,
        _counted(Path(folder) / f"work{_DRAFTED}", drafted),
    ):
        path = Path(folder) / "work"
        path.write_bytes(packed(work))
        parallel = Parallel(n_jobs=jobs, return_as="generator")
        made = parallel(delayed(_rules_from)(str(path), block) for block in blocks)
        try:
            for rules in made:  # noqa: UP028  # `yield from` would close it outside the `with`
                yield rules
        finally:
            with warnings.catch_warnings():  # joblib warns of work that nobody waited for
                warnings.simplefilter("ignore", UserWarning)
                made.close()


def _rules_from(path: str, block: list[int]) -> tuple[LocalRule, ...]:
    with open(path + _DRAFTED, "ab", buffering=0) as count:  # each byte is added at once
        return _work_in(path).rules(block, lambda: count.write(b"."))


@lru_cache(maxsize=1)
def _work_in(path: str) -> Extraction:
    """The work that was packed into a file; a process reads it once."""
    return unpacked(Path(path).read_bytes())
