"""Learn in a real browser: draw, guess, step to the end; what is drawn is what the rules say."""

import re

from playwright.sync_api import Page, expect

from glocalx.lessons.presets import EDGES, Point, drawn
from glocalx.words.wording import Wording
from tests.browser.serving import Server
from tests.browser.steps import (
    choose,
    expect_no_exception,
    expect_to_fit_a_phone,
    fresh,
    insist,
    press,
    sees,
    settled,
    text,
)

SHAPES = """() => [...document.querySelectorAll('.js-plotly-plot')].at(-1).layout.shapes
    .map(s => [s.name, s.x0, s.x1, s.y0, s.y1])"""
PLACE = """() => {
    const plot = document.querySelector('.js-plotly-plot'), {xaxis, yaxis} = plot._fullLayout;
    const box = plot.getBoundingClientRect();
    return [box.x + xaxis._offset, xaxis._length, box.y + yaxis._offset, yaxis._length];
}"""
THERE = "document.querySelector('.js-plotly-plot')?._fullLayout?.xaxis?._length > 0"
POINTS = [
    Point(x, y, colour)
    for colour, places in (
        ("Blue", [(5, 5), (7, 9), (1, 2), (8, 9)]),
        ("Orange", [(3, 3), (8, 4), (3, 8), (3, 4)]),
    )
    for x, y in places
]


def _click(page: Page, point: Point, count: int) -> None:
    """Click where a point is to be, until there are so many."""

    def click(wait: float) -> None:
        settled(page)
        page.wait_for_function(THERE)
        left, width, top, height = page.evaluate(PLACE)
        (low, high), (bottom, upper) = EDGES
        across, up = (point.x - low) / (high - low), (point.y - bottom) / (upper - bottom)
        page.mouse.click(left + across * width, top + (1 - up) * height)

    drawn_there = fresh(page.get_by_role("figure", name=re.compile(f"with {count} point")))
    insist(click, lambda wait: expect(drawn_there).to_be_attached(timeout=wait))


def test_draw_guess_and_step_to_the_end_by_keys(page: Page, dashboard: Server):
    page.goto(f"{dashboard.address}/learn?scene=Draw+your+own")
    sees(page, "No points yet")
    for count, point in enumerate(POINTS, start=1):
        if count == 5:
            choose(page, "Orange")
        _click(page, point, count)
    scene = drawn(POINTS)
    sees(page, re.compile(r"^Pair 0 of "))
    settled(page)
    page.get_by_role("heading", name="Learn", level=1).click()
    insist(
        lambda wait: page.keyboard.press("ArrowRight"),
        lambda wait: expect(text(page, re.compile(r"^Pair 1 of "))).to_be_visible(timeout=wait),
    )
    settled(page)
    page.keyboard.press("a")
    sees(page, re.compile(r"^(Accepted|Turned down)\. (You were right|Not this time)\."))
    sees(page, re.compile(r"so the merge is (accepted|turned down)\.$"))
    press(page, "End")
    settled(page)
    page.keyboard.press("s")
    sees(page, re.compile(r"so the merge is (accepted|turned down)\."))
    settled(page)
    hierarchy = scene.merged()
    wording = Wording(scene.schema)
    found = {name.partition(": ")[2]: ends for name, *ends in page.evaluate(SHAPES)}
    for rule in hierarchy.rules():
        ground = scene.rectangle(rule)
        ends = [ground.left, ground.right, ground.bottom, ground.top]
        assert found[wording.rule(rule)] == ends
    expect_to_fit_a_phone(page)
    expect_no_exception(page)
