"""What every test in a browser does: open, wait for a state, see, press, fill, upload.

Nothing waits for a time. While a page is drawn anew, Streamlit keeps what it has shown and marks it
as stale: here only what is fresh is found, so that no text is there twice for a moment.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from playwright.sync_api import Locator, Page, TimeoutError, expect

from glocalx.workspace.run import Run
from tests.browser.serving import COOKIE, Server
from tests.patience import ANOTHER_TRY, TRIES

FRESH = ":not([data-stale=true] *)"


def fresh(found: Locator) -> Locator:
    """Of what was found, what belongs to the page as it is being drawn."""
    return found.and_(found.page.locator(FRESH))


def text(page: Page, words: str | re.Pattern[str], exact: bool = False) -> Locator:
    return fresh(page.get_by_text(words, exact=exact))


def button(page: Page, label: str) -> Locator:
    """A button; its name may begin with that of its icon."""
    return fresh(page.get_by_role("button", name=re.compile(rf"\b{re.escape(label)}(?!\w)")))


def heading(page: Page, name: str | re.Pattern[str], exact: bool = False) -> Locator:
    return fresh(page.get_by_role("heading", name=name, exact=exact))


def metric(page: Page, label: str) -> Locator:
    """The figure under a label."""
    return fresh(page.get_by_test_id("stMetric").filter(has_text=label)).get_by_test_id(
        "stMetricValue"
    )


def sees(page: Page, *words: str | re.Pattern[str]) -> None:
    """Wait until each of these texts is there, once."""
    for each in words:
        expect(text(page, each)).to_be_visible()


def settled(page: Page) -> None:
    """Wait until the page has been drawn to its end, and nothing of the last one is left.

    The first figure or table of a page comes later than its script: its place is a skeleton.
    """
    page.wait_for_function("window.runs && !window.runs.asked && !window.runs.going")
    app = page.get_by_test_id("stApp")
    expect(app).to_have_attribute("data-test-script-state", "notRunning")
    expect(page.locator("[data-stale=true], [data-testid=stSkeleton]")).to_have_count(0)


def press(page: Page, label: str) -> None:
    """Press a button of a page that stands still: a click while it is redrawn may be lost."""
    settled(page)
    button(page, label).click()


def press_at_once(page: Page, label: str) -> None:
    """Press a button of a page that moves by itself."""
    button(page, label).click()


def insist(act: Callable[[float], object], shows: Callable[[float], object]) -> None:
    """Do something again until it shows, as a person does whose click was lost.

    A page may begin to be redrawn by itself just when it is clicked (after a click in a plot, or
    when the address was rewritten). Both get the milliseconds that they may wait.
    """
    wait = 1000.0 * ANOTHER_TRY
    for _ in range(TRIES):
        with suppress(TimeoutError):
            act(wait)
        with suppress(AssertionError):
            shows(wait)
            return
    shows(wait)


def press_offered(page: Page, opener: Locator, label: str) -> None:
    """Press a button that hangs on another one: opened anew where the page has moved meanwhile."""
    wanted = button(page, label)
    for left in reversed(range(TRIES)):
        try:
            settled(page)
            if wanted.is_visible():
                page.keyboard.press("Escape")
            opener.click(timeout=1000 * ANOTHER_TRY)
            wanted.click(timeout=1000 * ANOTHER_TRY)
            return
        except TimeoutError:
            if not left:
                raise


def slide(page: Page, name: str, keys: tuple[str, ...], shows: Callable[[float], object]) -> None:
    """Move a slider by keys that lead to the same place however often: Home or End is the first."""

    def press_keys(wait: float) -> None:
        settled(page)
        for key in keys:
            fresh(page.get_by_role("slider", name=name)).press(key, timeout=wait)

    insist(press_keys, shows)


def choose(page: Page, option: str) -> None:
    """Choose one of several that are written out, and wait until the page has taken it."""
    settled(page)
    text(page, option, exact=True).click()
    expect(fresh(page.get_by_role("radio", name=option)).last).to_be_checked()
    settled(page)


def fill(page: Page, label: str, value: str) -> None:
    """Put a number into a field, and wait until the page has taken it."""
    entry = fresh(page.get_by_role("spinbutton", name=label))
    entry.fill(value)
    entry.press("Enter")
    expect(entry).to_have_value(re.compile(rf"^{value}(\.0+)?$"))
    settled(page)


def upload(page: Page, file: dict[str, Any]) -> None:
    fresh(page.locator("input[type=file]")).set_input_files(file)  # type: ignore[arg-type]


def csv_file(name: str, content: str) -> dict[str, Any]:
    return {"name": name, "mimeType": "text/csv", "buffer": content.encode()}


def link(server: Server, path: str, run: Run, **query: object) -> str:
    return f"{server.address}/{path}?{urlencode({'run': run.id, **query})}"


def open_page(page: Page, server: Server, path: str, run: Run, **query: object) -> None:
    """Open a page of a run as its owner."""
    be_owner(page, server, run)
    page.goto(link(server, path, run, **query))


def run_shown(page: Page) -> str:
    """The run that the page is about, from its address."""
    return parse_qs(urlsplit(page.url).query)["run"][0]


def be_owner(page: Page, server: Server, run: Run) -> None:
    who = run.owner.removeprefix("browser:")
    page.context.add_cookies([{"name": COOKIE, "value": who, "url": server.address}])


def open_link(page: Page, address: str) -> None:
    """Open a link that somebody else has sent."""
    page.goto(address)
    sees(page, "somebody else’s run")


def click_row(page: Page, row: int, column: str = "") -> None:
    """Select a row of the first table, or the first with such a column, by its box at the left.

    The table is one canvas. A click while it is put up anew is lost; the table beside it, for
    those who hear it, says whether the row is selected.
    """
    settled(page)
    table = page.get_by_test_id("stDataFrame").filter(visible=True, has_text=column).first
    table.scroll_into_view_if_needed()
    there = table.locator(f"tr[aria-rowindex='{row + 2}']")
    expect(there).to_be_attached()
    insist(
        lambda wait: table.click(position={"x": 20, "y": 35 * row + 53}, timeout=wait),
        lambda wait: expect(there).to_have_attribute("aria-selected", "true", timeout=wait),
    )


def cell(page: Page, words: str) -> Locator:
    """A cell of the table that stands for the canvas where there is no screen."""
    return fresh(page.locator("[role=gridcell]", has_text=words)).first


def expect_no_wider_than_the_window(page: Page) -> None:
    page.wait_for_function("document.documentElement.scrollWidth <= innerWidth")


def expect_to_fit_a_phone(page: Page) -> None:
    wide = page.viewport_size
    assert wide
    page.set_viewport_size({"width": 420, "height": 900})
    expect_no_wider_than_the_window(page)
    page.set_viewport_size(wide)


def expect_no_exception(page: Page) -> None:
    settled(page)
    expect(page.get_by_test_id("stException")).to_have_count(0)
