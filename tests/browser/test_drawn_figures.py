"""A real browser draws the figures: names stay text, and nothing is missing."""

from collections.abc import Iterator
from pathlib import Path

import plotly.io
import pytest
from playwright.sync_api import Browser, Page
from plotly.offline import get_plotlyjs

from glocalx import plots
from tests.browser.serving import window
from tests.plots.drawn import LINK, TEX, figures, hostile, pictures
from tests.plots.test_tree import COLOURS, clustered


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page that fails the test if the console saw an error."""
    context = window(browser, 700)
    opened = context.new_page()
    errors: list[str] = []
    opened.on("console", lambda message: errors.append(message.text))
    opened.on("pageerror", lambda error: errors.append(str(error)))
    yield opened
    context.close()
    assert not errors


def _show(page: Page, drawings: list[plots.Drawing], folder: Path) -> None:
    parts = [
        plotly.io.to_html(each.figure, include_plotlyjs=False, full_html=False, config=plots.CONFIG)
        for each in drawings
    ]
    path = folder / "figures.html"
    head = f"<meta charset=utf-8><script>{get_plotlyjs()}</script>"
    path.write_text(f"<html><head>{head}</head><body>{''.join(parts)}</body></html>", "utf-8")
    page.goto(path.as_uri())
    page.wait_for_function(f"document.querySelectorAll('.main-svg').length >= {len(drawings)}")


def test_names_of_the_table_are_drawn_literally(page: Page, tmp_path: Path):
    every = figures(hostile())
    names = ("flow", "tree", "matrix", "side by side", "forest")
    _show(page, [drawing for name in names for drawing in every[name]("light")], tmp_path)
    assert page.locator("a").count() == 0
    assert page.locator("svg i, svg script, svg foreignObject, mjx-container").count() == 0
    texts = "\n".join(page.locator("svg text").all_text_contents())
    assert LINK[:15] in texts
    assert TEX in texts
    assert "<b>" in texts
    assert "&lt;" not in texts


def test_pictures_are_drawn_and_their_texts_are_literal(page: Page, tmp_path: Path):
    drawn = [picture for draw in pictures(hostile()).values() for picture in draw("light")]
    path = tmp_path / "pictures.html"
    legend = figures(hostile())["tree"]("light")[0].legend
    body = "".join([legend, *(picture.html for picture in drawn)])
    path.write_text(f"<meta charset=utf-8><body style='width:400px'>{body}", "utf-8")
    page.goto(path.as_uri())
    sizes = page.locator("img").evaluate_all("all => all.map(each => [each.complete, each.width])")
    assert len(sizes) == len(drawn)
    assert all(complete and width > 150 for complete, width in sizes)
    assert page.locator("a, script, i, mjx-container").count() == 0
    texts = "\n".join(page.locator("span").all_text_contents())
    assert LINK[:15] in texts
    assert TEX in texts
    assert "&lt;" not in texts


def test_the_whole_tree_of_many_rules_is_drawn(page: Page, tmp_path: Path):
    hierarchy, _ = clustered(1_500)
    _show(page, [plots.merge_tree(hierarchy, 1_499, COLOURS, window=None, height=720)], tmp_path)
    lengths = page.locator(".shapelayer path").evaluate_all(
        "lines => lines.map(line => line.getTotalLength())"
    )
    assert len(lengths) == 3  # one for each outcome, and one for several
    assert sum(lengths) > 100_000
    assert page.locator(".points path").count() > 1_490
