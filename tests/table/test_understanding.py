import numpy as np
import pandas as pd
import pytest

from glocalx.errors import GLocalXError
from glocalx.table import raw_from_frame
from glocalx.table.kinds import ColumnKind, ReadColumn
from glocalx.table.reading import parse_table
from glocalx.table.understanding import read_column


def read(*cells: object, kind: ColumnKind | None = None, name: str = "x") -> ReadColumn:
    text = f"{name}\ty\n" + "".join(f"{cell}\t{place}\n" for place, cell in enumerate(cells))
    return read_column(parse_table(text.encode()), name, kind)


def sentences(column: ReadColumn) -> list[str]:
    return [finding.sentence for finding in column.findings]


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        (["1", "2", "NA"], "integer"),
        (["1.0", "2.0"], "integer"),
        (["1.5", "2"], "numeric"),
        (["3,5", "2,25"], "numeric"),
        (["0", "1"], "integer"),
        (["yes", "no", ""], "boolean"),
        (["TRUE", "FALSE"], "boolean"),
        (["Ja", "Nein"], "boolean"),
        (["a", "b"], "categorical"),
        (["007", "012"], "categorical"),
        (["2020-01-31", "2020-02-01", "?"], "date"),
        (["31.12.2020", "01.01.2021"], "date"),
        ([f"u{place}" for place in range(30)], "identifier"),
        ([f"this is text number {place}" for place in range(30)], "text"),
        (["long " * 20, "words " * 15], "text"),
        (list(range(1, 31)), "identifier"),
        (list(range(0, 60, 2)), "integer"),
        (["12345678901234567890", "22345678901234567890"], "numeric"),
        (["", "NA"], "categorical"),
    ],
)
def test_kinds_are_found(cells: list[object], kind: str) -> None:
    assert read(*cells).kind == kind


def test_a_different_number_in_every_record_is_an_identifier_by_its_name() -> None:
    numbers = [place * place for place in range(40)]
    assert read(*numbers, name="amount").kind == "integer"
    assert read(*numbers, name="customer_id").kind == "identifier"
    assert read(*numbers, name="CustomerNo").kind == "identifier"


def test_a_few_cells_that_are_no_numbers_are_told_with_their_row() -> None:
    column = read(*range(2, 218), "n/k", *range(3, 600), "?", "n/k", *range(300))
    assert column.kind == "integer"
    assert np.isnan(column.values[216])
    assert sentences(column) == [
        "2 of 1,115 cells of “x” are not numbers, the first “n/k” in row 218; "
        "they count as missing."
    ]


def test_many_cells_that_are_no_numbers_make_categories() -> None:
    column = read(*[1, 2, 3] * 10, *["low", "high"] * 5)
    assert column.kind == "categorical"
    assert sentences(column) == [
        "“x” holds numbers and 10 cells of other text, such as “low” in row 32, so it is "
        "categorical."
    ]


@pytest.mark.parametrize("numbers", [10, 15, 20, 25])
def test_different_codes_some_of_which_are_numbers_are_an_identifier(numbers: int) -> None:
    """A1, 2, B3: nothing to warn of, and no feature with a category for each record."""
    column = read(*(place if place < numbers else f"A{place}" for place in range(30)))
    assert column.kind == "identifier"
    assert sentences(column) == []


@pytest.mark.parametrize(
    ("delimiter", "day"), [(";", "2020-03-02"), (",", "2020-02-03"), ("\t", "2020-02-03")]
)
def test_files_with_semicolons_write_the_day_first(delimiter: str, day: str) -> None:
    text = f"paid{delimiter}y\n02/03/2020{delimiter}1\n05/06/2021{delimiter}2\n"
    column = read_column(parse_table(text.encode()), "paid", None)
    assert column.kind == "date"
    assert column.values[0] == (pd.Timestamp(day) - pd.Timestamp(0)).days
    (told,) = sentences(column)
    assert "could begin with the day or the month" in told


def test_infinite_values_are_missing_and_told() -> None:
    column = read("1", "inf", "-Infinity", "1e999")
    assert column.values[0] == 1
    assert np.isnan(column.values[1:]).all()
    assert sentences(column) == ["“x” has 3 infinite values, which count as missing."]


def test_unusual_numbers_are_told() -> None:
    assert sentences(read("3,5", "2")) == ["“x” writes numbers as in “3,5”, which is read as 3.5."]
    assert sentences(read("1,234", "22")) == [
        "“x” writes numbers as in “1,234”, which is read as 1.234."
    ]
    text = b'x,y\n"1,234",2\n5,6\n'
    assert sentences(read_column(parse_table(text), "x")) == [
        "“x” writes numbers as in “1,234”, which is read as 1234."
    ]


def test_open_dates_and_times_are_told() -> None:
    (sentence,) = sentences(read("02/03/2020", "04/03/2020"))
    assert "could begin with the day or the month; they are read as month/day/year" in sentence
    assert sentences(read("2020-01-01 00:00", "2020-01-02 13:00")) == [
        "The time of day in “x” is left out; dates count in days."
    ]
    assert sentences(read("2020-01-01 00:00", "2020-01-02 00:00:00")) == []


def test_spelling_is_told_and_not_changed() -> None:
    column = read("Male", "male", " female", "male")
    assert column.categories == ("Male", "female", "male")
    assert sentences(column) == [
        "1 cell of “x” had spaces around the text, which were removed.",
        "“x” has “Male” and “male”, which differ only in capitals; they stay two categories.",
    ]


def test_kinds_can_be_corrected() -> None:
    assert read("1", "2", kind="categorical").categories == ("1", "2")
    assert read("1", "2", kind="boolean").kind == "boolean"
    assert read("1", "2", kind="numeric").kind == "numeric"
    assert read("007", "012", kind="integer").values.tolist() == [7, 12]
    assert read(*[f"u{place}" for place in range(30)], kind="categorical").kind == "categorical"


@pytest.mark.parametrize(
    ("cells", "kind", "part"),
    [
        (["a", "b", "1"], "numeric", "cannot be read as numbers: 2 of its 3 cells are none"),
        (["a", "b"], "date", "cannot be read as dates"),
        (["1.5", "2"], "integer", "cannot be integer: it holds 1.5. Make it numeric."),
        (["a", "b", "c"], "boolean", "cannot be boolean: it has 3 different values"),
        (["a", "b"], "colour", "cannot be “colour”. Use one of numeric, integer, date"),
    ],
)
def test_corrections_that_cannot_be(cells: list[str], kind: ColumnKind, part: str) -> None:
    with pytest.raises(GLocalXError, match=part):
        read(*cells, kind=kind)


def test_typed_columns_of_a_frame() -> None:
    frame = pd.DataFrame(
        {
            "whole": [1, 2, 3],
            "gaps": [1.0, None, 3.0],
            "real": [0.5, np.inf, np.nan],
            "flag": [True, False, True],
            "day": pd.to_datetime(["1970-01-02 00:00", None, "1970-01-04 13:00"]),
            "words": pd.Categorical(["a", None, "b"]),
            "mixed": ["1", 2, "x"],
        }
    )
    raw = raw_from_frame(frame)
    kinds = {name: read_column(raw, name) for name in raw.columns}
    assert {name: column.kind for name, column in kinds.items()} == {
        "whole": "integer",
        "gaps": "integer",
        "real": "numeric",
        "flag": "boolean",
        "day": "date",
        "words": "categorical",
        "mixed": "categorical",
    }
    assert kinds["day"].values.tolist()[::2] == [1, 3]
    assert kinds["flag"].categories == ("False", "True")
    assert sentences(kinds["real"]) == ["“real” has 1 infinite value, which counts as missing."]
    assert sentences(kinds["day"]) == ["The time of day in “day” is left out; dates count in days."]
