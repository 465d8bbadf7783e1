"""How long a local rule takes, on this machine and with this black box: a few are written."""

from __future__ import annotations

import time

import pandas as pd

from glocalx.blackbox.base import BlackBox
from glocalx.extraction.extract import Extraction
from glocalx.extraction.settings import ExtractionSettings
from glocalx.rules.schema import Schema

_TRIED, _AT_ONCE = 60, 5  # records of the trial at most, and in one call of the black box


def seconds_per_rule(
    frame: pd.DataFrame,
    black_box: BlackBox,
    schema: Schema,
    *,
    background: pd.DataFrame,
    settings: ExtractionSettings,
    most_seconds: float = 0.3,
) -> float:
    """Seconds for each rule, in this process; what is made once for all of them is not counted.

    Parameters
    ----------
    frame, black_box, schema, background, settings
        See :class:`glocalx.extraction.extract.Extraction`; few of the records are used.
    most_seconds
        How long it is tried.
    """
    some = frame[:_TRIED]
    known = background[: settings.evidence]
    work = Extraction(some, black_box, schema, background=known, settings=settings)
    work.rules([0])
    done, begun = 0, time.perf_counter()
    while done < len(some) and time.perf_counter() - begun < most_seconds:
        done += len(work.rules(range(done, min(done + _AT_ONCE, len(some)))))
    return (time.perf_counter() - begun) / done
