"""Learn in a real browser: draw, guess, step to the end; what is drawn is what the rules say."""

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from glocalx.lessons.presets import EDGES, Point, drawn
from glocalx.words.wording import Wording
from tests.browser.serving import Server
from tests.browser.steps import (
    button,
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

SHAPES = """() => [...document.querySelectorAll('.js-plotly-plot')][0].layout.shapes
    .map(s => [s.name, s.x0, s.x1, s.y0, s.y1])"""
GROUND = "document.querySelector('.plane-board .ground')"
PLACE = f"(() => {{ const {{x, y, width, height}} = {GROUND}.getBoundingClientRect(); "
PLACE += "return [x, width, y, height]; })()"
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
        page.locator(".plane-board .ground").first.scroll_into_view_if_needed()
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
    _drag_a_rule(page)
    expect_to_fit_a_phone(page)
    expect_no_exception(page)


def _drag_a_rule(page: Page) -> None:
    """A side of a rule follows the arrow keys and the mouse, and everything follows it."""
    text(page, "Set the local rules").click()
    handle = fresh(page.get_by_role("slider", name="x from", exact=True))
    before = handle.get_attribute("aria-valuenow")
    insist(
        lambda wait: handle.press("ArrowRight", timeout=wait),
        lambda wait: expect(handle).not_to_have_attribute("aria-valuenow", before, timeout=wait),
    )
    sees(page, re.compile(r"^Pair 0 of "))  # a lesson of its own
    settled(page)
    expect(handle).to_be_focused()
    top = fresh(page.get_by_role("slider", name="y to below", exact=True))
    stood, box = top.get_attribute("aria-valuenow"), top.bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"], box["y"] + 60, steps=3)
    page.mouse.up()
    settled(page)
    assert top.get_attribute("aria-valuenow") != stood
    expect(fresh(page.get_by_role("button", name="Back to the scene"))).to_be_enabled()


def test_the_hand_out_opens_offline(page: Page, dashboard: Server, tmp_path: Path):
    page.goto(f"{dashboard.address}/learn?part=Exercises")
    settled(page)
    with page.expect_download() as download:
        button(page, "Hand-out, one file for offline").click()
    kept = tmp_path / download.value.suggested_filename
    download.value.save_as(kept)
    asked: list[str] = []
    opened = page.context.new_page()
    opened.on("request", lambda request: asked.append(request.url))
    opened.goto(kept.as_uri())
    expect(opened.get_by_role("heading", level=1)).to_have_text("Loan of the paper")
    expect(opened.get_by_role("img", name="The local rules over the points")).to_be_visible()
    answer = opened.get_by_role("listitem").locator("details").first
    answer.get_by_text("Answer").click()
    expect(answer).to_have_attribute("open", "")
    opened.close()
    assert asked == [kept.as_uri()]
