"""Local rules in a real browser: write, cancel, go on, search, select, read, share the link."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from playwright.sync_api import Browser, Page, expect

from glocalx.extraction.settings import ExtractionSettings
from glocalx.workspace.prepared import open_sample
from glocalx.workspace.settings import RuleSettings
from glocalx.workspace.store import Workspace
from tests.browser.conftest import Server

pytestmark = pytest.mark.xdist_group("browser")

OWNER = "rules-tester"
SLOW = 60_000
RECORDS = 120
HEADER, ROW = 35, 35  # of the grid, which is one canvas


def open_as(page: Page, server: Server, who: str, address: str) -> None:
    cookie = {"name": "glocalx_browser", "value": who, "url": server.address}
    page.context.add_cookies([cookie])
    page.goto(server.address)  # the first page that a new server is asked for has to be this one
    expect(page.get_by_role("heading").first).to_be_visible(timeout=SLOW)
    page.goto(address)
    expect(page.get_by_role("heading", name="Local rules")).to_be_visible(timeout=SLOW)


def click_row(page: Page, row: int) -> None:
    """Select a row of the table by its box at the left."""
    grid = page.get_by_test_id("stDataFrame").first
    grid.scroll_into_view_if_needed()
    grid.click(position={"x": 20, "y": HEADER + ROW * row + ROW / 2})


def test_rules_are_written_cancelled_continued_searched_and_read(
    page: Page, own_server: Server, browser: Browser
):
    workspace = Workspace(own_server.workspace)
    run = open_sample(workspace, f"browser:{OWNER}", "compas")
    slow = RuleSettings(extraction=ExtractionSettings(neighbours=4000), records=RECORDS)
    run = workspace.save(run, settings=replace(run.settings, rules=slow))
    open_as(page, own_server, OWNER, f"{own_server.address}/rules?run={run.id}")

    page.get_by_role("button", name="Write local rules").click()
    expect(page.get_by_text("rules so far")).to_be_visible(timeout=SLOW)
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text("Stopped. What was made is kept.")).to_be_visible(timeout=SLOW)
    expect(page.get_by_text("rules so far")).to_be_visible()
    page.get_by_role("button", name="Go on").click()
    done = page.get_by_text(re.compile(rf"of {RECORDS} rules \("))
    expect(done).to_be_visible(timeout=2 * SLOW)

    page.get_by_role("searchbox", name="Search").fill("priors")
    expect(page).to_have_url(re.compile("search=priors"), timeout=SLOW)
    expect(page.get_by_text("No rule selected")).to_be_visible()
    click_row(page, 1)
    title = page.get_by_text(re.compile(r"Rule of record \d"))
    expect(title).to_be_visible(timeout=SLOW)
    sentence = page.get_by_role("heading", name=re.compile(r"^If .* risk\.$"))
    expect(sentence).to_contain_text("prior")
    expect(page).to_have_url(re.compile(rf"run={run.id}.*record=\d"))
    expect(page.get_by_role("button", name="Merge these rules")).to_be_enabled()

    read = sentence.inner_text()
    _colleague_sees_the_same(browser, own_server, page.url, read)
    page.set_viewport_size({"width": 420, "height": 900})
    expect(sentence).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    expect(page.get_by_test_id("stException")).to_have_count(0)


def _colleague_sees_the_same(browser: Browser, server: Server, address: str, read: str) -> None:
    context = browser.new_context()
    other = context.new_page()
    open_as(other, server, "a-colleague", address)
    expect(other.get_by_role("heading", name=read)).to_be_visible(timeout=SLOW)
    expect(other.get_by_text("somebody else’s run")).to_be_visible()
    expect(other.get_by_role("searchbox", name="Search")).to_have_value("priors")
    context.close()
