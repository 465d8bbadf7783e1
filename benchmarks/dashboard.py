"""The dashboard in a real browser: how long a person waits.

Seconds as a person sees them, from the click to the new figures on screen. They are printed
beside the limits that we set ourselves; a busy machine makes all of them longer.
"""

from __future__ import annotations

import re
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from glocalx.extraction.settings import ExtractionSettings
from glocalx.workspace.prepared import sample_settings
from glocalx.workspace.run import Run
from glocalx.workspace.settings import RuleSettings
from glocalx.workspace.stages import iter_run
from glocalx.workspace.store import Workspace
from tests.browser.conftest import FLAGS, Server
from tests.browser.find_chromium import find_chromium

BROWSER = "benchmark"
PATIENCE = 120_000


def make_run(workspace: Workspace, sample: str, rules: RuleSettings, until: str | None) -> Run:
    """A run of this benchmark's browser, worked on here up to a stage."""
    settings = replace(sample_settings(sample), rules=rules)
    run = workspace.create(f"browser:{BROWSER}", sample, settings)
    if until is not None:
        for _ in iter_run(run, until, -1, lambda: False):
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


def move_budget(page: Page, address: str, run: Run, times: int = 6) -> list[float]:
    """Move the budget by one: new figures on screen."""
    page.goto(f"{address}/theory?run={run.id}&by=budget&value=20")
    slider = page.get_by_role("slider").first
    metric = page.get_by_test_id("stMetric").filter(has_text=re.compile("^Rules"))
    rules = metric.get_by_test_id("stMetricValue")
    expect(rules).to_be_visible()
    page.wait_for_timeout(2000)
    waits = []
    for _ in range(times):
        before = rules.inner_text().strip()
        slider.focus()
        waits.append(
            seconds_for(
                lambda: page.keyboard.press("ArrowLeft"),
                lambda before=before: expect(rules).not_to_have_text(before),
            )
        )
    return waits


def move_step(page: Page, address: str, run: Run, times: int = 6) -> list[float]:
    """Move the step slider: the step's card tells the new one."""
    page.goto(f"{address}/merge?run={run.id}&step=700")
    slider = page.get_by_role("slider").first
    expect(page.get_by_role("heading", name="Step 700")).to_be_visible()
    page.wait_for_timeout(2000)
    waits = []
    for number in range(701, 701 + times):
        heading = page.get_by_role("heading", name=f"Step {number}")
        slider.focus()
        waits.append(
            seconds_for(
                lambda: page.keyboard.press("ArrowRight"),
                lambda heading=heading: expect(heading).to_be_visible(),
            )
        )
    return waits


def others_meanwhile(browser: Browser, address: str, big: Run, finished: Run) -> list[float]:
    """While one session merges, another moves its budget."""
    working = context_of(browser, address).new_page()
    working.goto(f"{address}/merge?run={big.id}")
    working.get_by_role("button", name="End").click()
    page = context_of(browser, address).new_page()
    return move_budget(page, address, finished)


def row(name: str, waits: list[float], limit: float) -> str:
    middle = sorted(waits)[len(waits) // 2]
    return f"{name:<58} {middle:7.2f} {max(waits):7.2f} {limit:7.1f}"


def main() -> None:
    """how long a person waits in the browser"""
    expect.set_options(timeout=PATIENCE)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
        server = Server(Path(folder))
        print(f"{'seconds':<58} {'median':>7} {'most':>7} {'limit':>7}", flush=True)
        try:
            whole, called = first_page(browser, server)
            print(row("first page, from the start of the server", [whole], 3))
            print(row("first page, from the first call", [called], 3), flush=True)
            workspace = Workspace(Path(folder))
            page = context_of(browser, server.address).new_page()
            small = make_run(workspace, "compas", RuleSettings(records=300), None)
            waited = click_to_theory(page, server.address, small)
            print(row("COMPAS, 300 records: from click to theory", [waited], 20), flush=True)
            plain = ExtractionSettings(refine=False)
            many = make_run(workspace, "compas", RuleSettings(plain, records=1600), "merge")
            print(row("budget moved by one", move_budget(page, server.address, many), 0.5))
            print(row("step moved by one", move_step(page, server.address, many), 0.5), flush=True)
            adult = make_run(workspace, "adult", RuleSettings(plain, records=3000), "rules")
            waits = others_meanwhile(browser, server.address, adult, many)
            print(row("budget moved while another session merges", waits, 1.0), flush=True)
        finally:
            browser.close()
            server.kill()


if __name__ == "__main__":
    main()
