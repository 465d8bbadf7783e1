"""Black boxes that are trained here: a grid search with 3-fold cross-validation."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import joblib
import numpy as np
import numpy.typing as npt
import pandas as pd
from sklearn.pipeline import Pipeline

from glocalx.blackbox.base import (
    AskedBlackBox,
    Labels,
    Target,
    checked_outcomes,
    label_texts,
    require_columns,
)
from glocalx.blackbox.frame_encoder import FrameEncoder
from glocalx.blackbox.presets import (
    MODEL_NAMES,
    ModelKind,
    Preset,
    SettingsGrid,
    settings_grid,
)
from glocalx.blackbox.threads import one_thread
from glocalx.errors import GLocalXError
from glocalx.rules.schema import Schema
from glocalx.words.phrases import listing


@dataclass(frozen=True, slots=True, eq=False)
class TrainedBlackBox(AskedBlackBox):
    """A model that was trained here.

    Parameters
    ----------
    cross_validated_accuracy
        Mean accuracy of the chosen settings on the three folds that each fit did not see.
    trained_on
        Number of records in the final fit.
    notes
        What was sampled or left out, in sentences.
    """

    name: str
    outcomes: tuple[str, ...]
    pipeline: Pipeline
    columns: tuple[str, ...]
    cross_validated_accuracy: float
    parameters: dict[str, Any]
    trained_on: int
    notes: tuple[str, ...] = ()

    @property
    def _has_probabilities(self) -> bool:  # type: ignore[override] # as the pipeline has them
        return hasattr(self.pipeline, "predict_proba")

    def _ask_labels(self, frame: pd.DataFrame) -> Labels:
        with one_thread():
            codes: Places = self.pipeline.predict(frame)
        return np.array(self.outcomes, dtype=object)[codes]

    def _ask_probabilities(self, frame: pd.DataFrame) -> Any:
        with one_thread():
            return self.pipeline.predict_proba(frame)


@dataclass(frozen=True, slots=True)
class TrainingProgress:
    """How far a training is: `done` of `total` fits.

    `box` is None until the last step, which carries the trained black box.
    """

    done: int
    total: int
    box: TrainedBlackBox | None = None


def iter_training(
    kind: ModelKind,
    frame: pd.DataFrame,
    target: Target,
    schema: Schema,
    *,
    preset: Preset = "quick",
    seed: int = 0,
    jobs: int = 1,
) -> Iterator[TrainingProgress]:
    """Train a black box step by step.

    Parameters
    ----------
    kind
        `rf` random forest, `mlp` neural network, `svm` support vector machine, `gb` gradient
        boosting.
    frame, target
        Records and their true labels.
    schema
        The columns to train on.
    preset
        `quick`: one good setting, a support vector machine with an approximated kernel;
        `paper`: a grid of settings, the best by 3-fold cross-validation.
    seed, jobs
        The result depends on the seed, not on the number of parallel jobs.

    Yields
    ------
    TrainingProgress
        One before the first fit, one after each fit; the last one carries the black box.
    """
    grid = settings_grid(kind, preset)
    outcomes, codes = outcome_codes(frame, target, schema)
    rows, notes = _sampled(codes, grid, seed)
    frame, codes = frame.iloc[rows], codes[rows]
    folds = assigned_folds(codes, seed)
    total = len(grid.settings) * FOLDS + 1
    yield TrainingProgress(0, total)
    scores: list[float] = []
    for score in iter_scores(grid, frame, codes, folds, schema, seed, jobs):
        scores.append(score)
        yield TrainingProgress(len(scores), total)
    best, accuracy = best_setting(scores)
    pipeline = grid.pipeline(schema.features, grid.settings[best], len(frame), seed)
    if kind == "rf":
        pipeline.named_steps["model"].set_params(n_jobs=jobs)
    with one_thread():
        pipeline.fit(frame, codes)
    if kind == "rf":
        pipeline.named_steps["model"].set_params(n_jobs=1)  # extraction asks from many processes
    box = TrainedBlackBox(
        name=MODEL_NAMES[kind],
        outcomes=outcomes,
        pipeline=pipeline,
        columns=schema.names,
        cross_validated_accuracy=accuracy,
        parameters=dict(grid.settings[best]),
        trained_on=len(frame),
        notes=(*notes, *_encoding_notes(pipeline.named_steps["encoder"])),
    )
    yield TrainingProgress(total, total, box)


def train(*given: Any, **options: Any) -> TrainedBlackBox:
    """The black box of :func:`iter_training`, all at once."""
    *_, last = iter_training(*given, **options)
    assert last.box is not None  # the last step carries it
    return last.box


def outcome_codes(
    frame: pd.DataFrame, target: Target, schema: Schema
) -> tuple[tuple[str, ...], Places]:
    """The outcomes in the target, and for each record the place of its own."""
    require_columns(frame, schema.names, "to be trained")
    labels = label_texts(target, "the target")
    if len(labels) != len(frame):
        raise GLocalXError(
            f"There are {len(frame):,} records and {len(labels):,} labels. Give one label each."
        )
    if len(set(labels)) < 2:
        raise GLocalXError(
            f"All {len(frame):,} records have the same label, so there is nothing to learn. "
            "Choose a target with at least two values."
        )
    outcomes = checked_outcomes(labels, "to be trained")
    codes = np.searchsorted(np.array(outcomes, dtype=object), labels)
    counts = np.bincount(codes)
    if (counts >= 2).sum() < 2:
        rare = outcomes[int(counts.argmin())]
        raise GLocalXError(
            f"Only 1 of {len(frame):,} records has the outcome “{rare}”, too few to train on. "
            "Give at least two records of two outcomes."
        )
    return outcomes, codes


def sampled_rows(codes: Places, most: int, seed: int) -> Places:
    """About `most` rows, in proportion to the outcomes, at least two of each; in their order."""
    share = min(most / max(len(codes), 1), 1.0)
    shuffled = np.random.default_rng(seed).permutation(len(codes))
    taken = [
        rows[: max(2, math.ceil(share * len(rows)))]
        for rows in (shuffled[codes[shuffled] == code] for code in np.unique(codes))
    ]
    return np.sort(np.concatenate(taken))


def _sampled(codes: Places, grid: SettingsGrid, seed: int) -> tuple[Places, tuple[str, ...]]:
    """The records to train on, and a sentence if those are not all."""
    if grid.most_rows is None or len(codes) <= grid.most_rows:
        return np.arange(len(codes)), ()
    rows = sampled_rows(codes, grid.most_rows, seed)
    note = (
        f"An exact {MODEL_NAMES[grid.kind]} takes very long on {len(codes):,} records: it was "
        f"trained on {len(rows):,} of them, drawn in proportion to the outcomes."
    )
    return rows, (note,)


def _encoding_notes(encoder: FrameEncoder) -> Iterator[str]:
    """What became of rare categories, and what the model does where a value is missing."""
    for name, dropped in encoder.dropped_.items():
        yield (
            f"“{name}” has many categories: the {encoder.most_categories:,} most frequent ones "
            f"were used, {dropped:,} rare ones were treated as unknown."
        )
    if encoder.gaps_:
        numbers = (
            "takes the mean in place of a missing number and is told that it was missing"
            if encoder.scale
            else "sends a missing number down the branch that suited it best in training"
        )
        yield (
            f"The model was trained on missing values of {listing(encoder.gaps_)} as they are: it "
            f"{numbers}; a missing category is one more category to it."
        )


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
