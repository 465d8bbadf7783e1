"""Hostile and broken files: each gets its sentence, and nothing is run."""

import os
import pickle
import zlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glocalx.errors import GLocalXError
from glocalx.table import Table
from glocalx.table.confined_table import read_table
from glocalx.table.reading import parse_table


def complaint(data: bytes, name: str = "people.csv") -> str:
    with pytest.raises(GLocalXError) as raised:
        parse_table(data, name)
    return str(raised.value)


class Bomb:
    def __init__(self, marker: Path) -> None:
        self.marker = marker

    def __reduce__(self) -> tuple[object, ...]:
        return os.system, (f"touch {self.marker}",)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("name", ["table.csv", "table.xlsx", "table.parquet"])
def test_a_renamed_pickle_is_not_opened(tmp_path: Path, protocol: int, name: str) -> None:
    marker = tmp_path / "marker"
    complaint(pickle.dumps(Bomb(marker), protocol), name)
    assert not marker.exists()


def test_a_pickle_is_called_by_its_name() -> None:
    assert complaint(pickle.dumps({"a": [1]})) == (
        "“people.csv” is a Python pickle, which is a program and not a table; it was not opened. "
        "Save the table as CSV or Parquet."
    )


@pytest.mark.parametrize("data", [b"", b"   \n\n \r\n"])
def test_an_empty_file(data: bytes) -> None:
    assert complaint(data) == "“people.csv” is empty. Bring a file with a header and records."


@pytest.mark.parametrize(
    ("data", "part"),
    [
        (b"\x01\x02" + bytes(range(256)) * 50, "is not a table"),
        (b"\x01\x02\x03\x04\x05" * 50, "is not a table"),
        (b"\x89PNG\r\n\x1a\n" + bytes(100), "is not a table"),
        (b"\x7fELF" + bytes(100), "is not a table"),
        (b"a,b\n1,\x00\n", "is not a table"),
        (zlib.compress(b"a,b\n" * 99), "is not a table"),
        (b"\x1f\x8b\x08" + bytes(20), "compressed with gzip"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "old or locked Office file"),
        (b"%PDF-1.7\n", "is a PDF"),
        (b"  <!DOCTYPE html><html></html>", "is a web page"),
        (b'[{"a": 1, "b": 2}]', "is a JSON file"),
        (b"FEA1" + bytes(40), "Feather file of version 1"),
    ],
)
def test_what_is_not_a_table_is_told_what_it_is(data: bytes, part: str) -> None:
    assert part in complaint(data)


def test_a_missing_file_and_a_folder(tmp_path: Path) -> None:
    with pytest.raises(GLocalXError, match="There is no file"):
        read_table(tmp_path / "no.csv")
    with pytest.raises(GLocalXError, match="cannot be read"):
        read_table(tmp_path)


def test_a_path_gives_its_name(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_bytes(b"a,b\n1,2\n")
    assert read_table(path).name == "people.csv"


def test_a_file_above_the_limit_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("glocalx.table.limits.MEMORY_LIMIT", 10)
    path = tmp_path / "people.csv"
    path.write_bytes(b"a,b\n1,2\n3,4\n5,6\n")
    with pytest.raises(GLocalXError, match="the limit is"):
        read_table(path)


def test_formulas_and_scripts_are_plain_data(tmp_path: Path) -> None:
    marker = tmp_path / "marker"
    cell = f"=cmd|' /C touch {marker}'!A0"
    header = "<script>alert(1)</script>"
    text = f'{header},out\n"{cell}",yes\n+1+1,no\n@SUM(A1),yes\n'
    table = Table.of(parse_table(text.encode()), target="out")
    assert table.frame[header].tolist() == [cell, "+1+1", "@SUM(A1)"]
    assert not marker.exists()


CELLS = st.text(st.sampled_from("01-+.,;|\t\"'/: eéNA?infx\n\r\0−"), max_size=6)


@settings(deadline=None, max_examples=300)
@given(
    data=st.binary(max_size=60) | st.lists(CELLS, max_size=20).map(lambda c: ",".join(c).encode())
)
def test_whatever_comes_is_a_table_or_a_sentence(data: bytes) -> None:
    try:
        table = Table.of(parse_table(data))
    except GLocalXError:
        return
    assert sum(column.is_feature for column in table.columns) == len(table._frame.columns)
