"""Figures and tables as people and files get them."""

import math

from study.study_table import Figure, StudyTable


def test_a_figure_reads_as_people_write():
    assert str(Figure.of([0.9, None, 0.92], 0.87)) == "0.910 ± 0.014 (paper 0.870)"
    assert str(Figure.of([1234.4], digits=0)) == "1,234"
    assert str(Figure.of([-0.0301])) == "−0.030"
    assert str(Figure.of([-0.0001])) == "0.000"
    assert str(Figure.of([None])) == "–"
    assert math.isnan(Figure.of([]).mean)


def test_the_spread_is_the_sample_deviation():
    assert Figure.of([1.0, 3.0]).spread == math.sqrt(2)
    assert Figure.of([1.0]).spread is None


def test_flat_rows_have_spread_and_paper_where_any_row_has():
    table = StudyTable(
        "t",
        "T",
        "",
        ("method", "fidelity", "size"),
        (("GLX", Figure.of([0.9, 0.8], 0.87), Figure(6)), ("UNI", Figure.of([0.7, 0.7]), "")),
    )
    first, second = table.flat()
    assert (
        list(first)
        == list(second)
        == [
            *("method", "fidelity", "fidelity, spread", "fidelity, paper"),
            "size",
        ]
    )
    assert (first["fidelity, paper"], second["fidelity, paper"]) == (0.87, None)
    assert second["fidelity, spread"] == 0.0
