"""How good each setting of a model is on records that its fit did not see."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import joblib
import numpy as np
import numpy.typing as npt
import pandas as pd

from glocalx.blackbox.presets import SettingsGrid
from glocalx.blackbox.threads import one_thread
from glocalx.rules.schema import Schema

FOLDS = 3
Places = npt.NDArray[np.intp]


def assigned_folds(codes: Places, seed: int) -> Places:
    """For each record its fold; the records of an outcome are spread evenly.

    Examples
    --------
    >>> folds = assigned_folds(np.array([0, 0, 0, 1, 1, 1]), seed=0)
    >>> sorted(folds[:3].tolist()), sorted(folds[3:].tolist())
    ([0, 1, 2], [0, 1, 2])
    """
    by_outcome = np.lexsort((np.random.default_rng(seed).random(len(codes)), codes))
    folds = np.empty(len(codes), dtype=np.intp)
    folds[by_outcome] = np.arange(len(codes)) % FOLDS
    return folds


def iter_scores(
    grid: SettingsGrid,
    frame: pd.DataFrame,
    codes: Places,
    folds: Places,
    schema: Schema,
    seed: int,
    jobs: int,
) -> Iterator[float]:
    """The accuracy of each setting on each fold, in that order, as soon as it is known."""
    tasks = [(setting, folds == fold) for setting in grid.settings for fold in range(FOLDS)]
    # threads: the fits leave Python's lock, and records need no copying
    executor = ThreadPoolExecutor(joblib.effective_n_jobs(jobs))
    try:
        with one_thread():
            fits = [
                executor.submit(_score, grid, setting, frame, codes, held, schema, seed)
                for setting, held in tasks
            ]
            for fit in fits:
                yield fit.result()
    finally:
        executor.shutdown(cancel_futures=True)


def _score(
    grid: SettingsGrid,
    setting: dict[str, Any],
    frame: pd.DataFrame,
    codes: Places,
    held: npt.NDArray[np.bool_],
    schema: Schema,
    seed: int,
) -> float:
    """The accuracy on the held records of a model fitted on the others."""
    pipeline = grid.pipeline(schema.features, setting, int((~held).sum()), seed)
    with one_thread():
        pipeline.fit(frame[~held], codes[~held])
        return float(np.mean(pipeline.predict(frame[held]) == codes[held])) if held.any() else 0.0


def best_setting(scores: Sequence[float]) -> tuple[int, float]:
    """The first of the best settings, and its mean over the folds."""
    means = np.array(scores).reshape(-1, FOLDS).mean(axis=1)
    return int(means.argmax()), float(means.max())
