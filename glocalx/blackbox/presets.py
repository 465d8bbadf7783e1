"""The models that can be trained here, and the settings that are tried for each."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.kernel_approximation import Nystroem
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import Pipeline
from sklearn.svm import SVC, LinearSVC

from glocalx.blackbox.frame_encoder import FrameEncoder
from glocalx.errors import GLocalXError
from glocalx.rules.schema import Feature
from glocalx.words.phrases import listing

ModelKind: TypeAlias = Literal["rf", "mlp", "svm", "gb"]
Preset: TypeAlias = Literal["quick", "paper"]
MODEL_KINDS: tuple[ModelKind, ...] = get_args(ModelKind)
PRESETS: tuple[Preset, ...] = get_args(Preset)
MODEL_NAMES: dict[str, str] = {
    "rf": "random forest",
    "mlp": "neural network",
    "svm": "support vector machine",
    "gb": "gradient boosting",
}
EXACT_SVM_ROWS = 10_000  # an exact support vector machine takes time with the square of the rows


@dataclass(frozen=True, slots=True)
class SettingsGrid:
    """One kind of model in one preset: the settings to try, and how many records at most."""

    kind: ModelKind
    preset: Preset
    settings: tuple[dict[str, Any], ...]
    most_rows: int | None = None

    def pipeline(
        self, features: tuple[Feature, ...], settings: dict[str, Any], rows: int, seed: int
    ) -> Pipeline:
        """A fresh pipeline for `rows` records: the encoding that the model needs, then it."""
        encoder = FrameEncoder(features, scale=self.kind in ("mlp", "svm"))
        steps: list[tuple[str, Any]] = [("encoder", encoder)]
        if self.kind == "svm" and self.preset == "quick":
            points = min(settings["points"], rows)
            steps.append(("kernel", Nystroem(n_components=points, random_state=seed)))
        steps.append(("model", _model(self.kind, self.preset, settings, rows, seed)))
        return Pipeline(steps)


class FixedEpochsNetwork(MLPClassifier):  # type: ignore[misc]  # sklearn has no types
    """A neural network that goes over the records `max_iter` times, no more and no fewer.

    The original stops on a held-out share, which fails when an outcome has a single record,
    and warns whenever it was stopped by the count.
    """

    def fit(self, X: npt.NDArray[Any], y: npt.NDArray[Any]) -> FixedEpochsNetwork:
        classes = np.unique(y)
        for _ in range(self.max_iter):
            self.partial_fit(X, y, classes=classes)
        return self


def settings_grid(kind: ModelKind, preset: Preset) -> SettingsGrid:
    """What `preset` means for this kind of model.

    Examples
    --------
    >>> len(settings_grid("rf", "quick").settings), len(settings_grid("rf", "paper").settings)
    (1, 12)
    """
    if kind not in MODEL_KINDS:
        raise GLocalXError(f"There is no model “{kind}”. Use one of {listing(MODEL_KINDS)}.")
    if preset not in PRESETS:
        raise GLocalXError(f"There is no preset “{preset}”. Use one of {listing(PRESETS)}.")
    grid = _GRIDS[kind][preset]
    settings = tuple(dict(zip(grid, values, strict=True)) for values in product(*grid.values()))
    exact_svm = kind == "svm" and preset == "paper"
    return SettingsGrid(kind, preset, settings, EXACT_SVM_ROWS if exact_svm else None)


_GRIDS: dict[str, dict[str, dict[str, tuple[Any, ...]]]] = {
    "rf": {
        "quick": {"n_estimators": (100,), "max_depth": (16,), "min_samples_leaf": (2,)},
        "paper": {
            "n_estimators": (100, 300),
            "max_depth": (8, 16, None),
            "min_samples_leaf": (1, 5),
        },
    },
    "mlp": {
        "quick": {"hidden_layer_sizes": ((32,),), "alpha": (1e-3,), "max_iter": (15,)},
        "paper": {
            "hidden_layer_sizes": ((64,), (128, 64), (128, 64, 32)),
            "alpha": (1e-4, 1e-2),
            "max_iter": (20, 50),
        },
    },
    "svm": {
        "quick": {"points": (200,), "C": (1.0,)},
        "paper": {"kernel": ("rbf", "linear"), "C": (0.1, 1.0, 10.0)},
    },
    "gb": {
        "quick": {"max_iter": (100,), "learning_rate": (0.1,), "max_leaf_nodes": (31,)},
        "paper": {
            "max_iter": (100, 300),
            "learning_rate": (0.03, 0.1),
            "max_leaf_nodes": (15, 31),
        },
    },
}


def _model(kind: str, preset: str, settings: dict[str, Any], rows: int, seed: int) -> Any:
    match kind, preset:
        case "rf", _:
            return RandomForestClassifier(random_state=seed, **settings)
        case "mlp", _:
            return FixedEpochsNetwork(random_state=seed, batch_size=min(128, rows), **settings)
        case "gb", _:
            return HistGradientBoostingClassifier(
                random_state=seed, early_stopping=False, **settings
            )
        case "svm", "quick":
            return LinearSVC(C=settings["C"], dual=False, tol=1e-3, random_state=seed)
        case _:
            return SVC(random_state=seed, **settings)
