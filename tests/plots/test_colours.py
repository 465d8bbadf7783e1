"""Colours that can be told apart and read."""

import itertools
import tomllib
from pathlib import Path

import pytest

from glocalx.errors import GLocalXError
from glocalx.plots import DARK, LIGHT, OutcomeColours, palette
from glocalx.plots.colours import SIGNS, SYMBOLS, contrast

CONFIG = Path(__file__).parents[2] / ".streamlit" / "config.toml"
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
def test_words_read_on_every_ground(scheme):
    pairs = [
        (ground, text)
        for ground in (scheme.ground, scheme.soft)
        for text in (scheme.ink, scheme.muted, scheme.link)
    ]
    pairs += [(scheme.flag, scheme.flag_ink), (scheme.alarm, scheme.alarm_ink), *scheme.shades()]
    pairs.append((scheme.wash, scheme.wash_ink))
    for tones in scheme.outcomes:
        pairs += [(scheme.ground, tones.text), (tones.soft, tones.text)]
    for ground, text in pairs:
        assert contrast(ground, text) >= 4.5, (ground, text)
    assert len(scheme.shades()) == 9


@pytest.mark.parametrize("scheme", [LIGHT, DARK])
def test_marks_stand_out_from_the_page(scheme):
    for mark in (scheme.mixed, scheme.accent, *(tones.mark for tones in scheme.outcomes)):
        assert contrast(mark, scheme.ground) >= 3, mark


def test_contrast_is_that_of_wcag():
    assert contrast("#777777", "#FFFFFF") == pytest.approx(4.478, abs=1e-3)


def test_every_symbol_has_its_letter():
    assert len(SIGNS) == len(set(SIGNS)) == len(SYMBOLS)


@pytest.mark.parametrize("scheme", [LIGHT, DARK])
def test_the_theme_of_the_pages_is_this_palette(scheme):
    theme = tomllib.loads(CONFIG.read_text(encoding="utf-8"))["theme"][scheme.scheme]
    blue, orange = scheme.outcomes[:2]
    tokens = {
        "backgroundColor": scheme.ground,
        "secondaryBackgroundColor": scheme.soft,
        "dataframeHeaderBackgroundColor": scheme.soft,
        "textColor": scheme.ink,
        "borderColor": scheme.border,
        "linkColor": scheme.link,
        "greenColor": scheme.accent,
        "greenBackgroundColor": scheme.wash,
        "greenTextColor": scheme.wash_ink,
        "yellowBackgroundColor": scheme.flag,
        "yellowTextColor": scheme.flag_ink,
        "redBackgroundColor": scheme.alarm,
        "redTextColor": scheme.alarm_ink,
        "grayTextColor": scheme.muted,
    }
    for name, tones in (("blue", blue), ("orange", orange)):
        tokens[f"{name}Color"] = tones.mark
        tokens[f"{name}TextColor"] = tones.text
        tokens[f"{name}BackgroundColor"] = tones.soft
    assert {name: theme[name] for name in tokens} == tokens
    for name in ("blue", "orange", "green", "gray"):
        assert contrast(theme[f"{name}TextColor"], theme[f"{name}BackgroundColor"]) >= 4.5
    assert contrast(theme["primaryColor"], "#FFFFFF") >= 3  # the words of a button are large


def test_all_pairs_of_tokens_differ_between_schemes():
    for name in ("ground", "ink", "grid", "line", "histogram", "branch", "accent"):
        assert getattr(LIGHT, name) != getattr(DARK, name)
    pairs = itertools.combinations((tones.mark for tones in LIGHT.outcomes), 2)
    assert all(one != other for one, other in pairs)
