"""What must be true of a skops file before it is loaded: looked up in its schema, nothing is run.

A skops file names the types that it is made of. Estimators of scikit-learn that compute with the
numbers of a table are known here and need no consent. For a fixed list of others a person can
consent; nobody can for the rest. What their attributes say is looked at once they are loaded, see
:mod:`glocalx.blackbox.skops_loader`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from glocalx.errors import GLocalXError
from glocalx.file_bytes import opened_zip
from glocalx.words.phrases import listing

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
        "sklearn.feature_extraction._dict_vectorizer.DictVectorizer",
        "sklearn.feature_extraction._hash.FeatureHasher",
        "sklearn.feature_extraction.text.CountVectorizer",
        "sklearn.feature_extraction.text.HashingVectorizer",
        "sklearn.feature_extraction.text.TfidfTransformer",
        "sklearn.feature_extraction.text.TfidfVectorizer",
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
"""Types that a person can consent to."""

_KNOWN_ROOMS = frozenset(
    f"sklearn.{room}"
    for room in (
        *("calibration", "cluster", "compose", "cross_decomposition", "decomposition"),
        *("discriminant_analysis", "dummy", "ensemble", "feature_selection", "frozen"),
        *("gaussian_process", "impute", "isotonic", "kernel_approximation", "linear_model"),
        *("mixture", "model_selection", "multiclass", "multioutput", "naive_bayes", "neighbors"),
        *("neural_network", "pipeline", "preprocessing", "random_projection", "semi_supervised"),
        *("svm", "tree", "kernel_ridge", "_loss"),
    )
)
_KNOWN_TYPES = {
    "builtins": {"bool", "bytes", "dict", "float", "int", "list", "set", "slice", "str", "tuple"},
    "numpy": {"ndarray", "generic", "dtype", "matrix"},
    "numpy.ma": {"MaskedArray"},
    "numpy.random": {"RandomState", "Generator"},
    "numpy.random._generator": {"Generator"},
    "numpy.random.mtrand": {"RandomState"},
    "collections": {"defaultdict"},
    "functools": set(),
}
_NUMBERS = ("bool", "complex", "float", "int", "uint", "str", "object", "datetime", "timedelta")


def check_archive(data: bytes, name: str) -> dict[str, Any]:
    """The schema of a whole skops file that does not expand without end."""
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
    with opened_zip(data, broken) as archive:
        schema = json.loads(archive.read("schema.json"))
    if not isinstance(schema, dict):
        raise GLocalXError(broken)
    return schema


def unknown_types(schema: dict[str, Any]) -> list[str]:
    """The types that need consent, sorted."""
    named = ((str(node["__module__"]), str(node["__class__"])) for node in _nodes(schema))
    return sorted({f"{module}.{kind}" for module, kind in named if not _is_known(module, kind)})


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


def _nodes(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Every object that a schema describes, however deep; without recursion, which has an end."""
    waiting: list[Any] = [schema]
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict):
            if "__class__" in part and "__module__" in part:
                yield part
            waiting.extend(part.values())
        elif isinstance(part, list):
            waiting.extend(part)


def _is_known(module: str, kind: str) -> bool:
    if module == "numpy" and kind.rstrip("_0123456789").startswith(_NUMBERS):
        return True
    if kind in _KNOWN_TYPES.get(module, ()):
        return True
    if module.startswith("scipy.sparse"):
        return kind.endswith(("_matrix", "_array"))
    return ".".join(module.split(".")[:2]) in _KNOWN_ROOMS
