import numpy as np
import pandas as pd
import pytest

from glocalx.blackbox.check import check_black_box
from glocalx.errors import GLocalXError

FRAME = pd.DataFrame({"age": [20, 40, 60]})


class Box:
    name = "box"
    outcomes = ("no", "yes")

    def __init__(self, labels, probabilities=None):
        self._labels, self._probabilities = labels, probabilities

    def labels(self, frame):
        return np.array(self._labels, dtype=object)

    def probabilities(self, frame):
        return self._probabilities


def test_good_answers_are_let_through():
    check_black_box(Box(["no", "yes", "yes"]), FRAME, ["no", "yes", "no"])
    check_black_box(Box(["no", "yes", "no"]), FRAME, ["no", "no", "no"])


@pytest.mark.parametrize(
    ("labels", "sentence"),
    [
        (["no", "yes"], "gives 2 answers for 3 records"),
        (["no", float("nan"), "yes"], r"no answer \(NaN\) for 1 of 3"),
        (["no", "no", "no"], "answers “no” for all 3 records, so there is nothing to explain"),
        (["no", "maybe", "no"], "answers “maybe”"),
    ],
)
def test_bad_answers(labels, sentence):
    with pytest.raises(GLocalXError, match=sentence):
        check_black_box(Box(labels), FRAME)


def test_bad_probabilities():
    with pytest.raises(GLocalXError, match="no probability"):
        check_black_box(Box(["no", "yes", "no"], np.full((3, 2), np.nan)), FRAME)


def test_answers_unlike_the_target():
    with pytest.raises(GLocalXError, match="answers “no” and “yes”, the target has “0” and “1”"):
        check_black_box(Box(["no", "yes", "no"]), FRAME, [0, 1, 1])
