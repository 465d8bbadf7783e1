import pyarrow as pa
import pytest

from glocalx.table.cells import MISSING, cells_of


def column(*cells: object) -> pa.ChunkedArray:
    return pa.chunked_array([pa.array(cells)])


@pytest.mark.parametrize("cell", [*MISSING, "NA", "N/A", "NaN", "NULL", " ? ", "#DIV/0!", None])
def test_what_means_missing(cell: str | None) -> None:
    cells = cells_of(column("x", cell, "y"))
    assert cells.codes.tolist()[1] == -1
    assert cells.known == 2


@pytest.mark.parametrize("cell", ["none", "unknown", "-", "0", "no", "missing"])
def test_what_is_an_answer(cell: str) -> None:
    assert cells_of(column("x", cell)).known == 2


def test_spaces_are_removed_and_counted() -> None:
    cells = cells_of(column("a", " a", "a ", "b"))
    assert cells.texts.to_pylist() == ["a", "b"]
    assert cells.codes.tolist() == [0, 0, 0, 1]
    assert cells.padded == 2


def test_varied_columns_are_not_searched_for_equal_cells() -> None:
    texts = [f" {number}" for number in range(5_000)] + [""]
    cells = cells_of(column(*texts))
    assert not cells.distinct
    assert (cells.known, cells.padded) == (5_000, 5_000)
    assert cells.with_distinct_texts().texts.to_pylist() == cells.texts.to_pylist()


def test_other_types_as_a_person_would_write_them() -> None:
    def texts(*values: object) -> list[str]:
        return cells_of(column(*values)).texts.to_pylist()

    assert texts(True, False) == ["True", "False"]
    assert texts(1.0, 2.5, float("nan"), None) == ["1", "2.5"]
    assert texts(1, 2) == ["1", "2"]
    assert cells_of(column("a", "b", "a").dictionary_encode()).codes.tolist() == [0, 1, 0]
