"""Tables through the door: the same as parsed here, and hostile ones end in a sentence."""

import io
import time
import zipfile

import numpy as np
import openpyxl
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import feather, parquet

from glocalx.confined.wire import Message
from glocalx.errors import GLocalXError
from glocalx.table import Table, read_table
from glocalx.table.confined_table import _received, load_table
from glocalx.table.reading import parse_table

PEOPLE = pa.table(
    {
        "age": [31, 44, None],
        "day": pd.to_datetime(["2024-01-01", "2024-02-01", None]),
        "job": pa.array(["clerk", None, "chief"]).dictionary_encode(),
        "liked": [[1, 2], None, []],
        "paid": [True, False, None],
    }
)

DAY = 86_400_000  # milliseconds
H9 = 9 * 3_600  # seconds by which clocks in Tokyo are ahead


def workbook() -> bytes:
    book, held = openpyxl.Workbook(), io.BytesIO()
    for row in (["age", "job"], [31, "clerk"], [None, None], [44, "chief"]):
        book.active.append(row)
    book.create_sheet("more")
    book.save(held)
    return held.getvalue()


def written(table: pa.Table, how: str = "feather", **options: object) -> bytes:
    held = io.BytesIO()
    (parquet.write_table if how == "parquet" else feather.write_feather)(table, held, **options)
    return held.getvalue()


@pytest.mark.parametrize(
    "data",
    [
        "größe;yes\n1,5;ja\n2;nein\n".encode("cp1252"),
        workbook(),
        written(PEOPLE, "parquet"),
        written(PEOPLE),
    ],
    ids=["text", "workbook", "parquet", "feather"],
)
def test_what_comes_back_is_what_was_parsed(data):
    here, there = parse_table(data, "people"), read_table(data, "people")
    assert there.columns == here.columns
    assert there.findings == here.findings
    for name in ("name", "delimiter", "decimal_comma", "size"):
        assert getattr(there, name) == getattr(here, name), name
    assert [there.sheet_row(i) for i in range(2)] == [here.sheet_row(i) for i in range(2)]
    for name in set(here.columns) - {"liked"}:
        assert there.cells.column(name).to_pylist() == here.cells.column(name).to_pylist()
    if "liked" in here.columns:
        assert there.cells.column("liked").to_pylist() == ["[1, 2]", None, "[]"]


def arrow_file(*columns: pa.Array) -> bytes:
    held, names = io.BytesIO(), ("odd", "other", "more")
    table = pa.Table.from_arrays(
        [*columns, pa.array(["no", "yes"] * (len(columns[0]) // 2))], names[: len(columns) + 1]
    )
    with pa.ipc.new_file(held, table.schema) as file:
        file.write_table(table)
    return held.getvalue()


def repeated(texts: pa.Array) -> pa.DictionaryArray:
    return pa.DictionaryArray.from_arrays(pa.array([0, 1, 1, None]), texts)


@pytest.mark.parametrize(
    ("column", "cells"),
    [
        (repeated(pa.array([None, "x"])), [None, "x", "x", None]),
        (repeated(pa.array(["x", "x"])), ["x", "x", "x", None]),
        (repeated(pa.array([[1], [2]])), ["[1]", "[2]", "[2]", None]),
        (repeated(pa.array([7, 8])), [7, 8, 8, None]),
        (pa.array([0, 1, None, 2**31 - 1], pa.date32()), [0, 1, None, None]),
        (pa.array([0, 86_400, None, 2**62], pa.timestamp("s")), [0, 86_400, None, None]),
        (pa.array([0, 1, None, 2], pa.timestamp("s", "No/Where")), [0, 1, None, 2]),
        (pa.array([0, 1, None, 2], pa.timestamp("s", "Asia/Tokyo")), [H9, H9 + 1, None, H9 + 2]),
        (pa.array([0, DAY, None, DAY * 10**9]).view(pa.date64()), [0, DAY, None, None]),
        (pa.array([0, 1, None, 2], pa.time32("s")), ["00:00:00", "00:00:01", None, "00:00:02"]),
    ],
)  # fmt: skip
def test_odd_columns_become_plain_ones_that_pages_can_show(column, cells):
    raw = read_table(arrow_file(column), "people")
    found = raw.cells.column("odd")
    if pa.types.is_temporal(found.type):
        found = found.cast(pa.int32() if pa.types.is_date32(found.type) else pa.int64())
    assert found.to_pylist() == cells
    assert len(raw.head()) == 4
    Table.of(raw)
    lost = found.null_count - column.null_count if pa.types.is_temporal(column.type) else 0
    assert [each.sentence for each in raw.findings] == [
        "“odd” has 1 date outside the years 1 to 9999, which counts as missing."
    ][:lost]


def test_a_cell_below_the_last_row_of_a_sheet_is_not_waited_for():
    with zipfile.ZipFile(io.BytesIO(workbook())) as old:
        parts = {name: old.read(name) for name in old.namelist()}
    sheet = parts["xl/worksheets/sheet1.xml"]
    parts["xl/worksheets/sheet1.xml"] = sheet.replace(b'<row r="4"', b'<row r="4000000000000"')
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as new:
        for name, content in parts.items():
            new.writestr(name, content)
    assert "has a cell below row 1,048,576" in refused(held.getvalue())


def refused(data: bytes) -> str:
    with pytest.raises(GLocalXError) as raised:
        read_table(data, "people")
    return str(raised.value)


def test_a_text_that_begins_behind_the_end_of_its_column_ends_nobody():
    """Of 206 damaged files of 15 KB three ended the server."""
    table = pa.table({"a": [f"text {i}" for i in range(400)], "b": list(range(400))})
    data = bytearray(written(table, compression="uncompressed"))
    offsets = np.cumsum([0, *(len(f"text {i}") for i in range(400))]).astype(np.int32)
    place = bytes(data).index(offsets.tobytes())
    data[place + 40 : place + 44] = (2**30).to_bytes(4, "little")
    assert "damaged or cut off" in refused(bytes(data))


@pytest.mark.parametrize("how", ["feather", "parquet"])
def test_a_hundred_million_empty_rows_are_refused(how):
    rows = 20_000_000
    if how == "feather":
        columns = [pa.nulls(rows), pa.nulls(rows)]
        data = written(pa.Table.from_arrays(columns, names=["a", "b"]), chunksize=rows)
        assert len(data) < 1_000
    else:
        column = pa.DictionaryArray.from_arrays(pa.array(np.zeros(rows, np.int8)), ["x"])
        data = written(pa.Table.from_arrays([column, column], names=["a", "b"]), how)
    start = time.monotonic()
    assert refused(data) == (
        "“people” has 20,000,000 rows; the limit is 10,000,000. Bring fewer rows."
    )
    assert time.monotonic() - start < 5


def test_run_ends_that_unfold_without_end_are_refused():
    ends = pa.array([2_000_000_000], pa.int32())
    column = pa.RunEndEncodedArray.from_arrays(ends, pa.array(["a long text " * 20]))
    held = io.BytesIO()
    table = pa.Table.from_arrays([column, column], names=["a", "b"])
    with pa.ipc.new_file(held, table.schema) as file:
        file.write_table(table)
    assert len(held.getvalue()) < 2_000
    assert "rows; the limit is 10,000,000" in refused(held.getvalue())


def test_a_long_text_in_many_cells_of_a_small_workbook_is_refused():
    row = b'<row><c t="s"><v>0</v></c><c t="s"><v>1</v></c></row>'
    space = b'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    sheet = b"<worksheet %s><sheetData>%s</sheetData></worksheet>" % (space, row * 1_000)
    texts = b"<sst %s><si><t>%s</t></si><si><t>y</t></si></sst>" % (space, b"x" * 600_000)
    shared = (
        b'<Override PartName="/xl/sharedStrings.xml" ContentType="application/vnd.openxmlformats-'
        b'officedocument.spreadsheetml.sharedStrings+xml"/></Types>'
    )
    parts = {"xl/worksheets/sheet1.xml": sheet, "xl/sharedStrings.xml": texts}
    packed = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(workbook())) as old,
        zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for name in dict.fromkeys((*old.namelist(), *parts)):
            content = parts.get(name) or old.read(name)
            new.writestr(name, content.replace(b"</Types>", shared))
    assert len(packed.getvalue()) < 10_000
    assert "once unpacked; the limit is 0.3 GB" in refused(packed.getvalue())


@pytest.mark.parametrize(
    "change",
    [
        {"findings": 7},
        {"cells": np.zeros(10, np.uint8)},
        {"cells": None},
        {"sheet_rows": np.zeros(99, np.int64)},
    ],
)
def test_what_a_forged_child_says_is_no_table(change):
    loaded = load_table(b"a,b\n1,x\n2,y\n", {"name": "n", "sheet": None})
    about, arrays = dict(loaded.about), dict(loaded.arrays)
    assert _received(Message({"about": about}, arrays), "n").size == 2
    for name, value in change.items():
        (arrays if name in ("cells", "sheet_rows") else about)[name] = value
    with pytest.raises((ValueError, TypeError, KeyError, pa.ArrowException, GLocalXError)):
        _received(Message({"about": about}, arrays), "n")


@pytest.mark.parametrize("how", ["csv", "parquet"])
def test_characters_that_turn_text_round_are_removed_and_that_is_said(how):
    column, cell = "in\u202ecome", "\u2066lo\u202ew"
    table = pa.table({column: [cell, "high"], "b": ["1", "2"]})
    data = f"{column},b\n{cell},1\nhigh,2\n".encode() if how == "csv" else written(table, how)
    raw = read_table(data, "people")
    assert raw.columns == ("income", "b")
    assert raw.cells.column("income").to_pylist() == ["low", "high"]
    assert [each.sentence for each in raw.findings if each.topic == "direction"] == [
        "Invisible characters that turn the direction of text were removed from “income”."
    ]
