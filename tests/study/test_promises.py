"""What the tables say of cells whose figures are known."""

import pytest

from study import compas_tables, our_tables, paper_tables, promises
from tests.study.made_up import cell, study


def row_of(table, name):
    return next(row for row in table.rows if row[0] == name)


def test_budget_against_a_rival_is_counted_by_pair_over_the_mean_of_seeds():
    made = study(
        cell("compas", "rf", 0, budget=0.95, small_tree=0.94),
        cell("compas", "rf", 1, budget=0.91, small_tree=0.93),  # behind by 0.5 points on average
        cell("adult", "rf", 0, budget=0.97, small_tree=0.95),
        cell("german", "rf", 0, budget=0.90, small_tree=0.99, majority=0.96),  # no room
    )
    _, pairs, higher, near, points, behind = row_of(
        promises.against_rivals(made), "Tree of at most so many leaves"
    )
    assert (pairs, higher, near) == (2, 1, 2)
    assert points.mean == pytest.approx((-0.5 + 2.0) / 2)
    assert behind == "COMPAS/RF (−0.50)"


def test_within_a_point_includes_the_point_itself():
    made = study(cell("adult", "rf", 0, budget=0.95, tree=0.96), cell("adult", "mlp", 0, tree=0.92))
    row = row_of(promises.against_rivals(made), "Decision tree")
    assert row[1:4] == (2, 0, 1)


def test_extras_that_are_not_installed_have_no_line():
    made = study(cell("adult", "rf", 0, without=("ripper",)))
    names = [row[0] for row in promises.against_rivals(made).rows]
    assert "RIPPER" not in names
    assert "BRCG" in names


def test_the_alpha_of_the_paper_is_reached_or_not():
    made = study(cell("compas", "rf", 0, glx=0.871), cell("adult", "rf", 0, glx=0.9))
    rows = promises.paper_alpha(made).rows
    assert [row[-1] for row in rows] == ["yes", "no"]  # 0.870 and 0.902


def test_fewer_words_has_each_pair_and_their_mean():
    made = study(cell("adult", "rf", 0, all_left=0.96), cell("compas", "rf", 0, all_left=0.92))
    table = promises.fewer_words(made)
    left = table.columns.index("rules left: fidelity")
    assert [row[left].mean for row in table.rows] == pytest.approx([0.96, 0.92, 0.94])
    assert table.rows[-1][0] == "all pairs"
    assert str(table.rows[0][left + 1]) == "25"


def test_alpha_is_counted_beside_the_tree_of_its_size():
    rows = promises.alpha_and_tree(study(cell("adult", "rf", 0), cell("german", "rf", 0))).rows
    assert [row[:3] for row in rows] == [("2", 2, 2), ("5", 2, 2), ("10", 2, 2)]
    assert {row[4] for row in rows} == {0}
    assert rows[0][3].mean == pytest.approx(0.5)


def test_a_fifth_of_the_rules():
    (row,) = promises.fifth_of_rules(study(cell("adult", "rf", 0))).rows
    assert (row[2].mean, row[3]) == (pytest.approx(-1.0), "yes")
    assert (row[4].mean, row[5]) == (pytest.approx(-3.0), "no")


def test_the_figures_of_the_paper_stand_beside_ours():
    made = study(cell("compas", "rf", 0, union=0.91), cell("compas", "rf", 1, union=0.93))
    uni = next(row for row in paper_tables.effectiveness(made).rows if row[2] == "UNI")
    assert str(uni[3]) == "0.920 ± 0.014 (paper 0.658)"
    assert uni[4].paper == 1515
    (row,) = paper_tables.black_boxes(made).rows
    assert (row[2].mean, row[2].paper, row[3].paper) == (0.75, 0.548, 0.587)
    assert {row[3].paper for row in paper_tables.alpha_q(made).rows} == {0.829, 0.873, 0.874, 0.875}


def test_pairs_that_the_paper_has_not_have_no_figure_of_it():
    made = study(cell("german", "svm", 0))
    assert all(row[3].paper is None for row in paper_tables.effectiveness(made).rows)


def test_replacing_averages_over_black_boxes():
    made = study(cell("compas", "rf", 0, glx=0.9), cell("compas", "mlp", 0, glx=0.8))
    glx = next(row for row in paper_tables.replacing(made).rows if row[1] == "GLX")
    assert glx[2].mean == pytest.approx(0.75)
    assert (glx[2].paper, glx[2].paper_spread) == (0.726, 0.002)


def test_ranks_name_the_best_first():
    cells = [cell("adult", kind, 0, budget=0.99) for kind in ("rf", "mlp", "svm")]
    assert our_tables.small_ranks(study(*cells)).rows[0][0] == "GLocalX, budget"


def test_the_compas_tables_are_there_with_compas_alone():
    assert compas_tables.whom(study(cell("adult", "rf", 0))) is None
    made = study(cell("compas", "rf", 0))
    table = compas_tables.whom(made)
    assert table is not None
    assert str(row_of(table, "prior offences")[1]) == "3.00 (paper 9.89)"
    assert str(row_of(table, "Caucasian")[1]) == "– (paper 0.210)"
    texts = [row[-1] for row in compas_tables.rules(made).rows]
    assert "age ≤ 30 → High" in texts
