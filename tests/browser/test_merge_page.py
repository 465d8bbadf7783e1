"""Merging is watched in a real browser: step, play, pause, scrub, click, reload."""

import re
from contextlib import suppress

from playwright.sync_api import Locator, Page, TimeoutError, expect

from glocalx.workspace.run import Run
from tests.browser.serving import Server
from tests.browser.steps import (
    button,
    expect_no_exception,
    expect_to_fit_a_phone,
    heading,
    insist,
    open_page,
    press,
    press_at_once,
    sees,
    settled,
    text,
)
from tests.patience import ANOTHER_TRY


def at_step(page: Page, number: int) -> None:
    sees(page, re.compile(rf"^Step {number:,} of "))


def step_shown(page: Page) -> int:
    shown = text(page, re.compile(r"^Step [\d,]+ of ")).inner_text()
    found = re.match(r"Step ([\d,]+)", shown)
    assert found
    return int(found[1].replace(",", ""))


def test_step_back_scrub_in_the_dark_and_on_a_phone_and_end(
    page: Page, dashboard: Server, compas: Run
):
    open_page(page, dashboard, "merge", compas, step=100)
    at_step(page, 100)
    settled(page)
    press(page, "10 steps")
    at_step(page, 110)
    expect(heading(page, "Step 110")).to_be_visible()
    page.get_by_role("heading", name="Merge", level=1).click()
    settled(page)
    page.keyboard.press("ArrowLeft")
    at_step(page, 109)
    settled(page)
    page.keyboard.press("ArrowRight")
    at_step(page, 110)
    settled(page)
    page.get_by_role("slider").first.focus()
    page.keyboard.press("ArrowRight")
    at_step(page, 111)  # once: the slider's own key is not taken for the button's
    expect(page).to_have_url(re.compile(f"run={compas.id}.*step=111"))

    page.emulate_media(color_scheme="dark")
    for title in ("From start to end", "Was each merge worth it?"):
        expect(heading(page, title)).to_be_visible()
    expect_to_fit_a_phone(page)

    press(page, "End")
    at_step(page, compas.figures["merges"])
    sees(page, "The end.")
    expect_no_exception(page)


def test_play_moves_pause_stands_still_and_a_click_on_a_point_shows_its_rules(
    page: Page, dashboard: Server, compas: Run
):
    open_page(page, dashboard, "merge", compas, step=60)
    at_step(page, 60)
    settled(page)
    text(page, "5×", exact=True).click()
    settled(page)
    press(page, "Play")
    expect(heading(page, re.compile(r"^Step (?!60$)\d+$"))).to_be_visible()
    press_at_once(page, "Pause")
    expect(button(page, "Play")).to_be_visible()
    settled(page)
    stood = step_shown(page)
    assert 60 < stood < compas.figures["merges"]
    assert stood % 5 == 0
    for number in (stood + 1, stood + 2, stood + 3):  # nothing but the button moves it
        press(page, "Step")
        at_step(page, number)
        settled(page)

    points = page.get_by_test_id("stPlotlyChart").first.locator(".scatterlayer path.point")
    expect(points.first).to_be_visible()
    _click_one_of(page, points)
    window = page.get_by_role("dialog")
    expect(window.get_by_text(re.compile("^Covers ")).first).to_be_visible()
    go = window.get_by_role("button", name=re.compile("Go to step"))
    wanted = int(go.inner_text().split()[-1])
    insist(
        lambda wait: go.click(timeout=wait),
        lambda wait: expect(window).to_have_count(0, timeout=wait),
    )
    at_step(page, wanted)


UNDER_THE_MOUSE = """() => [...document.querySelectorAll('.js-plotly-plot')]
    .some(figure => figure._hoverdata && figure._hoverdata.length)"""


def _click_one_of(page: Page, points: Locator) -> None:
    """Click points, the newest merges first, until a window opens: some lie under others."""
    for place in range(points.count() - 3, -1, -1):  # the last are of the step that is shown
        box = points.nth(place).bounding_box()
        assert box
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.mouse.move(x - 4, y - 4)
        page.mouse.move(x, y)
        with suppress(TimeoutError):
            page.wait_for_function(UNDER_THE_MOUSE, timeout=5_000)
            page.mouse.down()
            page.mouse.up()
            page.get_by_role("dialog").wait_for(timeout=1000 * ANOTHER_TRY)
            return
    raise AssertionError("No point answers to a click.")


def test_merging_goes_on_over_a_reload(page: Page, dashboard: Server, own_compas: Run):
    own_compas.file("merge").unlink()
    open_page(page, dashboard, "merge", own_compas)
    sees(page, f"{own_compas.figures['different_rules']:,} different rules")
    press(page, "End")
    page.reload()
    at_step(page, own_compas.figures["merges"])
    expect(button(page, "Choose the global theory")).to_be_enabled()
