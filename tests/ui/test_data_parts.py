"""What the page Data and model computes: edits, guesses, what a model's answers mean."""

from __future__ import annotations

from pathlib import Path

import pytest

from glocalx.blackbox.confusion import count_confusion
from glocalx.errors import GLocalXError
from glocalx.pipeline.settings import BoxSettings, DataSettings, RunSettings
from glocalx.table import Finding, Table, read_table
from glocalx.table.samples import load_sample
from glocalx.workspace.store import Workspace
from tests.blackbox.model_files import exported, people, pipeline
from ui.data.box_facts import described, judged_on
from ui.data.box_trial import agreement, guess_meaning, try_model
from ui.data.changes import lost_stages
from ui.data.columns import KINDS, ROLES, Edit, columns_frame, edited, edits_from
from ui.data.findings import late_columns, sorted_findings
from ui.data.split import explain_percent, not_used, with_shares
from ui.data.target import commonest_values, guess_target


@pytest.fixture(scope="module")
def german() -> Table:
    return load_sample("german")


def _read(text: str) -> Table:
    return Table.of(read_table(text.encode(), "t.csv"))


def test_every_column_has_a_row_with_words_and_a_histogram(german: Table):
    frame = columns_frame(german)
    assert len(frame) == len(german.columns)
    assert set(frame["Kind"]) <= set(KINDS.values())
    assert set(frame["Role"]) <= set(ROLES.values())
    assert all(sum(counts) == german.size for counts in frame["Values"])


def test_edits_say_only_what_changed(german: Table):
    place = [column.name for column in german.columns].index("age")
    same = german.columns[place]
    rows = {place: {"Shown as": same.title, "Kind": "whole number", "Role": "Feature"}}
    assert edits_from(german, rows) == [Edit("age", role="feature")]
    assert edits_from(german, {place: {"Shown as": "  "}}) == [Edit("age", label="age")]
    assert "Feature" in Edit("age", role="feature").sentence


def test_a_new_outcome_takes_the_role_over(german: Table):
    settings = RunSettings(data=DataSettings(sample="german"))
    first = edited(settings, german, [Edit("housing", role="target")])
    table = german.with_role("housing", "target")
    second = edited(first, table, [Edit("job", role="target")])
    assert second.data.roles == {"job": "target"}


@pytest.mark.parametrize(
    ("edits", "said"),
    [
        ([Edit("credit_amount", role="target")], "different values"),
        ([Edit("housing", kind="text")], "cannot be a feature"),
        ([Edit("nobody", role="ignored")], "no column"),
    ],
)
def test_what_cannot_be_is_refused(german: Table, edits: list[Edit], said: str):
    with pytest.raises(GLocalXError, match=said):
        edited(RunSettings(data=DataSettings(sample="german")), german, edits)


def test_at_least_one_feature_stays():
    table = Table.of(read_table(b"a,y\n1,n\n2,y\n3,n\n4,y\n", "t.csv"), target="y")
    with pytest.raises(GLocalXError, match="feature"):
        edited(RunSettings(), table, [Edit("a", role="ignored")])


def test_the_role_predictions_chooses_them_as_black_box(german: Table):
    settings = RunSettings(data=DataSettings(sample="german"))
    made = edited(settings, german, [Edit("telephone", role="predictions")])
    assert made.box.source == "predictions"
    back = german.with_role("telephone", "predictions")
    assert edited(made, back, [Edit("telephone", role="feature")]).box.source == "train"


@pytest.mark.parametrize(
    ("text", "guess"),
    [
        ("age,job,answer\n31,a,yes\n28,b,no\n44,c,yes\n39,d,no\n", "answer"),
        ("decision,age,size\n" + "".join(f"{i % 2},{i},{i * 7}\n" for i in range(40)), "decision"),
        ("a,b,sex\n" + "".join(f"{i % 2},{i},{'mf'[i % 2]}\n" for i in range(40)), "sex"),
        ("a,b\n" + "".join(f"{i},{i * 3.5}\n" for i in range(200)), None),
    ],
)
def test_the_outcome_is_guessed(text: str, guess: str | None):
    assert guess_target(_read(text)) == guess


def test_the_outcomes_of_samples_are_guessed_from_their_files(german: Table):
    assert guess_target(Table.of(german.raw)) == "credit"


def test_the_commonest_values_are_counted():
    values, more = commonest_values(_read("a,b\n1,x\n2,y\n3,x\n4,\n5,z\n"), "b", most=2)
    assert values[0] == ("x", 2)
    assert more >= 1


def test_warnings_come_first_and_nothing_twice():
    info, warning = (
        Finding("a", "info", None, "One."),
        Finding("b", "warning", None, "Two."),
    )
    assert sorted_findings([info, warning, info]) == [warning, info]


def test_late_columns_are_found():
    assert "is_recid" in late_columns(load_sample("compas"))


def test_shares_go_there_and_back():
    for train in range(10, 95, 5):
        for explain in range(10, 95, 5):
            data = with_shares(DataSettings(), train, explain)
            assert (round(100 * data.train), explain_percent(data)) == (train, explain)
            assert data.train + data.explain < 1


def test_lost_stages_are_those_with_results(tmp_path: Path):
    run = Workspace(tmp_path).create("x", "x", RunSettings())
    assert lost_stages(run, RunSettings(box=BoxSettings(kind="gb"))) == []


def test_answers_in_other_words_are_matched_by_how_often_they_are_right():
    judged = count_confusion(["no", "no", "yes", "no"], ["1", "1", "0", "0"])
    meaning = guess_meaning(["0", "1"], ["no", "yes"], judged)
    assert meaning == {"0": "yes", "1": "no"}
    assert agreement(judged, meaning) == 0.75
    same = count_confusion(["no", "yes"], ["no", "no"])
    assert guess_meaning(["no", "yes"], ["no", "yes"], same) == {"no": "no", "yes": "yes"}


def test_a_box_is_described_in_a_line():
    trained = {"parameters": {"n_estimators": 100}, "trained_on": 5050}
    assert described({"name": "random forest", "trained": trained}) == (
        "Random forest, 100 trees, trained on 5,050 records"
    )
    assert described({"name": "m*.onnx"}) == "M\\*\\.onnx"


def test_a_model_file_is_tried_before_it_is_used():
    from sklearn.linear_model import LogisticRegression

    from glocalx.pipeline.tables import split_table

    frame, labels = people(200)
    table = Table.of(
        read_table(frame.assign(answer=labels).to_csv(index=False).encode(), "t.csv"), "answer"
    )
    shared = split_table(table, DataSettings())
    fitted = pipeline(frame, LogisticRegression(), scale=True).fit(frame, labels == "deny")
    data = exported(fitted, frame).SerializeToString()
    trial = try_model("m.onnx", data, shared)
    assert not trial.problem
    assert set(trial.columns) == {"age", "amount", "job"}
    meaning = guess_meaning(trial.answers, ["accept", "deny"], trial.judged)
    assert sorted(meaning.values()) == ["accept", "deny"]
    assert agreement(trial.judged, meaning) > 0.8
    assert "pickle" in try_model("m.pkl", b"\x80\x04K\x01.", shared).problem


@pytest.mark.parametrize("source", ["model", "predictions"])
def test_what_a_brought_black_box_was_trained_on_is_not_known(source):
    assert judged_on(BoxSettings(), 1_200) == "1,200 records that it was not trained on"
    assert "whether it was trained on them is not known" in judged_on(BoxSettings(source), 9)
    assert not_used(BoxSettings(source)) == "which no rule is made from"
