"""The dashboard in a real browser: how long a person waits.

Seconds as a person sees them, from the click to the new figures on screen. They are printed
beside the limits that we set ourselves; a busy machine makes all of them longer.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from glocalx.extraction.settings import ExtractionSettings
from glocalx.pipeline.settings import RuleSettings
from glocalx.workspace.opened_run import OpenedRun
from glocalx.workspace.run import Run
from glocalx.workspace.sample_runs import sample_settings
from glocalx.workspace.store import Workspace
from tests.browser.serving import Server, launch

BROWSER = "benchmark"
PATIENCE = 120_000


def make_run(workspace: Workspace, sample: str, rules: RuleSettings, until: str | None) -> Run:
    """A run of this benchmark's browser, worked on here up to a stage."""
    settings = replace(sample_settings(sample), rules=rules)
    run = workspace.create(f"browser:{BROWSER}", sample, settings)
    if until is not None:
        for _ in OpenedRun(run, jobs=-1).iter_to(until):
            pass
    return run


def context_of(browser: Browser, address: str) -> BrowserContext:
    """A window of the browser that the runs belong to."""
    context = browser.new_context(viewport={"width": 1440, "height": 1000})
    context.set_default_timeout(PATIENCE)
    context.add_cookies([{"name": "glocalx_browser", "value": BROWSER, "url": address}])
    return context


def seconds_for(act: Callable[[], None], seen: Callable[[], None]) -> float:
    """From an act to what it brings on screen."""
    begun = time.perf_counter()
    act()
    seen()
    return time.perf_counter() - begun


def first_page(browser: Browser, server: Server) -> tuple[float, float]:
    """A cold server: from its start, and from the first call, to a button that can be pressed."""
    begun = time.perf_counter()
    server.start()
    page = context_of(browser, server.address).new_page()
    button = page.get_by_role("button", name="Open the sample")
    called = seconds_for(
        lambda: page.goto(server.address) and None, lambda: expect(button).to_be_enabled()
    )
    return time.perf_counter() - begun, called


def click_to_theory(page: Page, address: str, run: Run) -> float:
    """Train, write 300 local rules, merge, choose: from one click to the theory."""
    page.goto(f"{address}/data?run={run.id}")
    everything = page.get_by_role("button", name="Straight to the global theory")
    expect(everything).to_be_enabled()
    fidelity = page.get_by_test_id("stMetric").filter(has_text="Fidelity")
    return seconds_for(everything.click, lambda: expect(fidelity).to_be_visible())


WATCH = """() => {
    if (window.seen) return;
    const main = document.querySelector('[data-testid=stMainBlockContainer]');
    const told = () => [...main.querySelectorAll('h3, [data-testid=stMetricValue]')]
        .map(each => each.textContent).join('|');
    let before = told();
    window.seen = {};
    addEventListener('keydown', () => { window.seen = {key: performance.now()}; }, true);
    new MutationObserver(() => {
        const now = told();
        window.seen.last = performance.now();
        if (now !== before) window.seen.words ??= window.seen.last;
        before = now;
    }).observe(main, {subtree: true, childList: true, characterData: true, attributes: true,
                      attributeFilter: ['d', 'transform', 'src']});
}"""
QUIET = 1500  # milliseconds after which a page has drawn all that it will


def moves(page: Page, key: str, times: int) -> tuple[list[float], list[float]]:
    """Press a key on the slider: seconds until the new words, and until the last figure.

    Looked at from within the page: whoever searches it from outside makes it slower.
    """
    page.evaluate(WATCH)
    words, everything = [], []
    for _ in range(times):
        page.get_by_test_id("stSlider").first.locator("input").focus()
        page.keyboard.press(key)
        page.wait_for_function(
            f"window.seen.words && performance.now() - window.seen.last > {QUIET}"
        )
        seen = page.evaluate("window.seen")
        words.append((seen["words"] - seen["key"]) / 1000)
        everything.append((seen["last"] - seen["key"]) / 1000)
    return words, everything


def move_budget(page: Page, address: str, run: Run, times: int = 8) -> tuple[list[float], ...]:
    """Move the budget by one."""
    open_budget(page, address, run)
    return moves(page, "ArrowLeft", times)


def open_budget(page: Page, address: str, run: Run) -> None:
    page.goto(f"{address}/theory?run={run.id}&by=budget&value=30")
    expect(page.get_by_role("button", name="Audit these rules")).to_be_visible()
    page.wait_for_timeout(4000)


def move_step(page: Page, address: str, run: Run, times: int = 8) -> tuple[list[float], ...]:
    """Move the step slider by one."""
    page.goto(f"{address}/merge?run={run.id}&step=700")
    expect(page.get_by_role("heading", name="Was each merge worth it?")).to_be_visible()
    page.wait_for_timeout(4000)
    return moves(page, "ArrowRight", times)


def others_meanwhile(
    browser: Browser, address: str, big: Run, finished: Run, *, watched: bool
) -> tuple[list[float], ...]:
    """While one session merges, another moves its budget: only moves made meanwhile count.

    Whoever merges looks on, in a browser that takes its share of this machine, or has closed it.
    """
    page = context_of(browser, address).new_page()
    open_budget(page, address, finished)
    working = context_of(browser, address).new_page()
    working.goto(f"{address}/merge?run={big.id}")
    to_the_end = working.get_by_role("button", name="End")
    expect(to_the_end).to_be_visible()
    working.wait_for_timeout(4000)
    to_the_end.click()
    if not watched:
        working.wait_for_timeout(300)
        working.close()
    waits: tuple[list[float], ...] = ([], [])
    while not big.done("merge"):
        for kept, made in zip(waits, moves(page, "ArrowLeft", 1), strict=True):
            kept += made
    return waits


def row(name: str, waits: list[float], limit: float) -> str:
    middle = sorted(waits)[len(waits) // 2]
    return f"{name:<58} {middle:7.2f} {max(waits):7.2f} {limit:7.1f}"


def print_moves(name: str, waits: tuple[list[float], ...], limit: float) -> None:
    for part, seconds in zip(("words", "last figure"), waits, strict=True):
        print(row(f"{name}: {part}", seconds, limit), flush=True)


def main() -> None:
    """how long a person waits in the browser"""
    expect.set_options(timeout=PATIENCE)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = launch(playwright)
        server = Server(Path(folder) / "workspace")
        print(f"{'seconds':<58} {'median':>7} {'most':>7} {'limit':>7}", flush=True)
        try:
            whole, called = first_page(browser, server)
            print(row("first page, from the start of the server", [whole], 3))
            print(row("first page, from the first call", [called], 3), flush=True)
            workspace = Workspace(server.workspace)
            page = context_of(browser, server.address).new_page()
            small = make_run(workspace, "compas", RuleSettings(records=300), None)
            waited = click_to_theory(page, server.address, small)
            print(row("COMPAS, 300 records: from click to theory", [waited], 20), flush=True)
            plain = ExtractionSettings(refine=False)
            many = make_run(workspace, "compas", RuleSettings(plain, records=1600), "merge")
            print_moves("budget moved by one", move_budget(page, server.address, many), 0.5)
            print_moves("step moved by one", move_step(page, server.address, many), 0.5)
            adult = make_run(workspace, "adult", RuleSettings(plain, records=3000), "rules")
            again = workspace.duplicate(adult, adult.owner)
            waits = others_meanwhile(browser, server.address, adult, many, watched=False)
            print_moves("budget moved while another session merges", waits, 1.0)
            waits = others_meanwhile(browser, server.address, again, many, watched=True)
            print_moves("the same, its browser on these two cores too", waits, 1.0)
        finally:
            browser.close()
            server.kill()


if __name__ == "__main__":
    main()
