"""Black boxes that are trained here: a grid search with 3-fold cross-validation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from sklearn.pipeline import Pipeline

from glocalx.blackbox.base import Labels, Probabilities, Target
from glocalx.blackbox.columns import require_columns
from glocalx.blackbox.confusion import Confusion, confusion
from glocalx.blackbox.cross_validation import best_setting, iter_scores
from glocalx.blackbox.presets import (
    MODEL_KINDS,
    MODEL_NAMES,
    PRESETS,
    ModelKind,
    Preset,
    Recipe,
    recipe,
)
from glocalx.blackbox.threads import one_thread
from glocalx.blackbox.training_rows import (
    FOLDS,
    Codes,
    assigned_folds,
    outcome_codes,
    sampled_rows,
)
from glocalx.errors import GLocalXError
from glocalx.rules.schema import Schema
from glocalx.words.phrases import listing


@dataclass(frozen=True, slots=True, eq=False)
class TrainedBlackBox:
    """A model that was trained here.

    Parameters
    ----------
    cross_validated_accuracy
        Mean accuracy of the chosen settings on the three folds that each fit did not see.
    parameters
        The settings that were chosen.
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

    def labels(self, frame: pd.DataFrame) -> Labels:
        require_columns(frame, self.columns, self.name)
        if not len(frame):
            return np.empty(0, dtype=object)
        with one_thread():
            codes: Codes = self.pipeline.predict(frame)
        return np.array(self.outcomes, dtype=object)[codes]

    def probabilities(self, frame: pd.DataFrame) -> Probabilities | None:
        require_columns(frame, self.columns, self.name)
        if not hasattr(self.pipeline, "predict_proba"):
            return None
        if not len(frame):
            return np.empty((0, len(self.outcomes)))
        with one_thread():
            return np.asarray(self.pipeline.predict_proba(frame), dtype=np.float64)

    def confusion(self, frame: pd.DataFrame, target: Target) -> Confusion:
        """How the answers compare with the true labels."""
        return confusion(self, frame, target)


@dataclass(frozen=True, slots=True)
class TrainingProgress:
    """How far a training is: `done` of `total` fits, and the best settings so far.

    `box` is None until the last step, which carries the trained black box.
    """

    done: int
    total: int
    best_accuracy: float | None = None
    best_parameters: dict[str, Any] | None = None
    box: TrainedBlackBox | None = None


def train(
    kind: ModelKind,
    frame: pd.DataFrame,
    target: Target,
    schema: Schema,
    *,
    preset: Preset = "quick",
    seed: int = 0,
    jobs: int = 1,
) -> TrainedBlackBox:
    """Train a black box; see :func:`iter_training` for the parameters."""
    steps = list(iter_training(kind, frame, target, schema, preset=preset, seed=seed, jobs=jobs))
    box = steps[-1].box
    assert box is not None  # the last step carries it
    return box


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
        Clean records and their true labels.
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
    chosen = _recipe(kind, preset)
    outcomes, codes = outcome_codes(frame, target, schema)
    rows, notes = _sampled(codes, chosen, seed)
    frame, codes = frame.iloc[rows], codes[rows]
    folds = assigned_folds(codes, seed)
    total = len(chosen.settings) * FOLDS + 1
    yield TrainingProgress(0, total)
    scores: list[float] = []
    for score in iter_scores(chosen, frame, codes, folds, schema, seed, jobs):
        scores.append(score)
        best, accuracy = best_setting(scores)
        yield TrainingProgress(len(scores), total, accuracy, dict(chosen.settings[best]))
    best, accuracy = best_setting(scores)
    assert accuracy is not None  # every setting was tried
    pipeline = chosen.pipeline(schema.features, chosen.settings[best], len(frame), seed)
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
        parameters=dict(chosen.settings[best]),
        trained_on=len(frame),
        notes=(*notes, *_encoding_notes(pipeline)),
    )
    yield TrainingProgress(total, total, accuracy, box.parameters, box)


def _recipe(kind: str, preset: str) -> Recipe:
    if kind not in MODEL_KINDS:
        raise GLocalXError(f"There is no model “{kind}”. Use one of {listing(MODEL_KINDS)}.")
    if preset not in PRESETS:
        raise GLocalXError(f"There is no preset “{preset}”. Use one of {listing(PRESETS)}.")
    return recipe(kind, preset)


def _sampled(codes: Codes, chosen: Recipe, seed: int) -> tuple[Codes, tuple[str, ...]]:
    """The records to train on, and a sentence if those are not all."""
    if chosen.most_rows is None or len(codes) <= chosen.most_rows:
        return np.arange(len(codes)), ()
    rows = sampled_rows(codes, chosen.most_rows, seed)
    note = (
        f"An exact {MODEL_NAMES[chosen.kind]} takes very long on {len(codes):,} records: it was "
        f"trained on {len(rows):,} of them, drawn in proportion to the outcomes."
    )
    return rows, (note,)


def _encoding_notes(pipeline: Pipeline) -> tuple[str, ...]:
    encoder = pipeline.named_steps["encoder"]
    return tuple(
        f"“{name}” has many categories: the {encoder.most_categories:,} most frequent ones were "
        f"used, {dropped:,} rare ones were treated as unknown."
        for name, dropped in encoder.dropped_.items()
    )
