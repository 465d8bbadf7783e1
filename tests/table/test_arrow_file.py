import io

import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import feather, parquet

from glocalx.errors import GLocalXError
from glocalx.table import Table
from glocalx.table.arrow_file import unpacked_size
from glocalx.table.reading import parse_table

FRAME = pd.DataFrame({"age": [31, 44, 52], "job": ["clerk", "chief", "clerk"]})


def written(table: pa.Table, how: str, **options: object) -> bytes:
    target = io.BytesIO()
    (parquet.write_table if how == "parquet" else feather.write_feather)(table, target, **options)
    return target.getvalue()


def complaint(data: bytes, name: str = "people") -> str:
    with pytest.raises(GLocalXError) as raised:
        parse_table(data, name)
    return str(raised.value)


@pytest.fixture(params=["parquet", "feather"])
def how(request: pytest.FixtureRequest) -> str:
    return request.param


def test_columns_keep_their_types(how: str) -> None:
    raw = parse_table(written(pa.Table.from_pandas(FRAME), how))
    assert raw.cells.column("age").to_pylist() == [31, 44, 52]
    assert raw.cells.column("job").to_pylist() == ["clerk", "chief", "clerk"]


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.999])
def test_a_file_that_was_cut_off(how: str, share: float) -> None:
    data = written(pa.Table.from_pandas(FRAME), how)
    assert complaint(data[: int(len(data) * share)]) == (
        f"“people” cannot be opened as a {how.capitalize()} file: it is damaged or cut off. "
        "Write it again."
    )


def test_every_byte_may_be_wrong(how: str) -> None:
    data = written(pa.Table.from_pandas(FRAME), how)
    for place in range(8, len(data), 7):
        broken = data[:place] + bytes([data[place] ^ 0xFF]) + data[place + 1 :]
        try:
            parse_table(broken)
        except GLocalXError:
            continue


def test_headers_are_checked(how: str) -> None:
    assert "one column only" in complaint(written(pa.table({"a": [1]}), how))
    wide = pa.table({f"c{place}": [1] for place in range(2_001)})
    assert "2,001 columns" in complaint(written(wide, how))
    twice = pa.Table.from_arrays([pa.array([1]), pa.array([2])], names=["a", "a"])
    if how == "parquet":  # the writer of Feather refuses these itself
        assert "columns 1 and 2" in complaint(written(twice, how))
    empty = pa.table({"a": pa.array([], pa.int64()), "b": pa.array([], pa.int64())})
    assert "no rows" in complaint(written(empty, how))


def test_a_bomb_is_refused_by_what_it_declares(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    zeros = pa.table({"a": pa.nulls(2_000_000, pa.int64()).fill_null(0), "b": [0.0] * 2_000_000})
    data = written(zeros, how, compression="zstd")
    assert len(data) < 200_000
    monkeypatch.setattr("glocalx.table.limits.MEMORY_LIMIT", 20_000_000)
    monkeypatch.setattr("glocalx.table.arrow_file._counted", lambda *_: pytest.fail("unpacked"))
    assert "once unpacked; the limit is" in complaint(data)


@pytest.mark.parametrize("compression", ["zstd", "lz4", "uncompressed"])
def test_the_size_of_a_feather_file_is_known_beforehand(compression: str) -> None:
    table = pa.table({"a": list(range(10_000)), "b": ["some text"] * 10_000})
    table = table.append_column("c", table["b"].dictionary_encode())
    size = unpacked_size(pa.py_buffer(written(table, "feather", compression=compression))[8:])
    assert table.nbytes * 0.9 <= size <= table.nbytes * 1.2 + 5_000


def test_one_long_text_in_many_parquet_cells_is_kept_once() -> None:
    long = pa.DictionaryArray.from_arrays(pa.array([0] * 50_000), ["x" * 1_000_000])
    table = pa.table({"a": long, "out": ["u", "v"] * 25_000})
    raw = parse_table(written(table, "parquet", store_schema=False))
    assert raw.cells.nbytes < 50_000_000  # in full it would be 50 GB
    made = Table.of(raw, target="out")
    assert [column.role for column in made.columns] == ["ignored", "target"]
    with pytest.raises(GLocalXError, match=r"“a” would take 46\.6 GB once unpacked"):
        made.with_kind("a", "categorical")


def test_lists_and_structures_are_set_aside(how: str) -> None:
    table = pa.table(
        {
            "list": [[1, 2], [3], [4]] * 10,
            "record": [{"a": 1}, {"a": 2}, None] * 10,
            "bytes": [b"\xff\x00", b"b", None] * 10,
            "n": list(range(15)) * 2,
            "out": ["u", "v"] * 15,
        }
    )
    made = Table.of(parse_table(written(table, how)), target="out")
    roles = {column.name: column.role for column in made.columns}
    assert roles == {
        "list": "ignored",
        "record": "ignored",
        "bytes": "ignored",
        "n": "feature",
        "out": "target",
    }
