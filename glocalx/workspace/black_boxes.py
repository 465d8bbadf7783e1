"""The black box of a run: made once, kept in the run's folder, opened again when it is asked.

A model that was trained here is kept as a skops file with a fixed list of types. It never leaves
the workspace: a run that came from elsewhere trains its model again, which gives the same one.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import skops.io

from glocalx.blackbox.base import BlackBox
from glocalx.blackbox.check import check_black_box
from glocalx.blackbox.opening import open_model
from glocalx.blackbox.predictions import StandIn
from glocalx.blackbox.trained import TrainedBlackBox, TrainingProgress, iter_training
from glocalx.errors import GLocalXError
from glocalx.pipeline.settings import BoxSettings
from glocalx.workspace.opening import Shared
from glocalx.workspace.run import TRAINED, Run

OWN_TYPES = [
    "builtins.frozenset",
    "glocalx.blackbox.frame_encoder.FrameEncoder",
    "glocalx.blackbox.presets.FixedEpochsNetwork",
    "glocalx.rules.schema.Feature",
    "glocalx.words.spoken.Spoken",
    "sklearn.ensemble._hist_gradient_boosting.predictor.TreePredictor",
    "sklearn.neural_network._stochastic_optimizers.AdamOptimizer",
    "sklearn.tree._tree.Tree",
]


def iter_making(
    box: BoxSettings, shared: Shared, folder: Path, jobs: int
) -> Iterator[TrainingProgress | BlackBox]:
    """The steps of making a black box, and at last the black box."""
    table, parts = shared.table, shared.parts
    if box.source == "train":
        target = table.target[parts.train]
        steps = iter_training(
            box.kind,
            shared.train,
            target,
            table.schema(),
            preset=box.preset,
            seed=parts.seed,
            jobs=jobs,
        )
        for step in steps:
            yield step
            if step.box is not None:
                yield step.box
    elif box.source == "predictions":
        if table.predictions is None:
            raise GLocalXError(
                "No column holds the predictions. Give one the role “predictions”, or train a "
                "black box here."
            )
        answers = table.predictions
        schema = table.schema(answers)
        yield StandIn.fit(shared.train, answers[parts.train], schema, parts.seed, jobs)
    else:
        model = _opened_model(box, shared, folder)
        check_black_box(model, shared.explain, table.target[parts.explain])
        yield model


def keep_trained(black_box: BlackBox, folder: Path) -> dict[str, Any]:
    """Save what was fitted here; the facts that are needed to open it again."""
    model = black_box.model if isinstance(black_box, StandIn) else black_box
    if not isinstance(model, TrainedBlackBox):
        return {}
    beside = folder / f".{TRAINED}"
    skops.io.dump(model.pipeline, beside)
    beside.replace(folder / TRAINED)
    facts: dict[str, Any] = {
        "outcomes": list(model.outcomes),
        "columns": list(model.columns),
        "cross_validated_accuracy": model.cross_validated_accuracy,
        "parameters": model.parameters,
        "trained_on": model.trained_on,
        "notes": list(model.notes),
    }
    if isinstance(black_box, StandIn):
        facts |= {"agreement": black_box.agreement, "judged": black_box.judged}
    return facts


def open_black_box(run: Run, shared: Shared, facts: dict[str, Any]) -> BlackBox:
    """The black box of a run, to be asked.

    Parameters
    ----------
    facts
        As the model stage wrote them.

    Raises
    ------
    GLocalXError
        Where the model that was trained is not in this workspace; see :attr:`Run.has_black_box`.
    """
    if run.settings.box.source == "model":
        return _opened_model(run.settings.box, shared, run.folder)
    if not run.has_black_box:
        raise GLocalXError("The black box of this run is not here. Train it again.")
    trained = facts["trained"]
    model = TrainedBlackBox(
        name=facts["name"],
        outcomes=tuple(trained["outcomes"]),
        pipeline=skops.io.load(run.folder / TRAINED, trusted=OWN_TYPES),
        columns=tuple(trained["columns"]),
        cross_validated_accuracy=trained["cross_validated_accuracy"],
        parameters=trained["parameters"],
        trained_on=trained["trained_on"],
        notes=tuple(trained["notes"]),
    )
    if run.settings.box.source == "predictions":
        return StandIn(model, trained["agreement"], trained["judged"])
    return model


def _opened_model(box: BoxSettings, shared: Shared, folder: Path) -> BlackBox:
    if box.file is None:
        raise GLocalXError("No model file is chosen. Upload one, or train a black box here.")
    try:
        data = (folder / box.file).read_bytes()
    except OSError:
        raise GLocalXError(
            f"The model “{box.name}” is no longer in the workspace. Bring it again."
        ) from None
    return open_model(
        box.name,
        data,
        shared.table.schema(),
        trusted=box.trusted,
        columns=box.columns,
        outcomes=box.outcomes,
        sample=shared.train,
    )
