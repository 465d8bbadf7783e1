"""The model that was trained for a run, kept in its folder to be asked again.

It is a skops file with a fixed list of types, and never leaves the workspace: a run that came from
elsewhere trains its model again, which gives the same one.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import skops.io

from glocalx.blackbox.base import BlackBox
from glocalx.blackbox.predictions import StandIn
from glocalx.blackbox.trained import TrainedBlackBox
from glocalx.errors import GLocalXError
from glocalx.file_bytes import beside
from glocalx.pipeline.asking import nearest_record, open_brought
from glocalx.pipeline.tables import LabelledTable
from glocalx.workspace.run import TRAINED, Run

_FACTS = (
    *("outcomes", "columns", "cross_validated_accuracy"),
    *("parameters", "trained_on", "notes"),
)
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


def keep_trained(black_box: BlackBox, folder: Path) -> dict[str, Any]:
    """Save what was fitted here; the facts that are needed to open it again."""
    model = black_box.model if isinstance(black_box, StandIn) else black_box
    if not isinstance(model, TrainedBlackBox):
        return {}
    with beside(folder / TRAINED) as new:
        skops.io.dump(model.pipeline, new)
    facts = {name: getattr(model, name) for name in _FACTS}
    if isinstance(black_box, StandIn):
        facts |= {"agreement": black_box.agreement, "judged": black_box.judged}
    return facts


def open_black_box(run: Run, labelled: LabelledTable) -> BlackBox:
    """The black box of a run, to be asked.

    `labelled`: what it said when it was made, with the facts that were kept of it.

    Raises
    ------
    GLocalXError
        Where the model that was trained is not in this workspace; see :attr:`Run.has_black_box`.
    """
    if run.settings.box.source == "model":
        return open_brought(run.settings.box, labelled.split, run.folder)
    if run.settings.box.source == "labels":
        return nearest_record(labelled.split)
    if not run.has_black_box:
        raise GLocalXError("The black box of this run is not here. Train it again.")
    trained = labelled.facts["trained"]
    model = TrainedBlackBox(
        name=labelled.box_name,
        pipeline=skops.io.load(run.folder / TRAINED, trusted=OWN_TYPES),
        **{name: _as_made(trained[name]) for name in _FACTS},
    )
    if run.settings.box.source == "predictions":
        return StandIn(model, trained["agreement"], trained["judged"])
    return model


def _as_made(fact: Any) -> Any:
    return tuple(fact) if isinstance(fact, list) else fact  # JSON has lists alone
