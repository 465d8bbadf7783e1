"""What holds for every figure: it builds, says what it shows, and shows data as plain text."""

import re
from collections.abc import Iterable, Sized

import pytest

from glocalx.plots import CONFIG
from tests.plots.drawn import compas, figures, hostile

NAMES = (
    *("flow", "tree", "tree by distance", "first step", "no step", "whole tree"),
    *("curve", "matrix", "side by side"),
    *("confusion", "forest", "heat map"),
)
OUR_MARKUP = re.compile(
    r'</?b>|<br>|<extra></extra>|<span style="color:#[0-9A-F]{6}">|</span>', re.IGNORECASE
)


@pytest.fixture(scope="module")
def real():
    return figures(compas())


@pytest.fixture(scope="module")
def nasty():
    return figures(hostile())


def test_all_figures_are_looked_at(real):
    assert sorted(real) == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_it_builds_and_says_what_it_shows(real, name):
    drawings = real[name]("light")
    assert drawings
    for drawing in drawings:
        assert re.search(r"\d", drawing.alt)
        assert drawing.alt.endswith(".")
        assert not OUR_MARKUP.search(drawing.alt)
        assert drawing.figure.layout.height >= 20


@pytest.mark.parametrize("name", NAMES)
def test_light_and_dark_differ_in_colours_alone(real, name):
    for light, dark in zip(real[name]("light"), real[name]("dark"), strict=True):
        assert light.alt == dark.alt
        one, other = light.figure.to_json(), dark.figure.to_json()
        assert one != other
        hidden = re.compile(r"#[0-9A-Fa-f]{6}")
        assert hidden.sub("#", one) == hidden.sub("#", other)


@pytest.mark.parametrize("name", NAMES)
def test_no_legend_entry_is_without_a_name(real, name):
    for drawing in real[name]("light"):
        if drawing.figure.layout.showlegend:
            for trace in drawing.figure.data:
                assert trace.type == "heatmap" or trace.showlegend is False or trace.name


@pytest.mark.parametrize("name", NAMES)
def test_names_of_the_table_stay_text(nasty, name):
    for drawing in nasty[name]("light"):
        for text in _shown_texts(drawing.figure):
            rest = OUR_MARKUP.sub("", text)
            assert "<" not in rest, text
            assert "$" not in rest, text
            assert "\n" not in rest, text


@pytest.mark.parametrize("name", NAMES)
def test_templates_hold_no_text_of_the_table(nasty, name):
    """Plotly fills %{…} in templates, so that data in one could name other data."""
    for drawing in nasty[name]("light"):
        for trace in drawing.figure.data:
            template = getattr(trace, "hovertemplate", None) or ""
            for word in ("href", "alpha", "%{customdata}</i>", "label"):
                assert word not in template


def test_nothing_can_be_dragged_and_no_bar_is_shown(real):
    assert CONFIG["displayModeBar"] is False
    for drawing in real["curve"]("light"):
        assert drawing.figure.layout.dragmode is False
        assert drawing.figure.layout.xaxis.fixedrange


def _shown_texts(figure):
    """Every text that plotly shows; of customdata only what a hover template names."""
    for trace in figure.data:
        yield from _strings([trace.name, getattr(trace, "text", None)])
        template = getattr(trace, "hovertemplate", None) or ""
        yield template
        yield from _strings(_named_by(template, getattr(trace, "customdata", None)))
    for annotation in figure.layout.annotations:
        yield annotation.text
    for axis in ("xaxis", "yaxis"):
        yield from _strings([figure.layout[axis].ticktext, figure.layout[axis].title.text])


def _named_by(template, customdata):
    if customdata is None:
        return []
    if "%{customdata}" in template:
        return customdata
    places = {int(place) for place in re.findall(r"customdata\[(\d+)\]", template)}
    rows = [row for row in customdata if not isinstance(row, str)]
    cells = [cell for row in rows for cell in row] if _is_table(rows) else rows
    return [cell[place] for cell in cells for place in places]


def _is_table(rows):
    """Rows of cells that each hold several values, as in a heat map."""
    first = rows[0][0] if len(rows) else ""
    return isinstance(first, Sized) and not isinstance(first, str) and len(first) > 1


def _strings(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, Iterable):
        for item in value:
            yield from _strings(item)
