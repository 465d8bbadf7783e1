import numpy as np
import pandas as pd
import pytest

from glocalx.blackbox.model_file import RenamedOutcomes
from glocalx.errors import GLocalXError

FRAME = pd.DataFrame({"age": [1, 2]})


class Box:
    name = "m.onnx"
    outcomes = ("0", "1")
    columns = ("age",)
    notes = ("Matched: AGE = age.",)

    def labels(self, frame):
        return np.array(["0", "1"], dtype=object)

    def probabilities(self, frame):
        return np.array([[0.9, 0.1], [0.2, 0.8]])


def test_answers_under_other_names_and_in_their_order():
    box = RenamedOutcomes(Box(), {"0": "no", "1": "good"})
    assert box.outcomes == ("good", "no")
    assert (box.columns, box.notes) == (Box.columns, Box.notes)
    assert box.labels(FRAME).tolist() == ["no", "good"]
    assert box.probabilities(FRAME).tolist() == [[0.1, 0.9], [0.8, 0.2]]


@pytest.mark.parametrize("names", [{"0": "no"}, {"0": "no", "1": "yes", "2": "maybe"}])
def test_each_answer_needs_one_name(names):
    with pytest.raises(GLocalXError, match="answers “0” and “1”, and names were given for"):
        RenamedOutcomes(Box(), names)


def test_two_answers_cannot_have_one_name():
    with pytest.raises(GLocalXError, match="can only answer “no”"):
        RenamedOutcomes(Box(), {"0": "no", "1": "no"})
