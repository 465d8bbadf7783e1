import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier

from glocalx.blackbox.python_object import PythonBlackBox
from glocalx.errors import GLocalXError
from tests.blackbox.model_files import people, pipeline, schema_of

FRAME, TARGET = people()
SCHEMA = schema_of(FRAME, TARGET)


class Plain:
    def __init__(self, answer):
        self._answer = answer

    def predict(self, frame):
        return self._answer(frame)


def test_an_estimator_with_named_columns_gets_them_in_its_order():
    model = pipeline(FRAME, LogisticRegression(), scale=True).fit(FRAME, TARGET)
    box = PythonBlackBox(model, SCHEMA)
    shuffled = FRAME[["job", "amount", "age"]].assign(extra=0)
    assert (box.labels(shuffled) == model.predict(FRAME)).all()
    assert (box.probabilities(shuffled) == model.predict_proba(FRAME)).all()
    assert box.name == "Pipeline"


def test_an_estimator_that_counts_its_columns_gets_a_matrix():
    numbers = FRAME[["amount", "age"]]
    model = DecisionTreeClassifier(random_state=0).fit(numbers.to_numpy(), TARGET)
    box = PythonBlackBox(model, SCHEMA, columns=["amount", "age"])
    assert (box.labels(FRAME) == TARGET).all()
    with pytest.raises(GLocalXError, match="a matrix of 2 columns and 3 are in the table"):
        PythonBlackBox(model, SCHEMA)


def test_probabilities_follow_the_sorted_texts():
    class Numbers:
        classes_ = np.array([2, 10])

        def predict(self, frame):
            return np.full(len(frame), 10)

        def predict_proba(self, frame):
            return np.tile([0.2, 0.8], (len(frame), 1))

    box = PythonBlackBox(Numbers(), SCHEMA)
    assert box.outcomes == ("10", "2")
    assert box.probabilities(FRAME[:1]).tolist() == [[0.8, 0.2]]


def test_outcomes_from_a_sample_or_not_at_all():
    model = Plain(lambda frame: np.where(frame["age"] > 40, 1, 0))
    assert PythonBlackBox(model, SCHEMA, sample=FRAME).outcomes == ("0", "1")
    with pytest.raises(GLocalXError, match="does not say which labels it gives"):
        PythonBlackBox(model, SCHEMA)


def test_another_models_columns_are_named():
    model = DecisionTreeClassifier().fit(FRAME[["age"]].rename(columns={"age": "Ages"}), TARGET)
    with pytest.raises(GLocalXError, match=r"“Ages” is missing \(did you mean “age”\?\)"):
        PythonBlackBox(model, SCHEMA)


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (lambda frame: np.full(len(frame), np.nan), "NaN"),
        (lambda frame: ["accept"], "gives 1 answers for 300 records"),
        (lambda frame: ["maybe"] * len(frame), "answers “maybe”"),
        (lambda frame: 1 / 0, r"fails on these records \(ZeroDivisionError: division by zero\)"),
    ],
)
def test_bad_answers(answer, sentence):
    box = PythonBlackBox(Plain(answer), SCHEMA, outcomes=("accept", "deny"))
    with pytest.raises(GLocalXError, match=sentence):
        box.labels(FRAME)


def test_an_object_without_predict():
    with pytest.raises(GLocalXError, match="no method “predict”"):
        PythonBlackBox(object(), SCHEMA)


def test_no_records_no_answers():
    box = PythonBlackBox(Plain(lambda frame: 1 / 0), SCHEMA, outcomes=("a", "b"))
    assert len(box.labels(FRAME[:0])) == 0
