"""Pictures of every page, light and dark, wide and narrow: `make screenshots`.

A server of its own with the COMPAS sample, so that the pictures are the same everywhere.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.browser.serving import COOKIE, Server, launch
from tests.patience import PATIENCE

PAGES = {
    "start": "",
    "data": "data",
    "local_rules": "rules",
    "merge": "merge",
    "lecture": "merge",
    "theory": "theory",
    "audit": "audit",
    "compare": "compare",
    "learn": "learn",
    "learn_cases": "learn",
    "runs": "runs",
}
QUERIES = {
    "local_rules": "&record=9",
    "merge": "&step=120&merge_calculation=true",
    "lecture": "&step=120&view=lecture",
    "learn": "&pair=19",
    "learn_cases": "&part=Where+it+misleads",
}
WIDTHS = (1440, 420)
SCHEMES = ("light", "dark")
MOST_HEIGHT = 9000


NOTHING_MOVES = """() => {
    const main = document.querySelector('[data-testid=stMain]');
    const works = document.querySelector('[data-testid=stStatusWidget], [data-testid=stSpinner],'
        + ' [data-testid=stSkeleton], [data-stale=true],'
        + ' [data-testid=stApp]:not([data-test-script-state=notRunning])');
    if (!main || !main.querySelector('h1') || works) { window.alike = 0; return false; }
    const now = main.scrollHeight + ' ' + main.getElementsByTagName('*').length;
    window.alike = now === window.before ? window.alike + 1 : 0;
    window.before = now;
    return window.alike >= 3;
}"""


def settle(page: Page) -> None:
    """Wait until the page has stopped working and looks the same four times in a row."""
    page.wait_for_function(NOTHING_MOVES, polling=100, timeout=1000 * PATIENCE)


def whole_page(page: Page, width: int) -> None:
    """Make the window as high as the page: Streamlit scrolls inside it."""
    height = page.evaluate("document.querySelector('[data-testid=stMain]').scrollHeight")
    page.set_viewport_size({"width": width, "height": min(int(height) + 20, MOST_HEIGHT)})
    page.evaluate("window.alike = 0")
    settle(page)


BROWSER = "screenshots"


def window(browser: Browser, address: str, width: int, scheme: str) -> BrowserContext:
    """A window of the one browser that the run belongs to."""
    context = browser.new_context(
        viewport={"width": width, "height": 1000},
        color_scheme="dark" if scheme == "dark" else "light",
    )
    context.add_cookies([{"name": COOKIE, "value": BROWSER, "url": address}])
    return context


def open_run(browser: Browser, address: str) -> str:
    """Open the sample and let its model be trained; the id of the run."""
    page = window(browser, address, 1440, "light").new_page()
    page.goto(address)
    page.get_by_role("button", name="Open the sample").click()
    page.wait_for_url("**run=*", timeout=1000 * PATIENCE)
    settle(page)
    run = page.url.split("run=")[1].split("&")[0]
    page.goto(f"{address}/theory?run={run}")
    train = page.get_by_role("button", name="Train")
    settle(page)
    if train.count():
        train.first.click()
        settle(page)
    return run


def take(browser: Browser, address: str, run: str, out: Path) -> None:
    for scheme in SCHEMES:
        for width in WIDTHS:
            context = window(browser, address, width, scheme)
            page = context.new_page()
            for name, path in PAGES.items():
                page.set_viewport_size({"width": width, "height": 1000})
                page.goto(f"{address}/{path}?run={run}{QUERIES.get(name, '')}")
                settle(page)
                whole_page(page, width)
                page.screenshot(path=out / f"{name}_{width}_{scheme}.png")
            context.close()


def main(out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder) / "workspace")
        server.start()
        browser = launch(playwright)
        try:
            take(browser, server.address, open_run(browser, server.address), out)
        finally:
            browser.close()
            server.kill()


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "build/screenshots"))
