"""Local rules block by block, on one core or many, always the same ones in the same order."""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Generator, Sequence
from contextlib import closing
from functools import lru_cache
from pathlib import Path

import pandas as pd
from joblib import Parallel, cpu_count, delayed

from glocalx.blackbox.base import BlackBox
from glocalx.errors import GLocalXError
from glocalx.extraction.cluster import rules_on_cluster
from glocalx.extraction.extract import Extraction, Judge, packed, unpacked
from glocalx.extraction.local_rule import LocalRule, RuleBlock
from glocalx.extraction.settings import ExtractionSettings
from glocalx.rules.schema import Schema

ROWS_PER_BLOCK = 20_000  # a call of 5,000 to 50,000 rows is what black boxes answer fastest


def iter_local_rules(
    frame: pd.DataFrame,
    black_box: BlackBox,
    schema: Schema,
    *,
    background: pd.DataFrame,
    judge: Judge | None = None,
    settings: ExtractionSettings | None = None,
    seed: int = 0,
    records: Sequence[int] | None = None,
    jobs: int = 1,
    cluster: str | None = None,
    block: int | None = None,
) -> Generator[RuleBlock, None, None]:
    """One local rule for each record, in the order of the records, as they are done.

    Nothing runs before the first block is drawn, and drawing no further ends the work. The
    rules are the same for any number of jobs, on a cluster, and in blocks of any size, if the
    black box answers for a row the same whatever rows it is asked about together with it.

    Parameters
    ----------
    frame, black_box, schema, background, judge, settings, seed
        See :class:`glocalx.extraction.extract.Extraction`.
    records
        Rows of `frame` to explain, from 0; all of them by default.
    jobs
        Processes; −1 for one on each core.
    cluster
        The address of a Dask scheduler, such as `tcp://10.0.0.5:8786`, to work there instead.
    block
        Records in a block; by default as many as make a call of 20,000 rows.
    """
    chosen = _checked(records, len(frame))
    if jobs == 0:
        raise GLocalXError("The number of jobs is 0. Give at least 1, or −1 for one on each core.")
    if not chosen:
        return
    work = Extraction(
        frame, black_box, schema, background=background, judge=judge, settings=settings, seed=seed
    )
    blocks = _blocks(chosen, work, jobs, block)
    if cluster is not None:
        made = rules_on_cluster(work, blocks, cluster)
    elif jobs == 1:
        made = (work.rules(block) for block in blocks)
    else:
        made = _rules_in_processes(work, blocks, jobs)
    with closing(made):
        done = 0
        for rules in made:
            done += len(rules)
            yield RuleBlock(rules, done, len(chosen))


def local_rules(
    frame: pd.DataFrame,
    black_box: BlackBox,
    schema: Schema,
    *,
    background: pd.DataFrame,
    judge: Judge | None = None,
    settings: ExtractionSettings | None = None,
    seed: int = 0,
    records: Sequence[int] | None = None,
    jobs: int = 1,
) -> list[LocalRule]:
    """The rules of :func:`iter_local_rules`, all at once."""
    blocks = iter_local_rules(
        frame,
        black_box,
        schema,
        background=background,
        judge=judge,
        settings=settings,
        seed=seed,
        records=records,
        jobs=jobs,
    )
    return [rule for block in blocks for rule in block.rules]


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


def _rules_in_processes(
    work: Extraction, blocks: list[list[int]], jobs: int
) -> Generator[tuple[LocalRule, ...], None, None]:
    """The table and the black box go to each process once, by way of a file."""
    with tempfile.TemporaryDirectory(prefix="glocalx-") as folder:
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
    return _work_in(path).rules(block)


@lru_cache(maxsize=1)
def _work_in(path: str) -> Extraction:
    """The work that was packed into a file; a process reads it once."""
    return unpacked(Path(path).read_bytes())
