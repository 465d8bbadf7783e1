import datetime
import io
import zipfile
from pathlib import Path

import openpyxl
import pytest

from glocalx.errors import GLocalXError
from glocalx.table import Table
from glocalx.table.reading import parse_table


def workbook(*sheets: list[list[object]]) -> bytes:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for number, rows in enumerate(sheets, start=1):
        sheet = book.create_sheet(f"sheet {number}")
        for row in rows:
            sheet.append(row)
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()


def complaint(data: bytes) -> str:
    with pytest.raises(GLocalXError) as raised:
        parse_table(data, "people.xlsx")
    return str(raised.value)


def rewritten(data: bytes, part: str, content: bytes) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(target, "w", 8) as new:
        for name in old.namelist():
            new.writestr(name, content if name == part else old.read(name))
    return target.getvalue()


SHEET = "xl/worksheets/sheet1.xml"
PEOPLE = [["age", "job"], [31, "clerk"], [44.5, None]]


def test_cells_are_text_as_a_person_would_type_it() -> None:
    moment = datetime.datetime(2020, 1, 2, 3, 4, 5)
    row = [1, 1.5, 2.0, True, "x ", datetime.date(2020, 1, 2), moment, 1e300]
    raw = parse_table(workbook([list("abcdefgh"), row]))
    assert [column[0] for column in raw.cells.to_pydict().values()] == [
        *("1", "1.5", "2", "TRUE", "x ", "2020-01-02", "2020-01-02 03:04:05", "1e+300"),
    ]


def test_blank_rows_are_left_out_and_counted() -> None:
    raw = parse_table(workbook([["a", "b"], [], [1, 2], [], [3, 4]]))
    assert raw.cells.to_pydict() == {"a": ["1", "3"], "b": ["2", "4"]}
    assert [raw.sheet_row(place) for place in range(2)] == [3, 5]


def test_the_first_sheet_is_read_and_that_is_said() -> None:
    data = workbook(PEOPLE, [["x", "y"], [1, 2]])
    raw = parse_table(data)
    assert raw.columns == ("age", "job")
    assert [finding.sentence for finding in raw.findings] == [
        "The workbook has 2 sheets; “sheet 1” was read."
    ]
    assert parse_table(data, sheet="sheet 2").columns == ("x", "y")
    with pytest.raises(GLocalXError, match="no sheet “sheet 3”"):
        parse_table(data, "a.xlsx", sheet="sheet 3")


def test_a_row_wider_than_the_header() -> None:
    assert complaint(workbook([["a", "b"], [1, 2], [1, 2, 3]])) == (
        "Row 3 has 3 values, the header has 2. Name every column in the first row, or clear the "
        "cells beside the table."
    )


def test_headers_are_checked() -> None:
    assert "one column only" in complaint(workbook([["a"], [1]]))
    assert "Column 2 of “people.xlsx” has no name" in complaint(workbook([["a", None, "c"], [1]]))
    assert "columns 1 and 2" in complaint(workbook([["a", "a"], [1, 2]]))
    assert "no rows" in complaint(workbook([["a", "b"]]))
    assert "2,001 columns" in complaint(workbook([[f"c{n}" for n in range(2_001)], [1]]))


def test_formulas_are_not_run(tmp_path: Path) -> None:
    marker = tmp_path / "marker"
    raw = parse_table(workbook([["a", "b"], [f"=cmd|'touch {marker}'!A0", "x"], ["'=1+1", "y"]]))
    assert raw.cells.to_pydict()["a"] == ["", "'=1+1"]  # Excel never computed the first
    assert not marker.exists()


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.999])
def test_a_file_that_was_cut_off(share: float) -> None:
    data = workbook(PEOPLE)
    assert complaint(data[: int(len(data) * share)]) == (
        "“people.xlsx” cannot be opened as an Excel workbook: it is damaged or cut off. "
        "Save it again as .xlsx or as CSV."
    )


def test_another_zip_archive() -> None:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr("people.csv", "a,b\n1,2\n")
    assert "is a zip archive, not an Excel workbook" in complaint(target.getvalue())


def test_a_zip_bomb_is_refused_before_it_is_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    data = rewritten(workbook(PEOPLE), SHEET, bytes(3_000_000))
    monkeypatch.setattr("glocalx.table.limits.MEMORY_LIMIT", 2_000_000)
    monkeypatch.setattr(zipfile.ZipFile, "open", lambda *_: pytest.fail("was unpacked"))
    assert "once unpacked; the limit is" in complaint(data)


def test_a_zip_bomb_that_lies_about_its_size() -> None:
    bomb = bytes(5_000_000)
    data = bytearray(rewritten(workbook(PEOPLE), SHEET, bomb))
    declared = len(bomb).to_bytes(4, "little")
    assert data.count(declared) == 2  # in front of the part and in the directory
    data = data.replace(declared, (100).to_bytes(4, "little"))
    assert "damaged or cut off" in complaint(bytes(data))


def test_one_long_text_in_many_cells_is_counted_each_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    data = workbook([["a", "b"], *[["x" * 10_000, 1]] * 100])
    monkeypatch.setattr("glocalx.table.limits.MEMORY_LIMIT", 500_000)
    assert "once unpacked; the limit is" in complaint(data)


def test_entities_are_not_expanded() -> None:
    laughs = (
        b'<?xml version="1.0"?><!DOCTYPE worksheet [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>'
        b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
        b'<row><c t="inlineStr"><is><t>&b;</t></is></c></row></sheetData></worksheet>'
    )
    data = rewritten(workbook(PEOPLE), SHEET, laughs)
    assert "damaged or cut off" in complaint(data)


def test_junk_inside_a_workbook() -> None:
    for part in ("xl/workbook.xml", "xl/worksheets/sheet1.xml", "xl/styles.xml"):
        assert "damaged or cut off" in complaint(rewritten(workbook(PEOPLE), part, b"<junk"))


def test_kinds_of_a_workbook() -> None:
    rows = [["n", "day", "flag", "out"]]
    rows += [[k / 2, datetime.date(2020, 1, 1 + k), k % 2 == 0, "ab"[k % 2]] for k in range(9)]
    table = Table.of(parse_table(workbook(rows)), target="out")
    assert [column.kind for column in table.columns] == [
        *("numeric", "date", "boolean", "categorical"),
    ]
    assert table.frame["day"].tolist() == list(range(18_262, 18_271))
