"""The paper's figures stand where they belong, and our test of ranks comes out as printed there."""

import pytest

from study import paper, paper_tables
from study.methods import PAPER_METHODS
from study.ranks import friedman
from study.study_table import Figure
from tests.study.made_up import cell, study

ALL_PAIRS = study(*(cell(dataset, kind, 0) for dataset, kind in paper.PAIRS))


@pytest.mark.parametrize(
    "table",
    [
        paper_tables.black_boxes(ALL_PAIRS),
        paper_tables.alpha_q(ALL_PAIRS),
        paper_tables.effectiveness(ALL_PAIRS),
    ],
    ids=lambda table: table.name,
)
def test_every_figure_of_these_tables_has_the_papers_beside_it(table):
    figures = [entry for row in table.rows for entry in row if isinstance(entry, Figure)]
    assert len(figures) >= 3 * len(paper.PAIRS)
    assert [figure for figure in figures if figure.paper is None] == []


def test_the_papers_methods_are_all_in_its_table_6_and_7_where_it_prints_them():
    replaced = paper_tables.replacing(ALL_PAIRS)
    printed = {row[:2] for row in replaced.rows if row[2].paper is not None}
    assert len(printed) == sum(map(len, paper.REPLACING.values())) + len(paper.REPLACING)
    deltas = paper_tables.delta_accuracy(ALL_PAIRS)
    printed = {row[1] for row in deltas.rows if row[2].paper is not None}
    assert len(printed) == len(paper.DELTA_BY_DATASET) + len(paper.DELTA_BY_METHOD)


@pytest.mark.parametrize("measure", ["fidelity", "size", "length"])
def test_our_friedman_test_of_its_table_5_comes_out_as_printed(measure: str):
    scores = {
        method: [getattr(paper.EFFECTIVENESS[pair][method], measure) for pair in paper.PAIRS]
        for method in PAPER_METHODS
    }
    test = friedman(scores, higher_is_better=measure == "fidelity")
    assert test.p < paper.FRIEDMAN_BELOW[measure]
