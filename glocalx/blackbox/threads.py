"""Numeric libraries kept to one thread while a model is fitted or asked.

Their threads wait for each other without sleeping: on two busy cores a fit of gradient boosting
took 78 seconds instead of 2. And sums in another order differ in the last digit, so a result
would depend on the number of cores. Folds, and blocks of records, are what runs in parallel.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from functools import cache

from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]


def one_thread() -> AbstractContextManager[object]:
    """One thread for OpenMP in this thread, and for BLAS in the whole process, until the end.

    BLAS has one number for the process: of several users at once the first decides when it is
    put back.
    """
    limit: AbstractContextManager[object] = _controller().limit(limits=1)
    return limit


@cache
def _controller() -> ThreadpoolController:
    return ThreadpoolController()
