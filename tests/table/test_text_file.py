import time

import pytest

from glocalx.errors import GLocalXError
from glocalx.table import RawTable
from glocalx.table.reading import parse_table


def complaint(data: bytes) -> str:
    with pytest.raises(GLocalXError) as raised:
        parse_table(data, "people.csv")
    return str(raised.value)


def cells(raw: RawTable) -> dict[str, list[str]]:
    return raw.cells.to_pydict()


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_delimiter_and_line_end(delimiter: str, end: str) -> None:
    rows = [["a", "b b", "c"], ["1", "x", ""], ["2", "y", "z"]]
    text = end.join(delimiter.join(row) for row in rows) + end
    raw = parse_table(text.encode())
    assert cells(raw) == {"a": ["1", "2"], "b b": ["x", "y"], "c": ["", "z"]}
    assert raw.delimiter == delimiter


def test_cells_come_exactly_as_they_are() -> None:
    raw = parse_table(b'a,b\n 007 ,"x ""y"", z"\nNA,"two\nlines"\n')
    assert cells(raw) == {"a": [" 007 ", "NA"], "b": ['x "y", z', "two\nlines"]}


def test_a_last_line_without_end() -> None:
    assert cells(parse_table(b"a,b\n1,2")) == {"a": ["1"], "b": ["2"]}


def test_excels_own_first_line_names_the_delimiter() -> None:
    raw = parse_table(b"sep=;\r\na;b\r\n1,5;2\r\n")
    assert cells(raw) == {"a": ["1,5"], "b": ["2"]}


def test_commas_inside_a_semicolon_file() -> None:
    raw = parse_table(b"name;amount, EUR\nx;3,5\ny;4,5\n")
    assert raw.delimiter == ";"
    assert raw.decimal_comma


@pytest.mark.parametrize(
    ("extra", "sentence"),
    [
        ("9,9,9", "Row 218 has 3 values, the header has 2. Check for a stray comma."),
        (
            "9",
            "Row 218 has 1 value, the header has 2. "
            "Check for a missing comma or a line break inside a cell.",
        ),
    ],
)
def test_a_ragged_row_is_named_as_in_a_spreadsheet(extra: str, sentence: str) -> None:
    rows = ["a,b", *['"1\n2",2'] * 216, extra, *["1,2"] * 50]
    assert complaint("\n".join(rows).encode()) == sentence


def test_blank_lines_count_as_rows() -> None:
    assert complaint(b"\n\na,b\n1,2\n\n3,4,5\n").startswith("Row 6 has 3 values")
    raw = parse_table(b"a,b\n1,2\n\n3,4\n")
    assert [raw.sheet_row(place) for place in range(2)] == [2, 4]
    assert [parse_table(b"\na,b\n1,2\n").sheet_row(0)] == [3]


def test_blank_lines_at_the_end_do_not_matter() -> None:
    raw = parse_table(b"a,b\n1,2\n\n\n")
    assert raw.size == 1
    assert raw.sheet_rows is None


def test_a_file_that_was_cut_off() -> None:
    assert complaint(b"a,b,c\n1,2,3\n4,5") == (
        "Row 3 has 2 values, the header has 3. It is the last row: the file may have been cut off."
    )


def test_a_quotation_mark_that_is_never_closed() -> None:
    small = b'a,b\n1,2\n"3,4\n' + b"5,6\n" * 9
    assert complaint(small) == (
        "Row 3 has 1 value, the header has 2. "
        "Check for a quotation mark that is opened and never closed."
    )
    large = b'a,b\n1,2\n"3,4\n' + b"5,6\n" * 9_000_000
    assert "Row 3 of “people.csv” holds a cell of more than 131,072" in complaint(large)


def test_one_column() -> None:
    assert complaint(b"age\n31\n44\n") == (
        "“people.csv” has one column only, “age”. A table needs at least two, separated by "
        "commas, semicolons, tabs or pipes."
    )


def test_ten_thousand_columns() -> None:
    header = ",".join(f"c{place}" for place in range(10_000))
    row = ",".join("1" * 10_000)
    assert complaint(f"{header}\n{row}\n".encode()) == (
        "“people.csv” has 10,000 columns; the limit is 2,000. Keep the columns that matter."
    )


def test_two_thousand_columns_are_read() -> None:
    header = ";".join(f"c{place}" for place in range(2_000))
    row = ";".join(["1"] * 2_000)
    assert len(parse_table(f"{header}\n{row}\n".encode()).columns) == 2_000


def test_duplicate_headers_are_named() -> None:
    assert complaint(b"age,job, age\n1,2,3\n") == (
        "Two columns of “people.csv” are called “age”: columns 1 and 3. Rename one of them."
    )


def test_empty_headers_are_named() -> None:
    assert complaint(b"age,,job,\n1,2,3,4\n") == (
        "Column 2 of “people.csv” has no name in the header (and 1 more). "
        "Name every column in the first row."
    )


def test_a_header_without_rows() -> None:
    expected = "“people.csv” has a header and no rows. Bring a table with records."
    assert complaint(b"a,b\n") == expected
    assert complaint(b"a,b") == expected


def test_a_header_of_numbers_is_doubted() -> None:
    (finding,) = parse_table(b"39,77516,clerk\n50,83311,chief\n").findings
    assert finding.topic == "header"
    assert "If the file has no header" in finding.sentence


def test_200_000_rows_are_quick() -> None:
    data = b"a,b,c,d\n" + b"1234,clerk,0.123456,2020-01-01\n" * 200_000
    start = time.process_time()
    assert parse_table(data).size == 200_000
    assert time.process_time() - start < 3


def test_a_ragged_row_far_down_is_quick_to_find() -> None:
    data = b"a,b,c\n" + b"1,2,3\n" * 200_000 + b"1,2,3,4\n1,2,3\n"
    start = time.process_time()
    assert complaint(data).startswith("Row 200,002 has 4 values")
    assert time.process_time() - start < 3
