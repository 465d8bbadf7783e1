"""Which cells a study has."""

import pytest

from glocalx.errors import GLocalXError
from study import paper
from study.plan import StudyCell, StudySettings, planned_cells


def test_without_names_it_is_as_the_paper_pairs_them():
    cells = planned_cells(seeds=3)
    assert len(cells) == len(set(cells)) == 3 * len(paper.PAIRS)
    assert {(cell.dataset, cell.black_box) for cell in cells} == set(paper.PAIRS)
    assert [cell.seed for cell in cells] == sorted(cell.seed for cell in cells)


def test_named_black_boxes_go_with_every_data_set():
    cells = planned_cells(["german", "diva", "german"], ["svm", "mlp"], 1)
    assert set(cells) == {
        StudyCell(dataset, kind, 0) for dataset in ("german", "diva") for kind in ("mlp", "svm")
    }


def test_the_longest_of_a_seed_is_first():
    expected = [StudySettings().expected_seconds(cell) for cell in planned_cells(seeds=1)]
    assert expected == sorted(expected, reverse=True)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((["german", "titanic"],), "no data set “titanic”"),
        (((), ["xgb"]), "no black box “xgb”"),
        (((), (), 0), "0 seeds"),
    ],
)
def test_what_does_not_exist_is_refused(arguments, words):
    with pytest.raises(GLocalXError, match=words):
        planned_cells(*arguments)


def test_one_black_box_is_too_slow_to_be_exact():
    settings = StudySettings()
    assert settings.preset_of(StudyCell("adult", "svm", 0)) == "quick"
    assert settings.preset_of(StudyCell("compas", "svm", 0)) == "paper"


def test_file_names_differ():
    cells = planned_cells((), ("mlp", "rf", "svm"), 3)
    assert len({cell.file_name for cell in cells}) == len(cells) == 36
