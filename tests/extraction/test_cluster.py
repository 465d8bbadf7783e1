"""A real scheduler and real workers, each a process of its own."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from glocalx.errors import GLocalXError
from glocalx.extraction import cluster
from glocalx.extraction.iterate import iter_local_rules
from glocalx.extraction.settings import ExtractionSettings
from tests.extraction.small_worlds import BANK, bank_box, customers, sample_world
from tests.patience import PATIENCE

ROOT = Path(__file__).resolve().parents[2]
QUICK = ExtractionSettings(neighbours=100)
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}


@contextmanager
def started(folder: Path, *arguments: str) -> Iterator[subprocess.Popen]:
    """A process of Dask, ended with the test; it may have been ended before."""
    with (folder / "log").open("a") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "dask", *arguments],
            cwd=folder,
            env=ENVIRONMENT,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        try:
            yield process
        finally:
            process.kill()
            process.wait()


def address_in(log: Path) -> str:
    """Where the scheduler listens, as it says itself."""
    for _ in range(10 * PATIENCE):
        found = re.search(r"Scheduler at:\s+(tcp://\S+)", log.read_text() if log.exists() else "")
        if found:
            return found[1]
        time.sleep(0.1)
    pytest.fail(f"The scheduler did not start: {log.read_text()}")


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A scheduler without workers; each test brings and takes away its own."""
    folder = tmp_path_factory.mktemp("scheduler")
    listening = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--no-show")
    with started(folder, "scheduler", *listening):
        yield address_in(folder / "log")


def worker(folder: Path, address: str):
    return started(folder, "worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard")


def test_a_cluster_that_is_not_there_is_said(scheduler, monkeypatch):
    monkeypatch.setattr(cluster, "_SECONDS", 1)
    options = {"background": customers(20), "settings": QUICK}
    with pytest.raises(GLocalXError, match="No Dask scheduler answers at “tcp://127"):
        list(
            iter_local_rules(customers(4), bank_box(), BANK, **options, cluster="tcp://127.0.0.1:9")
        )
    with pytest.raises(GLocalXError, match="No Dask scheduler answers at “nonsense://x”"):
        list(iter_local_rules(customers(4), bank_box(), BANK, **options, cluster="nonsense://x"))
    with pytest.raises(GLocalXError, match="has no workers"):
        list(iter_local_rules(customers(4), bank_box(), BANK, **options, cluster=scheduler))


def test_a_worker_killed_in_the_middle_costs_only_time(tmp_path, scheduler):
    world = sample_world("compas")
    options = {"background": world.background, "settings": QUICK, "block": 3}
    made = (world.frame[:60], world.box, world.schema)
    local = [rule for block in iter_local_rules(*made, **options) for rule in block.rules]
    with worker(tmp_path, scheduler) as first, worker(tmp_path, scheduler) as second:
        blocks = iter_local_rules(*made, **options, cluster=scheduler)
        found = []
        for block in blocks:
            found.extend(block.rules)
            if block.done == 9:
                first.kill()
                first.wait()
        assert second.poll() is None
    assert found == local


def test_stopping_early_leaves_the_cluster_as_it_was(tmp_path, scheduler):
    with worker(tmp_path, scheduler):
        for _ in range(2):
            blocks = iter_local_rules(
                customers(40),
                bank_box(),
                BANK,
                background=customers(200, seed=1),
                settings=QUICK,
                block=2,
                cluster=scheduler,
            )
            assert next(blocks).done == 2
            blocks.close()


def test_without_dask_the_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    made = iter_local_rules(
        customers(4),
        bank_box(),
        BANK,
        background=customers(20),
        settings=QUICK,
        cluster="tcp://x:1",
    )
    with pytest.raises(GLocalXError, match="needs the package “distributed”"):
        list(made)
