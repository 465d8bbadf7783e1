import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from glocalx.extraction.refine import Demands, Evidence, Refinement, _without_each, quantile_cuts
from glocalx.rules.branches import Branch
from glocalx.rules.coverage import mask_of


def evidence(seed: int, size: int, columns: int = 4) -> Evidence:
    random = np.random.default_rng(seed)
    rows = random.integers(0, 8, (size, columns)).astype(np.float32)
    return Evidence(rows, ((rows[:, 0] > 3) & (rows[:, 1] < 5)).astype(np.intp))


def branches_of(record: np.ndarray) -> list[Branch]:
    return [
        Branch(column, cut, bool(value <= cut))
        for column, value in enumerate(record)
        for cut in range(7)
    ]


@given(st.integers(0, 1_000))
def test_a_rule_meets_its_demands_and_is_found_among_the_candidates(seed):
    near, real = evidence(seed, 200), evidence(seed + 1, 500)
    label = int(near.labels[0])
    candidates = branches_of(near.rows[0])
    demands = Demands(0.95, 0.95, 2)
    rule = Refinement(label, near, real, demands).rule(candidates)
    assert set(rule) <= set(candidates)
    close, covered = near.inside(rule), real.inside(rule)
    assert close & 1  # the record itself
    assert demands.met_by_neighbours(close, near.having(label))
    assert not covered & ~real.having(label) or demands.met_by_background(
        covered, real.having(label)
    )


@given(st.integers(0, 1_000))
def test_shortening_only_widens(seed):
    near, real = evidence(seed, 100), evidence(seed + 1, 300)
    search = Refinement(int(near.labels[0]), near, real, Demands(0.9, 0.9, 2))
    random = np.random.default_rng(seed)
    candidates = branches_of(near.rows[0])
    given_branches = [candidates[place] for place in random.choice(len(candidates), 8)]
    left = search.shortened(given_branches)
    assert set(left) <= set(given_branches)
    assert real.inside(given_branches) & ~real.inside(left) == 0
    assert search.shortened(left) == left


def test_the_true_rule_is_found():
    near, real = evidence(0, 400), evidence(1, 2_000)
    record = np.array([6, 2, 3, 3], dtype=np.float32)
    near = Evidence(np.vstack([record, near.rows]), np.append(1, near.labels))
    rule = Refinement(1, near, real, Demands(0.99, 0.99, 2)).rule(branches_of(record))
    assert set(rule) == {Branch(0, 3, False), Branch(1, 4, True)}


def test_a_background_of_one_label_asks_for_nothing():
    near = Evidence(np.zeros((5, 2), dtype=np.float32), np.ones(5, dtype=np.intp))
    assert Refinement(1, near, near, Demands(0.9, 0.9, 2)).rule(branches_of(near.rows[0])) == ()


def test_bits_of_a_branch_are_the_rows_that_take_it():
    real = evidence(3, 77)
    np.testing.assert_array_equal(mask_of(real.on(Branch(2, 4, False)), 77), real.rows[:, 2] > 4)


@given(st.lists(st.integers(0, 255), max_size=6))
def test_without_each_is_the_intersection_of_the_others(sets):
    expected = []
    for place in range(len(sets)):
        bits = 255
        for other, each in enumerate(sets):
            bits &= each if other != place else 255
        expected.append(bits)
    assert _without_each(sets, 255) == expected


def test_cuts_lie_between_values_that_occur():
    rows = np.array([[1, 0, 5]] * 50 + [[2, 1, 5]] * 49 + [[9, 1, 5]], dtype=np.float32)
    assert quantile_cuts(Evidence(rows, np.zeros(100, dtype=np.intp)), 3) == [(1, 2), (0,), ()]
    assert quantile_cuts(Evidence(rows[:0], np.zeros(0, dtype=np.intp)), 3) == [(), (), ()]
