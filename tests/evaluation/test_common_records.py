"""Two runs are compared on records that neither has learned from, and it is said which."""

from __future__ import annotations

import re

import numpy as np
import pytest

from glocalx.errors import GLocalXError
from glocalx.evaluation.common_records import (
    Common,
    all_held_out,
    common_records,
    records_sentence,
)
from glocalx.pipeline.settings import BoxSettings, DataSettings
from glocalx.pipeline.tables import LabelledTable, split_table
from glocalx.table import Table, read_table

TRAINED = BoxSettings()
HEAD = "pay,job,answer\n"
LINES = [
    f"{i * 37 % 60 * 1.25 + 0.5},{('clerk', 'chief')[i % 2]},{('no', 'yes')[i % 3 == 0]}\n"
    for i in range(60)
]


def made(
    lines: list[str] = LINES, head: str = HEAD, target: str = "answer", seed: int = 0
) -> LabelledTable:
    """A table shared out, with its target for a black box."""
    table = Table.of(read_table((head + "".join(lines)).encode(), "people.csv"), target=target)
    shared = split_table(table, DataSettings(train=0.4, explain=0.3, seed=seed))
    explain, test = shared.parts.explain, shared.parts.test
    labels = table.target
    return LabelledTable.of(shared, "box", table.schema(), (labels[explain], labels[test]))


def test_the_same_split_compares_on_all_held_out_records():
    common = common_records(made(), made())
    assert common.left_out == 0
    assert common.places.tolist() == list(range(common.held_out))
    assert np.array_equal(common.others, common.places)
    assert "holds out, too" in records_sentence(common, True, another_run=True)


def test_another_split_compares_on_what_both_hold_out():
    mine, other = made(), made(seed=1)
    common = common_records(mine, other)
    assert 0 < len(common.places) < common.held_out
    same = mine.split.test.iloc[common.places].reset_index(drop=True)
    assert same.equals(other.split.test.iloc[common.others].reset_index(drop=True))
    learned = set(other.split.train["pay"]) | set(other.split.explain["pay"])
    assert learned.isdisjoint(same["pay"])
    said = records_sentence(common, True, another_run=True)
    assert f"learned from {common.left_out:,}" in said


def test_of_another_table_those_with_a_twin_are_left_out():
    mine = made()
    other = made([*LINES[1:], "99.5,clerk,no\n"])
    common = common_records(mine, other)
    assert common.others is None
    kept = set(mine.split.test.iloc[common.places]["pay"])
    learned = set(other.split.train["pay"]) | set(other.split.explain["pay"])
    assert kept == set(mine.split.test["pay"]) - learned
    assert "another table" in records_sentence(common, True, another_run=True)


def test_a_category_that_only_one_table_has_does_no_harm():
    common = common_records(made(), made([*LINES, "99.5,farmer,no\n"]))
    assert common.others is None


@pytest.mark.parametrize(
    ("head", "sentence"),
    [
        ("wage,job,answer\n", "made with other columns: “pay” and “wage”"),
        ("pay,job,reply\n", "explains “reply”, the one on the left “answer”"),
    ],
)
def test_other_columns_are_refused(head: str, sentence: str):
    target = head.strip().split(",")[-1]
    with pytest.raises(GLocalXError, match=sentence):
        common_records(made(), made(head=head, target=target))


def test_another_kind_of_column_is_refused():
    words = {"clerk": "1.5", "chief": "2.5"}
    other = made([re.sub("clerk|chief", lambda job: words[job[0]], line) for line in LINES])
    with pytest.raises(GLocalXError, match="“job” as another kind of column"):
        common_records(made(), other)


def test_other_outcomes_are_refused():
    other = made([line.replace("no", "never") for line in LINES])
    with pytest.raises(GLocalXError, match="tells “never” and “yes” apart"):
        common_records(made(), other)


def test_other_methods_are_compared_on_everything():
    common = all_held_out(made())
    assert common.left_out == 0
    assert "neither the black box nor" in records_sentence(common, True, another_run=False)


def test_what_a_brought_black_box_was_trained_on_is_not_known():
    said = records_sentence(all_held_out(made()), False, another_run=False)
    assert "no rule was made" in said
    assert "neither" not in said


def test_one_record_is_counted_as_one():
    one = Common(np.array([3]), np.array([1]), 9)
    assert records_sentence(one, True, another_run=True).startswith(
        "Compared on 1 held-out record."
    )
    assert one.left_out == 8
