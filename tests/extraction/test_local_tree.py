import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier

from glocalx.extraction.local_tree import LocalTree


@given(st.integers(0, 10_000))
def test_leaves_part_the_rows_as_scikit_learn_does(seed):
    random = np.random.default_rng(seed)
    rows = random.integers(0, 6, (60, 3)).astype(np.float32)
    labels = (rows.sum(axis=1) > 7).astype(int) + (rows[:, 0] == 2)
    tree = LocalTree(rows, labels, seed)
    theirs = DecisionTreeClassifier(random_state=seed).fit(rows, labels)
    inside = np.zeros(60, dtype=int)
    for leaf in tree.leaves():
        taken = np.ones(60, dtype=bool)
        for branch in leaf.branches:
            taken &= (rows[:, branch.column] <= branch.cut) == branch.below
        assert taken.sum() == leaf.rows
        assert set(theirs.predict(rows[taken])) == {leaf.label}
        inside += taken
    assert (inside == 1).all()


def test_the_path_of_a_row_ends_in_a_leaf_with_its_label():
    rows = np.array([[0, 1], [1, 1], [2, 0], [3, 0]], dtype=np.float32)
    labels = np.array([2, 2, 0, 0])
    tree = LocalTree(rows, labels, 0)
    ends = {leaf.branches: leaf.label for leaf in tree.leaves()}
    assert [ends[tree.path(row)] for row in rows] == [2, 2, 0, 0]


def test_one_label_makes_no_branches():
    tree = LocalTree(np.zeros((3, 2), dtype=np.float32), np.array([1, 1, 1]), 0)
    assert tree.path(np.zeros(2, dtype=np.float32)) == ()
