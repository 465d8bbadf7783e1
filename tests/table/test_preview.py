"""A first look at a table."""

from __future__ import annotations

import pytest

from glocalx.table import Table
from glocalx.table.preview import commonest_values, guess_target
from glocalx.table.reading import parse_table
from glocalx.table.samples import load_sample
from glocalx.words.wording import Wording


@pytest.fixture(scope="module")
def german() -> Table:
    return load_sample("german")


def _read(text: str) -> Table:
    return Table.of(parse_table(text.encode(), "t.csv"))


@pytest.mark.parametrize(
    ("text", "guess"),
    [
        ("age,job,answer\n31,a,yes\n28,b,no\n44,c,yes\n39,d,no\n", "answer"),
        ("decision,age,size\n" + "".join(f"{i % 2},{i},{i * 7}\n" for i in range(40)), "decision"),
        ("a,b,sex\n" + "".join(f"{i % 2},{i},{'mf'[i % 2]}\n" for i in range(40)), "sex"),
        (
            "job,denied,income\n"
            + "".join(f"{'ab'[i % 2]},{'yn'[i % 3 > 0]},{i % 40}\n" for i in range(90)),
            "denied",
        ),
        (
            "status,income score,denied\n"
            + "".join(f"{'abcd'[i % 4]},{i % 30},{'yn'[i % 3 > 0]}\n" for i in range(90)),
            "denied",
        ),
        ("a,risk\n" + "".join(f"{i * 2.5},{i % 45}\n" for i in range(200)), None),
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


def test_thirty_columns_with_decimal_commas_are_one_sentence():
    names = [f"c{i}" for i in range(30)]
    rows = [";".join([*(f"{i % 9},{j + 11}" for j in range(30)), "yn"[i % 2]]) for i in range(20)]
    table = _read("\n".join([";".join([*names, "answer"]), *rows]))
    told = [each for each in table.findings if each.topic == "number form"]
    assert len(told) == 1
    assert "“c0” writes numbers as in" in told[0].sentence
    assert "29 more write them in such a form: “c1”" in told[0].sentence


def test_outcomes_that_say_nothing_are_called_with_their_column():
    text = "age,Denied\n" + "".join(f"{i * 7 % 13},{('yes', 'no')[i % 2]}\n" for i in range(30))
    table = _read(text).with_role("Denied", "target")
    assert table.schema().outcome_labels == {"yes": "Denied: yes", "no": "Denied: no"}
    assert Wording(table.schema()).outcome("yes") == "Denied: yes"
    renamed = table.with_label("Denied", "Turned down")
    assert renamed.schema().outcome_labels["no"] == "Turned down: no"
