"""Text from files in Markdown, and times as people say them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ui.text import between, percent, plain, points

APART = re.compile(r":color\[(\\.)\]")


def _shown(markdown: str) -> str:
    """What a reader sees: the pieces put together, the escapes gone."""
    return re.sub(r"\\(.)", r"\1", APART.sub(r"\1", markdown))


@given(st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S"))))
def test_a_reader_sees_and_copies_the_characters_of_the_file(text: str):
    assert _shown(plain(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        ":smile:",
        "::+1:",
        ":a:b:",
        ":material_home:",
        "www.e.com",
        "WWW.e.com",
        "http://e.com",
        "a@b.co",
    ],
)
def test_nothing_is_left_that_would_be_read_as_more(text: str):
    pieces = [_shown(piece) for piece in APART.sub("\0", plain(text)).split("\0")]
    for piece in pieces:
        assert not re.search(r":[\w+-]+:|www\.|://|@", piece, re.IGNORECASE)


def test_no_character_is_invisible():
    assert plain("a\u200b:b:\n c").isprintable()


def test_a_range_of_time():
    assert between(0.3, 0.8) == "about a second"
    assert between(5, 5) == "about 5 seconds"
    assert between(3, 4.5) == "3 to 5 seconds"


@given(st.floats(0, 1), st.integers(0, 2))
def test_only_all_reads_as_all_and_only_nothing_as_nothing(share: float, decimals: int):
    number = float(re.sub("over |under | %", "", percent(share, decimals)))
    assert (number == 100) == (share == 1)
    assert (number == 0) == (share == 0)


@pytest.mark.parametrize("share", [0.005, 0.995, 0.9995])
def test_halves_are_not_rounded_to_all_or_nothing(share: float):
    assert percent(share) not in ("0 %", "100 %", "100.0 %")


def test_what_rounds_to_zero_has_no_sign():
    assert points(-0.0001) == "0.0 points"
    assert points(0.0) == "0.0 points"
    assert points(float("nan")) == "–"
