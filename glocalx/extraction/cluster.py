"""The same extraction on a Dask cluster.

`dask.distributed` is an optional extra and is imported only when an address is given. The workers
need glocalx, and what the black box needs, installed.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from glocalx.errors import GLocalXError
from glocalx.extraction.extract import Extraction, packed, unpacked
from glocalx.extraction.local_rule import LocalRule

_AHEAD = 4  # blocks sent out for each thread of the cluster, so that none is idle
_SECONDS = 15  # to find the scheduler, and then for a first worker to be there


def rules_on_cluster(
    work: Extraction, blocks: list[list[int]], address: str
) -> Generator[tuple[LocalRule, ...], None, None]:
    """The rules of each block, in the order of the blocks.

    Blocks go to whichever worker is free. A worker that dies costs time only: the scheduler keeps
    the packed work and gives what the worker had to another. Drawing no further drops what is
    still waiting.
    """
    with _connected(address) as client:
        shared = client.submit(unpacked, packed(work), pure=False)
        ahead = max(2, _AHEAD * sum(client.nthreads().values()))
        waiting: deque[Any] = deque()
        for block in blocks:
            waiting.append(client.submit(Extraction.rules, shared, block, pure=False))
            if len(waiting) >= ahead:
                yield _result(waiting.popleft(), address)
        while waiting:
            yield _result(waiting.popleft(), address)


@contextmanager
def _connected(address: str) -> Iterator[Any]:
    """A client of the scheduler at this address, which has at least one worker."""
    distributed, dask = _imported("distributed"), _imported("dask")
    silent = GLocalXError(
        f"No Dask scheduler answers at “{address}”. Start one with “dask scheduler” and give its "
        "address, such as tcp://127.0.0.1:8786."
    )
    if not re.search(r":\d+$", address):
        raise silent  # the client would look for a file of this name, and hang on the way out
    # the black box is part of the task, so that any worker can be given it again
    with dask.config.set({"distributed.admin.large-graph-warning-threshold": "10GiB"}):
        try:
            client = distributed.Client(address, timeout=_SECONDS, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as reason:
            raise silent from reason
        with client:
            try:
                client.wait_for_workers(1, timeout=_SECONDS)
            except TimeoutError as reason:
                raise GLocalXError(
                    f"The Dask scheduler at “{address}” has no workers. Start some with "
                    f"“dask worker {address}”."
                ) from reason
            yield client


def _imported(module: str) -> Any:
    try:
        return import_module(module)
    except ImportError as reason:
        raise GLocalXError(
            "Work on a cluster needs the package “distributed”, which is not installed. Install "
            "it with “pip install distributed”, or work without a cluster."
        ) from reason


def _result(future: Any, address: str) -> tuple[LocalRule, ...]:
    killed = _imported("distributed").KilledWorker
    cancelled = _imported("distributed").client.FutureCancelledError
    try:
        rules: tuple[LocalRule, ...] = future.result()
    except ModuleNotFoundError as reason:
        raise GLocalXError(
            f"A worker of the cluster at “{address}” lacks the package “{reason.name}”. Install "
            "there what is installed here."
        ) from reason
    except killed as reason:
        raise GLocalXError(
            f"Several workers of the cluster at “{address}” died over the same records. Give "
            "them more memory, or work without a cluster."
        ) from reason
    except cancelled as reason:
        raise GLocalXError(
            f"The Dask scheduler at “{address}” was lost before all records were done. Start it "
            "again, and run this again."
        ) from reason
    return rules
