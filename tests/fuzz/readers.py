"""Each kind of file that a person can bring: a whole one, and the door it comes in by."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import openpyxl
import pyarrow as pa
import skops.io
from onnx import TensorProto, helper
from pyarrow import feather, parquet
from sklearn.tree import DecisionTreeClassifier

from glocalx.blackbox.model_file import open_model
from glocalx.blackbox.skops_model import inspect_skops
from glocalx.extraction.settings import ExtractionSettings
from glocalx.files.confined_rules import read_brought
from glocalx.pipeline.settings import BoxSettings, DataSettings, RuleSettings, RunSettings
from glocalx.rules.schema import Schema
from glocalx.table import Table, read_table
from glocalx.workspace.exchange import export_run, import_run
from glocalx.workspace.opened_run import OpenedRun
from glocalx.workspace.store import Workspace
from tests.blackbox.model_files import graph_model, people, schema_of

FRAME, TARGET = people(60)
NUMBERS = FRAME[["age", "amount"]]


@dataclass(frozen=True, slots=True)
class FuzzedReader:
    """A whole file, and what reads it."""

    whole: Callable[[], bytes]
    read: Callable[[bytes], object]


@cache
def table_of_all_kinds() -> pa.Table:
    held = pa.Table.from_pandas(FRAME.assign(answer=TARGET), preserve_index=False)
    job = held.column("job").combine_chunks().dictionary_encode()
    days = pa.array(range(len(held)), pa.int32())
    moments = pa.array([86_400 * day for day in range(len(held))])
    more = {
        "coded": job,
        "lists": pa.array([[1, 2]] * len(held)),
        "parts": pa.array([{"a": 1, "b": ["x"]}] * len(held)),
        "day": days.cast(pa.date32()),
        "moment": moments.cast(pa.timestamp("s")),
        "there": moments.cast(pa.timestamp("ms", tz="Europe/Rome")),
        "clock": days.cast(pa.time32("s")),
        "paid": moments.cast(pa.decimal128(22, 2)),
        "asked": pa.array([True, None] * (len(held) // 2)),
    }
    for name, column in more.items():
        held = held.append_column(name, column)
    return held


@cache
def _csv() -> bytes:
    return FRAME.assign(answer=TARGET).to_csv(index=False).encode()


@cache
def _workbook() -> bytes:
    book, held = openpyxl.Workbook(), io.BytesIO()
    book.active.append([*FRAME, "answer"])
    for row, answer in zip(FRAME[:20].itertuples(index=False), TARGET, strict=False):
        book.active.append([*row, answer])
    book.save(held)
    return held.getvalue()


@cache
def _parquet() -> bytes:
    held = io.BytesIO()
    parquet.write_table(table_of_all_kinds(), held)
    return held.getvalue()


@cache
def _feather() -> bytes:
    held = io.BytesIO()
    feather.write_feather(table_of_all_kinds(), held, compression="uncompressed")
    return held.getvalue()


@cache
def _onnx() -> bytes:
    weights = helper.make_tensor("W", TensorProto.FLOAT, [2, 2], [1.0, -1.0, 0.5, 0.0])
    nodes = [
        helper.make_node("MatMul", ["X", "W"], ["Z"]),
        helper.make_node("Softmax", ["Z"], ["Y"], axis=1),
    ]
    made: bytes = graph_model(nodes, initializer=[weights]).SerializeToString()
    return made


@cache
def _skops() -> bytes:
    return bytes(skops.io.dumps(DecisionTreeClassifier(max_depth=2).fit(NUMBERS, TARGET)))


@cache
def _rules() -> bytes:
    rule = {"if": {"age": {"from": 25, "below": 45}, "job": {"in": ["clerk"]}}, "then": "deny"}
    kind = {"format": "glocalx/rules", "version": 1, "schema": _schema().to_dict()}
    return json.dumps({**kind, "rules": [rule, rule]}).encode()


@cache
def _run() -> bytes:
    """A finished run of few records, exported."""
    data = DataSettings(file="table", name="t.csv", roles={"answer": "target"})
    settings = RunSettings(
        data,
        BoxSettings(kind="svm"),
        RuleSettings(extraction=ExtractionSettings(neighbours=60, refine=False), records=8),
    )
    with _a_workspace() as workspace:
        run = workspace.create("me", "r", settings, {"table": _csv()})
        opened = OpenedRun(run)
        for _ in opened.iter_to("merge"):
            pass
        return export_run(workspace.save(run, figures=opened.figures()))


@contextmanager
def _a_workspace() -> Iterator[Workspace]:
    """Where writing costs nothing, if there is such a place."""
    memory = Path("/dev/shm")
    with TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        yield Workspace(Path(folder))


@cache
def _schema() -> Schema:
    return schema_of(FRAME, TARGET)


@cache
def _number_schema() -> Schema:
    return schema_of(NUMBERS, TARGET)


def _read_table(data: bytes) -> object:
    raw = read_table(data, "t")
    return raw.head(), Table.of(raw)


def _read_onnx(data: bytes) -> object:
    box = open_model("m", data, _number_schema(), sample=NUMBERS)
    return box.labels(NUMBERS)


def _read_skops(data: bytes) -> object:
    box = open_model("m", data, _number_schema(), trusted=inspect_skops(data), sample=NUMBERS)
    return box.labels(NUMBERS)


def _read_run(data: bytes) -> object:
    """It is imported, and its results are opened as pages open them."""
    with _a_workspace() as workspace:
        run = import_run(workspace, "me", data)
        opened = OpenedRun(run)
        return run.figures, opened.figures() if run.done("model") else opened.split


READERS = {
    "csv": FuzzedReader(_csv, _read_table),
    "workbook": FuzzedReader(_workbook, _read_table),
    "parquet": FuzzedReader(_parquet, _read_table),
    "feather": FuzzedReader(_feather, _read_table),
    "onnx": FuzzedReader(_onnx, _read_onnx),
    "skops": FuzzedReader(_skops, _read_skops),
    "rules": FuzzedReader(_rules, lambda data: read_brought(data, "r", _schema())),
    "run": FuzzedReader(_run, _read_run),
}
