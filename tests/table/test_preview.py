"""A first look at a table."""

from __future__ import annotations

import pytest

from glocalx.table import Table, read_table
from glocalx.table.preview import commonest_values, guess_target
from glocalx.table.samples import load_sample


@pytest.fixture(scope="module")
def german() -> Table:
    return load_sample("german")


def _read(text: str) -> Table:
    return Table.of(read_table(text.encode(), "t.csv"))


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
