"""Tables and model files for the tests of black boxes, good ones and hostile ones."""

import io
import pickle
import warnings
import zipfile
from pathlib import Path

import numpy as np
import onnx
import pandas as pd
from onnx import TensorProto, helper
from sklearn.compose import ColumnTransformer
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from glocalx.rules.schema import Schema

SAMPLES = Path(__file__).resolve().parents[2] / "sample_data"


def adult() -> tuple[pd.DataFrame, np.ndarray]:
    table = pd.read_csv(SAMPLES / "adult.csv")
    table = table.fillna(table.mode().iloc[0])
    return table.drop(columns="income"), table["income"].to_numpy(dtype=object)


def people(rows: int = 300, seed: int = 0) -> tuple[pd.DataFrame, np.ndarray]:
    """A small table with numbers, whole numbers and text, and labels that depend on all three."""
    random = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "age": random.integers(18, 80, rows),
            "amount": np.round(random.gamma(2, 4000, rows), 2),
            "job": pd.Series(random.choice(["clerk", "chief", "none"], rows), dtype="str"),
        }
    )
    risk = (frame["amount"] > 8000).astype(int) + (frame["age"] < 30) + (frame["job"] == "none")
    return frame, np.where(risk >= 2, "deny", "accept").astype(object)


def pipeline(frame: pd.DataFrame, model: object, *, scale: bool = False) -> Pipeline:
    texts = [name for name in frame if not pd.api.types.is_numeric_dtype(frame[name])]
    numbers = [name for name in frame if name not in texts]
    encoder = ColumnTransformer(
        [
            ("text", OneHotEncoder(handle_unknown="ignore", sparse_output=False), texts),
            ("number", StandardScaler() if scale else "passthrough", numbers),
        ]
    )
    return make_pipeline(encoder, model)


def exported(model: Pipeline, frame: pd.DataFrame, **options: object) -> onnx.ModelProto:
    """The pipeline as ONNX, one input for each column, as its users export it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the exporters use what numpy and onnx will drop
        from skl2onnx import convert_sklearn
        from skl2onnx.common.data_types import (
            DoubleTensorType,
            FloatTensorType,
            Int64TensorType,
            StringTensorType,
        )

        _register_boosters()
        number = DoubleTensorType if options.pop("double", False) else FloatTensorType
        zipmap = options.pop("zipmap", True)
        whole = Int64TensorType if options.pop("whole", False) else number
        types = [
            (name, _onnx_type(frame[name], number, whole, StringTensorType)([None, 1]))
            for name in frame
        ]
        return convert_sklearn(
            model,
            initial_types=types,
            options={id(model[-1]): {"zipmap": zipmap}},
            target_opset={"": 18, "ai.onnx.ml": 3},
        )


def _onnx_type(column: pd.Series, number: type, whole: type, text: type) -> type:
    if not pd.api.types.is_numeric_dtype(column):
        return text
    return whole if pd.api.types.is_integer_dtype(column) else number


def _register_boosters() -> None:
    import lightgbm
    import xgboost
    from onnxmltools.convert.lightgbm.operator_converters.LightGbm import convert_lightgbm
    from onnxmltools.convert.xgboost.operator_converters.XGBoost import convert_xgboost
    from skl2onnx import update_registered_converter
    from skl2onnx.common.shape_calculator import calculate_linear_classifier_output_shapes

    options = {"nocl": [True, False], "zipmap": [True, False, "columns"]}
    for kind, alias, convert in (
        (xgboost.XGBClassifier, "Xgb", convert_xgboost),
        (lightgbm.LGBMClassifier, "Lgbm", convert_lightgbm),
    ):
        update_registered_converter(
            kind, alias, calculate_linear_classifier_output_shapes, convert, options=options
        )


def schema_of(frame: pd.DataFrame, labels: np.ndarray) -> Schema:
    return Schema.of(frame, labels)


def graph_model(
    nodes: list[onnx.NodeProto],
    inputs: list[onnx.ValueInfoProto] | None = None,
    outputs: list[onnx.ValueInfoProto] | None = None,
    initializer: list[onnx.TensorProto] | None = None,
) -> onnx.ModelProto:
    """A hand-made model; by default a matrix of two numbers in, scores of two classes out."""
    graph = helper.make_graph(
        nodes,
        "hand-made",
        inputs or [helper.make_tensor_value_info("X", TensorProto.FLOAT, [None, 2])],
        outputs or [helper.make_tensor_value_info("Y", TensorProto.FLOAT, [None, 2])],
        initializer or [],
    )
    opsets = [helper.make_opsetid("", 18), helper.make_opsetid("ai.onnx.ml", 3)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=8)


def external(name: str = "secret") -> onnx.TensorProto:
    """A tensor that asks the runtime to read a file beside the model."""
    tensor = TensorProto(name=name, data_type=TensorProto.FLOAT, dims=[2, 2])
    tensor.data_location = TensorProto.EXTERNAL
    entry = tensor.external_data.add()
    entry.key, entry.value = "location", "secret.bin"
    return tensor


def nested(inner: onnx.GraphProto, outer_condition: str = "flag") -> onnx.NodeProto:
    return helper.make_node("If", [outer_condition], ["Y"], then_branch=inner, else_branch=inner)


class Marker:
    """Unpickled, it creates a file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, ...]:
        return Path.touch, (self.path,)


def marking_pickle(path: Path, protocol: int = 4) -> bytes:
    return pickle.dumps(Marker(path), protocol=protocol)


def zip_bomb(megabytes: int = 250) -> bytes:
    """A skops file of about 1 MB that would expand to `megabytes`."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr("schema.json", "{}")
        with archive.open("0.npy", "w", force_zip64=True) as member:
            for _ in range(megabytes // 50):
                member.write(bytes(50 * 2**20))
    return stream.getvalue()
