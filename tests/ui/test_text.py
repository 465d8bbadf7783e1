"""Text from files in Markdown."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glocalx.plots.colours import DARK, LIGHT, OutcomeColours
from ui.text import badge, coloured, plain

APART = re.compile(r":color\[(\\.)\]")


def _shown(markdown: str) -> str:
    """What a reader sees: the pieces put together, the escapes gone."""
    return re.sub(r"\\(.)", r"\1", APART.sub(r"\1", markdown))


@given(st.text(st.characters(categories=("L", "N", "P", "S"))))
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


@pytest.mark.parametrize("palette", [LIGHT, DARK])
def test_every_outcome_has_the_colour_of_the_figures(palette):
    """Not only the two that the theme has a name for."""
    colours = OutcomeColours.of("abcde", "b", palette)
    assert badge("a", colours) == ":blue-badge[a]"
    assert coloured("b", colours) == ":orange[**b**]"
    for place, outcome in enumerate("cde", start=2):
        tones = palette.outcomes[place]
        shades = f'foreground="{tones.text}" background="{tones.soft}"'
        assert badge(outcome, colours) == f":color[{outcome}]{{{shades}}}"
        assert coloured(outcome, colours) == f':color[**{outcome}**]{{foreground="{tones.text}"}}'
