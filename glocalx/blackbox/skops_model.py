"""skops files: estimators of scikit-learn and its kin, without pickles.

The types in a file are shown, a person consents to them, and only those on a fixed list can be
consented to. The file is read in a child process with limits, since a forged tree can crash
whoever asks it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

import numpy.typing as npt
import pandas as pd

from glocalx.blackbox.base import AskedBlackBox, checked_outcomes
from glocalx.blackbox.columns import OpenColumnsError, SaidColumns
from glocalx.confined.handed_file import ConfinedError, ConfinedFile, HandedFile, read_confined
from glocalx.confined.wire import Arrays, Texts, plain_array
from glocalx.errors import GLocalXError
from glocalx.file_bytes import opened_zip
from glocalx.rules.codes import Coded
from glocalx.rules.schema import Schema
from glocalx.words.phrases import listing

_LOADERS = "glocalx.blackbox.skops_loader"
MOST_EXPANDED = 1024 * 2**20
MOST_RATIO = 200
MOST_MEMBERS = 50_000

CONSENTABLE = frozenset(
    {
        "collections.OrderedDict",
        "lightgbm.basic.Booster",
        "lightgbm.sklearn.LGBMClassifier",
        "lightgbm.sklearn.LGBMRegressor",
        "numpy.dtype",
        "scipy.interpolate._bsplines.BSpline",
        "sklearn.calibration._CalibratedClassifier",
        "sklearn.calibration._SigmoidCalibration",
        "sklearn.compose._column_transformer._RemainderColsList",
        "sklearn.ensemble._hist_gradient_boosting.predictor.TreePredictor",
        "sklearn.feature_selection._univariate_selection.chi2",
        "sklearn.feature_selection._univariate_selection.f_classif",
        "sklearn.gaussian_process._gpc._BinaryGaussianProcessClassifierLaplace",
        "sklearn.gaussian_process.kernels.ConstantKernel",
        "sklearn.gaussian_process.kernels.Product",
        "sklearn.gaussian_process.kernels.RBF",
        "sklearn.metrics._dist_metrics.EuclideanDistance64",
        "sklearn.metrics._dist_metrics.ManhattanDistance64",
        "sklearn.metrics._dist_metrics.MinkowskiDistance64",
        "sklearn.multiclass._ConstantPredictor",
        "sklearn.neighbors._ball_tree.BallTree",
        "sklearn.neighbors._kd_tree.KDTree",
        "sklearn.neural_network._stochastic_optimizers.AdamOptimizer",
        "sklearn.neural_network._stochastic_optimizers.SGDOptimizer",
        "sklearn.tree._tree.Tree",
        "sklearn.utils._bunch.Bunch",
        "xgboost.core.Booster",
        "xgboost.sklearn.XGBClassifier",
        "xgboost.sklearn.XGBRegressor",
    }
)


def inspect_skops(data: bytes, name: str = "model.skops") -> list[str]:
    """The types in the file that need consent, sorted; nothing of the file is run.

    Raises
    ------
    GLocalXError
        Where the file is not a whole skops file, is built to fill the memory, or holds a type
        that nobody can consent to.
    """
    check_archive(data, name)
    told = read_confined(HandedFile(name, f"{_LOADERS}:list_types", data, {}))
    types = [str(found) for found in told.header["about"]["types"]]
    refuse_types(types, types, name)
    return types


def open_skops(
    data: bytes,
    schema: Schema,
    trusted: Sequence[str],
    *,
    name: str = "model.skops",
    **said: Unpack[SaidColumns],
) -> SkopsBlackBox:
    """Open a skops file with the types that a person has consented to.

    Parameters
    ----------
    data
        The file.
    schema
        The table; the columns of the model are matched with it.
    trusted
        The types that were consented to, out of :func:`inspect_skops`.
    said
        About its columns; see :class:`SaidColumns`.
    """
    columns, renamed = said.get("columns"), said.get("renamed")
    barred = sorted(set(trusted) - CONSENTABLE)
    if barred:
        raise GLocalXError(
            f"Nobody can consent to {listing(barred)}: only types on a fixed list can be trusted."
        )
    check_archive(data, name)
    options = {
        "trusted": sorted(trusted),
        "schema": schema.to_dict(),
        "columns": None if columns is None else list(columns),
        "renamed": dict(renamed or {}),
        "name": name,
    }
    return SkopsBlackBox(ConfinedFile(HandedFile(name, f"{_LOADERS}:load_skops", data, options)))


def refuse_types(found: Sequence[str], trusted: Sequence[str], name: str) -> None:
    """Refuse types that nobody can consent to, and those that nobody has consented to."""
    barred = [each for each in found if each not in CONSENTABLE]
    if barred:
        raise GLocalXError(
            f"The file “{name}” holds {listing(barred)}, which cannot be trusted: it could do "
            "anything on this machine. Save the model without it, or export it to ONNX."
        )
    asked = [each for each in found if each not in trusted]
    if asked:
        raise GLocalXError(
            f"The file “{name}” holds types that need your consent: {listing(asked, most=20)}. "
            "Consent to them if you trust whoever made the file."
        )


class SkopsBlackBox(AskedBlackBox):
    """An estimator in a child process."""

    def __init__(self, worker: ConfinedFile) -> None:
        try:
            about = worker.start()
        except ConfinedError as error:
            asked = error.carried
            raise OpenColumnsError(str(error), **asked) if asked else error from None
        self._worker = worker
        self.name = worker.file.name
        self.outcomes = checked_outcomes(map(str, about["outcomes"]), self.name)
        self.columns = tuple(map(str, about["columns"]))
        self.notes = tuple(map(str, about["notes"]))
        self._gives_probabilities = bool(about["probabilities"])

    @property
    def _has_probabilities(self) -> bool:
        return self._gives_probabilities

    def _ask_labels(self, frame: pd.DataFrame) -> npt.NDArray[Any]:
        return self._ask("labels", frame)

    def _ask_probabilities(self, frame: pd.DataFrame) -> npt.NDArray[Any]:
        return self._ask("probabilities", frame)

    def _ask(self, what: str, frame: pd.DataFrame) -> npt.NDArray[Any]:
        answer = self._worker.ask(what, sent_columns(frame, self.columns))[what]
        return plain_array(answer)

    def close(self) -> None:
        """End the child process; the next question starts it again."""
        self._worker.close()


def sent_columns(frame: pd.DataFrame, columns: Sequence[str]) -> Arrays:
    """The columns as they go to a child process: numbers as they are, texts as codes."""
    return {name: _sent(frame[name]) for name in columns}


def _sent(column: pd.Series[Any]) -> npt.NDArray[Any] | Texts:
    if pd.api.types.is_numeric_dtype(column):
        return column.to_numpy()
    coded = Coded.of(column)
    return Texts(coded.codes, coded.texts)


def check_archive(data: bytes, name: str) -> None:
    """Refuse what is not a whole zip file with a skops schema, or would expand without end."""
    broken = (
        f"The file “{name}” is not a whole skops file: it may be cut off. Save or copy it again."
    )
    with opened_zip(data, broken) as archive:
        members = archive.infolist()
    expanded = sum(member.file_size for member in members)
    if expanded > MOST_EXPANDED or expanded > MOST_RATIO * max(len(data), 2**20):
        raise GLocalXError(
            f"The file “{name}” has {len(data):,} bytes and would expand to {expanded:,}: it was "
            "not opened, since it may be built to fill the memory. Use a smaller model."
        )
    if len(members) > MOST_MEMBERS or len({member.filename for member in members}) < len(members):
        raise GLocalXError(
            f"The file “{name}” has {len(members):,} parts, too many or some twice: it was not "
            "opened. Save the model again with skops."
        )
    if "schema.json" not in {member.filename for member in members}:
        raise GLocalXError(
            f"The file “{name}” is a zip file without a skops schema. Save the model with skops."
        )
