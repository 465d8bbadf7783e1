"""What every test in a browser does: wait for a state, press, fill, upload, open."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.conftest import Server

SLOW = 120_000  # milliseconds until a state counts as never reached: CI has other work, too
COOKIE = "glocalx_browser"


def settled(page: Page) -> None:
    """Wait until the page has been drawn to its end, and nothing of the last one is left."""
    app = page.get_by_test_id("stApp")
    expect(app).to_have_attribute("data-test-script-state", "notRunning", timeout=SLOW)


def press(page: Page, label: str) -> None:
    """Press a button; its name may begin with that of its icon."""
    page.get_by_role("button", name=re.compile(rf"\b{label}\b")).click(timeout=SLOW)


def fill(page: Page, label: str, value: str) -> None:
    """Put a number into a field, and wait until the page has taken it."""
    entry = page.get_by_role("spinbutton", name=label)
    entry.fill(value, timeout=SLOW)
    entry.press("Enter")
    expect(entry).to_have_value(re.compile(rf"^{value}(\.0+)?$"), timeout=SLOW)
    settled(page)


def upload(page: Page, file: dict[str, Any]) -> None:
    page.locator("input[type=file]").set_input_files(file, timeout=SLOW)  # type: ignore[arg-type]


def open_as(page: Page, server: Server, who: str, address: str) -> None:
    """Open an address as somebody who was here before."""
    page.set_default_timeout(SLOW)
    page.context.add_cookies([{"name": COOKIE, "value": who, "url": server.address}])
    page.goto(address)


def open_sample(page: Page, address: str) -> str:
    """Open the COMPAS sample; the id of its run."""
    page.set_default_timeout(SLOW)
    page.goto(address)
    page.get_by_role("button", name="Open the sample").click()
    page.wait_for_url("**run=*", timeout=SLOW)
    return page.url.split("run=")[1].split("&")[0]


def colleague(browser: Browser, address: str) -> Page:
    """The same address in another browser, on a phone; close its context at the end."""
    context = browser.new_context(viewport={"width": 420, "height": 900})
    page = context.new_page()
    page.set_default_timeout(SLOW)
    page.goto(address)
    expect(page.get_by_text("somebody else’s run")).to_be_visible(timeout=SLOW)
    return page


def click_row(page: Page, row: int) -> None:
    """Select a row of the first table by its box at the left: the table is one canvas."""
    table = page.get_by_test_id("stDataFrame").first
    table.scroll_into_view_if_needed(timeout=SLOW)
    table.click(position={"x": 20, "y": 35 * row + 53})


def cell(page: Page, text: str) -> Locator:
    """A cell of the table that stands for the canvas where there is no screen."""
    return page.locator("[role=gridcell]", has_text=text).first


def expect_no_wider_than_the_window(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def expect_no_exception(page: Page) -> None:
    expect(page.get_by_test_id("stException")).to_have_count(0)
