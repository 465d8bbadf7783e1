"""A model file is tried on a few records, and its answers are matched with the table's."""

from sklearn.linear_model import LogisticRegression

from glocalx.blackbox.confusion import count_confusion
from glocalx.blackbox.trial import agreement, guess_meaning, try_model
from glocalx.rules.schema import Schema
from tests.blackbox.model_files import exported, people, pipeline


def test_answers_in_other_words_are_matched_by_how_often_they_are_right():
    judged = count_confusion(["no", "no", "yes", "no"], ["1", "1", "0", "0"])
    meaning = guess_meaning(["0", "1"], ["no", "yes"], judged)
    assert meaning == {"0": "yes", "1": "no"}
    assert agreement(judged, meaning) == 0.75
    same = count_confusion(["no", "yes"], ["no", "no"])
    assert guess_meaning(["no", "yes"], ["no", "yes"], same) == {"no": "no", "yes": "yes"}


def test_a_model_file_is_tried_before_it_is_used():
    frame, labels = people(200)
    schema = Schema.of(frame, labels)
    fitted = pipeline(frame, LogisticRegression(), scale=True).fit(frame, labels == "deny")
    data = exported(fitted, frame).SerializeToString()
    trial = try_model("m.onnx", data, schema, frame, labels)
    assert not trial.problem
    assert set(trial.columns) == {"age", "amount", "job"}
    meaning = guess_meaning(trial.answers, ["accept", "deny"], trial.judged)
    assert sorted(meaning.values()) == ["accept", "deny"]
    assert agreement(trial.judged, meaning) > 0.8
    assert "pickle" in try_model("m.pkl", b"\x80\x04K\x01.", schema, frame, labels).problem
