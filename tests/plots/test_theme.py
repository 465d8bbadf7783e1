"""Colours that can be told apart and read."""

import itertools

import pytest

from glocalx.errors import GLocalXError
from glocalx.plots import DARK, LIGHT, OutcomeColours, palette

MANY = ("a", "b", "c", "d", "e", "f", "g")


def test_the_outcome_asked_about_is_orange_wherever_it_stands():
    for outcomes in (("High", "Low"), ("Low", "High")):
        colours = OutcomeColours.of(outcomes, "High")
        assert colours.colour("High") == "#D55E00"
        assert colours.colour("Low") == "#0072B2"
        assert colours.word("High") == "orange"


def test_without_such_a_one_they_come_in_order():
    assert OutcomeColours.of(("no", "yes")).word("no") == "blue"


@pytest.mark.parametrize("scheme", [LIGHT, DARK])
def test_many_outcomes_differ_in_colour_or_symbol(scheme):
    colours = OutcomeColours.of(MANY, "c", scheme)
    looks = {(colours.colour(outcome), colours.symbol(outcome)) for outcome in MANY}
    assert len(looks) == len(MANY)
    assert colours.word("c") == "orange"
    assert colours.word("d") is None


def test_outcomes_are_called_as_people_call_them():
    colours = OutcomeColours.of(("0", "1"), names={"1": "High risk"})
    assert (colours.name("0"), colours.name("1")) == ("0", "High risk")


def test_an_outcome_that_is_none_is_refused():
    with pytest.raises(GLocalXError, match=r"“x” is none of the outcomes"):
        OutcomeColours.of(("a", "b"), "x")
    with pytest.raises(GLocalXError, match=r"“x” is none of the outcomes"):
        OutcomeColours.of(("a", "b")).colour("x")


def test_a_page_that_does_not_say_is_light():
    assert palette(None) is LIGHT
    assert palette("dark") is DARK


@pytest.mark.parametrize("scheme", [LIGHT, DARK])
def test_words_and_marks_can_be_seen(scheme):
    colours = OutcomeColours.of(MANY[:6], palette=scheme)
    for text in (scheme.ink, scheme.muted, *map(colours.text, MANY[:6])):
        assert _contrast(text, scheme.ground) >= 4.5
    for mark in (scheme.mixed, scheme.accent, *map(colours.colour, MANY[:6])):
        assert _contrast(mark, scheme.ground) >= 3


def _contrast(one: str, other: str) -> float:
    """WCAG 2."""
    light = sorted((_luminance(one), _luminance(other)))
    return (light[1] + 0.05) / (light[0] + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def test_all_pairs_of_tokens_differ_between_schemes():
    for name in ("ground", "ink", "grid", "line", "histogram", "branch", "accent"):
        assert getattr(LIGHT, name) != getattr(DARK, name)
    pairs = itertools.combinations(LIGHT.outcomes, 2)
    assert all(one != other for one, other in pairs)
