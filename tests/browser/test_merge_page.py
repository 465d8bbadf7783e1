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
    settled(page)
    page.keyboard.press("ArrowRight")  # the focus stays on the slider
    at_step(page, 112)
    expect(page).to_have_url(re.compile(f"run={compas.id}.*step=112"))
    said = page.get_by_role("status").filter(has_text=re.compile(r"^Now step 112 of "))
    expect(said).to_be_attached()

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
    text(page, "1×", exact=True).click()  # the slowest: a busy machine has a minute to press Pause
    settled(page)
    press(page, "Play")
    expect(heading(page, re.compile(r"^Step (?!60$)\d+$"))).to_be_visible()
    press_at_once(page, "Pause")
    expect(button(page, "Play")).to_be_visible()
    settled(page)
    stood = step_shown(page)
    assert 60 < stood < compas.figures["merges"]
    for number in (stood + 1, stood + 2, stood + 3):  # nothing but the button moves it
        press(page, "Step")
        at_step(page, number)
        settled(page)

    points = page.get_by_test_id("stPlotlyChart").first.locator(".scatterlayer path.point")
    expect(points.first).to_be_visible()
    _click_another_step(page, points, stood + 3)
    window = page.get_by_role("dialog")
    expect(window.get_by_text(re.compile("^Covers ")).first).to_be_visible()
    go = window.get_by_role("button", name=re.compile("Go to step"))
    wanted = int(go.inner_text().split()[-1])
    insist(
        lambda wait: go.click(timeout=wait),
        lambda wait: expect(window).to_have_count(0, timeout=wait),
    )
    at_step(page, wanted)


TOO_HIGH = """() => ['[data-testid=stMain]', '.st-key-lecture_tree', '.st-key-lecture_step']
    .filter(each => {
        const found = document.querySelector(each);
        return found.scrollHeight > found.clientHeight;
    })"""
TOPS = """() => ['.st-key-lecture_moves', '.st-key-lecture_step', '.st-key-lecture_numbers']
    .map(each => document.querySelector(each).getBoundingClientRect().top)"""


def test_a_lecture_is_one_screen_that_keys_lead_through(page: Page, dashboard: Server, compas: Run):
    page.set_viewport_size({"width": 1280, "height": 720})
    open_page(page, dashboard, "merge", compas, step=60)
    at_step(page, 60)
    settled(page)
    insist(
        lambda wait: "view=lecture" in page.url or page.keyboard.press("l"),
        lambda wait: expect(page).to_have_url(re.compile("view=lecture"), timeout=wait),
    )
    expect(heading(page, "Step 60", exact=True)).to_be_visible()
    settled(page)
    steps, tops = [60], []
    for key, name in zip("jcrd", ("join", "cut", "refusal", "fidelity drop"), strict=True):
        insist_on_another_step(page, key, steps)
        expect(text(page, f"of {compas.figures['merges']}", exact=True)).to_be_visible()
        assert page.evaluate(TOO_HIGH) == [], name
        tops.append(page.evaluate(TOPS))
    assert tops == tops[:1] * 4
    press(page, "Settings")
    seed = page.get_by_role("spinbutton", name="Seed")
    seed.press("c")
    seed.press("Escape")
    settled(page)
    expect(heading(page, f"Step {steps[-1]}", exact=True)).to_be_visible()
    page.get_by_role("heading", level=1).click()
    page.keyboard.press("l")
    at_step(page, steps[-1])
    page.set_viewport_size({"width": 1440, "height": 900})


def insist_on_another_step(page: Page, key: str, steps: list[int]) -> None:
    """Press a key until another step is shown; note it."""
    before = heading(page, f"Step {steps[-1]:,}", exact=True)
    insist(
        lambda wait: page.keyboard.press(key),
        lambda wait: expect(before).to_have_count(0, timeout=wait),
    )
    settled(page)
    shown = page.get_by_role("heading", level=1).inner_text()
    steps.append(int(shown.split()[-1].replace(",", "")))
    assert steps[-1] > steps[-2]


LITTLE = 2_000  # milliseconds until another point is tried
UNDER_THE_MOUSE = """shown => [...document.querySelectorAll('.js-plotly-plot')]
    .flatMap(figure => figure._hoverdata || [])
    .some(point => point.customdata?.[0] && point.customdata[0] !== shown)"""


def _click_another_step(page: Page, points: Locator, shown: int) -> None:
    """Click points, the newest first, until a window opens: some lie under others or are leaves."""
    for place in range(points.count() - 1, -1, -1):
        box = points.nth(place).bounding_box()
        assert box
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.mouse.move(x - 4, y - 4)
        page.mouse.move(x, y)
        with suppress(TimeoutError):
            page.wait_for_function(UNDER_THE_MOUSE, arg=shown, timeout=LITTLE)
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
    settled(page)  # it was heard: a page that is left at once sends nothing
    page.reload()
    at_step(page, own_compas.figures["merges"])
    expect(button(page, "Choose the global theory")).to_be_enabled()
