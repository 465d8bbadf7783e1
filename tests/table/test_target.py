"""The column of outcomes: what can be one, and what is said of it."""

import pytest

from glocalx.errors import GLocalXError
from glocalx.table import Table
from glocalx.table.reading import parse_table
from tests.table.people import PEOPLE, of, refused, sentences


def test_the_target_and_the_rows_left_out(people: Table) -> None:
    assert people.target.tolist() == ["good", "bad", "good", "good"]
    assert people.rows.tolist() == [0, 1, 2, 4]
    assert sentences(people, "rows left out") == [
        "1 row of 5 has no value in “answer” (the target) and was left out."
    ]


def test_the_target_can_be_chosen_later() -> None:
    table = Table.of(parse_table(PEOPLE))
    with pytest.raises(GLocalXError, match="No target is chosen"):
        _ = table.target
    assert table.size == 5
    chosen = table.with_role("paid", "target")
    assert chosen.target.tolist() == ["yes", "no", "yes", "yes"]
    moved = chosen.with_role("answer", "target")
    assert moved.column("paid").role == "feature"


def test_predictions_and_true_labels_are_no_features() -> None:
    table = Table.of(
        parse_table(PEOPLE), target="answer", predictions="paid", true_label="job", ignored=["age"]
    )
    assert list(table.frame) == ["since"]
    assert table.rows.tolist() == [0, 1, 4]
    assert table.predictions is not None
    assert table.predictions.tolist() == ["yes", "no", "yes"]
    assert table.true_label.tolist() == ["clerk", "chief", "clerk"]
    assert sentences(table, "rows left out") == [
        "1 row of 5 has no value in “answer” (the target) and was left out.",
        "1 row of 5 has no value in “paid” (the predictions) and was left out.",
        "1 row of 5 has no value in “job” (the true label) and was left out.",
    ]


def test_the_target_is_the_true_label_where_there_is_no_other(people: Table) -> None:
    assert people.true_label is people.target
    assert people.predictions is None


def test_a_target_with_one_value() -> None:
    assert refused({"n": [1, 2], "out": ["a", "a"]}) == (
        "The column “out” has one value only, “a”, so there is nothing to explain. "
        "Choose a column with at least two."
    )


def test_an_empty_target() -> None:
    assert "is empty" in refused({"n": [1, 2], "out": [None, None]})


def test_a_target_that_looks_continuous() -> None:
    values = [place / 4 for place in range(4_112)]
    assert refused({"n": [1] * 4_112, "decile": values}, "decile") == (
        "The column “decile” has 4,112 different values, too many for an outcome (at most 20). "
        "Choose a column with a few classes, or cut its numbers into bands."
    )
    few = [place / 4 for place in range(8)]
    assert of({"n": [1, 2] * 4, "decile": few}, "decile").target.tolist()[:3] == [
        "0",
        "0.25",
        "0.5",
    ]


def test_a_target_with_500_classes() -> None:
    classes = [f"class {place}" for place in range(500)] * 2
    assert refused({"n": [1, 2] * 500, "out": classes}) == (
        "The column “out” has 500 different values, too many for an outcome (at most 50). "
        "Choose a column with a few classes."
    )


def test_rare_outcomes_are_told() -> None:
    table = of({"n": [1, 2] * 4, "out": [*"aaabbbcd"]})
    assert sentences(table, "rare outcome") == [
        "2 outcomes of “out” have fewer than 3 records: “c” and “d”. "
        "A split puts them all into training."
    ]


def test_outcomes_that_never_meet() -> None:
    frame = {"n": [1, 2, 3, 4], "out": ["a", "b", None, None], "said": [None, None, "a", "b"]}
    with pytest.raises(GLocalXError, match="No row of “t” has a value in every outcome column"):
        of(frame, predictions="said")


def test_outcomes_keep_the_words_of_the_file() -> None:
    table = Table.of(parse_table(b"n,out\n1,1.0\n2,0.0\n3, 1.0\n"), target="out")
    assert table.target.tolist() == ["1.0", "0.0", "1.0"]
