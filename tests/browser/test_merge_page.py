"""Merging is watched in a real browser: step, play, pause, scrub, click, reload, hand on."""

import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, TimeoutError, expect

from glocalx.workspace.run import Run
from glocalx.workspace.sample_runs import open_sample
from glocalx.workspace.store import Workspace
from tests.browser.conftest import Server

pytestmark = pytest.mark.xdist_group("browser")  # one server and one browser for all of them

SECONDS = 60_000
OWNER = "merge-tester"


@pytest.fixture(scope="module")
def merge_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A dashboard whose workspace the tests can put runs into."""
    running = Server(tmp_path_factory.mktemp("merge"))
    running.start()
    yield running
    running.kill()


@pytest.fixture
def run(merge_server: Server) -> Run:
    return open_sample(Workspace(Path(merge_server.workspace)), f"browser:{OWNER}", "compas")


def open_page(page: Page, server: Server, run: Run, **query: object) -> None:
    """As the owner of the run; the first page comes first, as it does for people."""
    page.set_default_timeout(SECONDS)
    page.context.add_cookies([{"name": "glocalx_browser", "value": OWNER, "url": server.address}])
    page.goto(server.address)
    expect(page.get_by_role("heading", level=1)).to_be_visible(timeout=SECONDS)
    said = "&".join(f"{name}={value}" for name, value in {"run": run.id, **query}.items())
    page.goto(f"{server.address}/merge?{said}")


def at_step(page: Page, number: int) -> None:
    status = page.get_by_text(re.compile(rf"^Step {number:,} of "))
    expect(status).to_be_visible(timeout=SECONDS)


def step_shown(page: Page) -> int:
    text = page.get_by_text(re.compile(r"^Step [\d,]+ of ")).inner_text()
    found = re.match(r"Step ([\d,]+)", text)
    assert found
    return int(found[1].replace(",", ""))


def press(page: Page, label: str) -> None:
    page.get_by_role("button", name=re.compile(rf"\b{label}\b")).click()


def test_step_back_scrub_and_end(page: Page, merge_server: Server, run: Run):
    open_page(page, merge_server, run, step=100)
    at_step(page, 100)
    page.get_by_role("button", name="10 steps").click()
    at_step(page, 110)
    expect(page.get_by_role("heading", name="Step 110")).to_be_visible(timeout=SECONDS)
    page.get_by_role("heading", name="Merge", level=1).click()
    page.keyboard.press("ArrowLeft")
    at_step(page, 109)
    page.keyboard.press("ArrowRight")
    at_step(page, 110)
    page.get_by_role("slider").first.focus()
    page.keyboard.press("ArrowRight")
    at_step(page, 111)  # once: the slider's own key is not taken for the button's
    press(page, "End")
    at_step(page, run.figures["merges"])
    expect(page.get_by_text("The end.")).to_be_visible(timeout=SECONDS)
    assert run.id in page.url
    expect(page.get_by_test_id("stException")).to_have_count(0)


def test_play_moves_and_pause_stands_still(page: Page, merge_server: Server, run: Run):
    open_page(page, merge_server, run, step=0)
    at_step(page, 0)
    page.get_by_text("5×", exact=True).click()
    press(page, "Play")
    expect(page.get_by_role("heading", name=re.compile(r"^Step \d+$"))).to_be_visible(
        timeout=SECONDS
    )
    press(page, "Pause")
    expect(page.get_by_role("button", name=re.compile("Play"))).to_be_visible(timeout=SECONDS)
    page.wait_for_function("location.search.includes('step=')", timeout=SECONDS)
    stood = step_shown(page)
    assert 0 < stood < run.figures["merges"]
    assert stood % 5 == 0
    time.sleep(2)
    assert step_shown(page) == stood


def test_a_click_on_a_point_shows_its_rules_and_goes_there(
    page: Page, merge_server: Server, run: Run
):
    open_page(page, merge_server, run, step=60)
    at_step(page, 60)
    press(page, "Step")
    at_step(page, 61)
    points = page.get_by_test_id("stPlotlyChart").first.locator(".scatterlayer path.point")
    expect(points.first).to_be_visible(timeout=SECONDS)
    _click_one_of(page, points)
    window = page.get_by_role("dialog")
    expect(window.get_by_text(re.compile("^Covers ")).first).to_be_visible(timeout=SECONDS)
    go = window.get_by_role("button", name=re.compile("Go to step"))
    expect(go).to_be_visible(timeout=SECONDS)
    wanted = int(go.inner_text().split()[-1])
    go.click()
    expect(window).to_have_count(0, timeout=SECONDS)
    at_step(page, wanted)


def _click_one_of(page: Page, points: Locator) -> None:
    """Click points, the newest merges first, until a window opens."""
    for place in range(points.count() - 3, points.count() - 9, -1):
        box = points.nth(place).bounding_box()
        assert box
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.mouse.move(x - 4, y - 4)
        page.mouse.move(x, y)
        time.sleep(0.5)  # the figure looks for the nearest point after a while
        page.mouse.down()
        page.mouse.up()
        try:
            page.get_by_role("dialog").wait_for(timeout=8_000)
        except TimeoutError:  # two points may lie upon each other
            continue
        return


def test_a_link_opened_elsewhere_shows_the_same_step(
    page: Page, browser: Browser, merge_server: Server, run: Run
):
    open_page(page, merge_server, run, step=120)
    at_step(page, 120)
    press(page, "Step")
    at_step(page, 121)
    page.wait_for_function("location.search.includes('step=121')", timeout=SECONDS)
    elsewhere = browser.new_context(viewport={"width": 420, "height": 900})
    other = elsewhere.new_page()
    other.goto(page.url)
    at_step(other, 121)
    expect(other.get_by_text("somebody else’s run")).to_be_visible(timeout=SECONDS)
    expect(other.get_by_role("heading", name="From start to end")).to_be_visible(timeout=SECONDS)
    assert other.evaluate("document.documentElement.scrollWidth <= innerWidth")
    elsewhere.close()


def test_merging_goes_on_over_a_reload(page: Page, merge_server: Server, run: Run):
    rules = run.figures["different_rules"]
    run.file("merge").unlink()
    open_page(page, merge_server, run)
    expect(page.get_by_text(f"{rules:,} different rules")).to_be_visible(timeout=SECONDS)
    press(page, "End")
    page.reload()
    at_step(page, run.figures["merges"])
    expect(page.get_by_role("button", name=re.compile("Choose the global theory"))).to_be_enabled(
        timeout=SECONDS
    )


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_a_phone(page: Page, merge_server: Server, run: Run, scheme: str):
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": 420, "height": 900})
    open_page(page, merge_server, run, step=200)
    expect(page.get_by_role("heading", name="Was each merge worth it?")).to_be_visible(
        timeout=SECONDS
    )
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
