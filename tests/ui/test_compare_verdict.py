"""What the test of two sides says, in words."""

import numpy as np

from glocalx.evaluation import mcnemar
from ui.compare.measures import p_text, verdict


def series(both: int, first: int, second: int, neither: int) -> tuple[np.ndarray, np.ndarray]:
    left = [True] * both + [True] * first + [False] * second + [False] * neither
    right = [True] * both + [False] * first + [True] * second + [False] * neither
    return np.array(left), np.array(right)


def test_a_rare_difference_names_the_better_one():
    said = verdict(mcnemar(*series(600, 25, 8, 16)), "these rules", "the tree")
    assert "On **25** of 649 records only these rules agree" in said
    assert "on **8** only the tree" in said
    assert "rare by chance (p = 0.005): **these rules** are closer" in said
    said = verdict(mcnemar(*series(600, 0, 40, 9)), "this run", "the other run")
    assert "only this run agrees" in said
    assert "(p < 0.001): **the other run** is closer" in said


def test_a_difference_that_may_be_chance_names_nobody():
    said = verdict(mcnemar(*series(600, 12, 10, 27)), "these rules", "CPAR")
    assert "can well be chance (p = 0.83)" in said
    assert "closer to the black box" in said
    assert "**CPAR**" not in said


def test_probabilities_say_no_more_than_they_know():
    assert [p_text(p) for p in (0.0001, 0.0042, 0.0333, 1.0)] == [
        "p < 0.001",
        "p = 0.004",
        "p = 0.03",
        "p = 1.00",
    ]
