"""Global theory in a real browser: choose, read, share the link, ask what if."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from glocalx.workspace.run import Run
from glocalx.workspace.sample_runs import open_sample
from glocalx.workspace.store import Workspace
from tests.browser.conftest import Server

pytestmark = pytest.mark.xdist_group("browser")

OWNER = "theory-tester"
SLOW = 120_000


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Run]]:
    """A dashboard with a finished run."""
    server = Server(tmp_path_factory.mktemp("theory") / "workspace")
    server.start()
    yield server, open_sample(Workspace(server.workspace), f"browser:{OWNER}", "compas")
    server.kill()


def open_theory(page: Page, server: Server, who: str, address: str) -> None:
    cookie = {"name": "glocalx_browser", "value": who, "url": server.address}
    page.context.add_cookies([cookie])
    page.goto(server.address)  # the first page that a new server is asked for has to be this one
    expect(page.get_by_role("heading").first).to_be_visible(timeout=SLOW)
    page.goto(address)
    expect(page.get_by_role("button", name="Audit these rules")).to_be_visible(timeout=SLOW)


def expect_rules(page: Page, number: str) -> None:
    shown = page.get_by_test_id("stMetric").filter(has_text="Rules")
    expect(shown.get_by_test_id("stMetricValue")).to_have_text(number, timeout=SLOW)


def test_the_budget_moves_every_figure_and_the_link_shows_the_same(
    page: Page, served: tuple[Server, Run], browser: Browser
):
    server, run = served
    open_theory(page, server, OWNER, f"{server.address}/theory?run={run.id}")
    expect_rules(page, "10")
    slider = page.get_by_role("slider", name="How many rules")
    slider.focus()
    for _ in range(4):
        page.keyboard.press("ArrowLeft")
    expect_rules(page, "6")
    expect(page.get_by_text("covers")).to_have_count(6, timeout=SLOW)
    expect(page.get_by_text(re.compile("^6 rules, "))).to_be_visible(timeout=SLOW)
    expect(page).to_have_url(re.compile("by=budget&value=6"), timeout=SLOW)
    assert f"run={run.id}" in page.url

    other = browser.new_context(viewport={"width": 420, "height": 900})
    colleague = other.new_page()
    open_theory(colleague, server, "a-colleague", page.url)
    expect_rules(colleague, "6")
    expect(colleague.get_by_text("somebody else’s run")).to_be_visible()
    assert colleague.evaluate("document.documentElement.scrollWidth <= innerWidth")
    other.close()

    page.get_by_role("radio", name="Matrix").click()
    expect(page.get_by_text("A row for each rule")).to_be_visible(timeout=SLOW)
    expect(page).to_have_url(re.compile("view=matrix"), timeout=SLOW)
    expect(page.get_by_test_id("stException")).to_have_count(0)


def test_other_values_flip_the_answer(page: Page, served: tuple[Server, Run]):
    server, run = served
    address = f"{server.address}/theory?run={run.id}&by=budget&value=10&asked_record=1"
    open_theory(page, server, OWNER, address)
    expect(page.get_by_text("No rule applies, so the rules")).to_be_visible(timeout=SLOW)
    page.get_by_text("What if? Change its values").click()
    age = page.get_by_role("spinbutton", name="Age")
    age.fill("22")
    age.press("Enter")
    expect(page.get_by_text("is the first that applies")).to_be_visible(timeout=SLOW)
    page.get_by_role("button", name="Put the record’s own values back").click()
    expect(page.get_by_text("No rule applies, so the rules")).to_be_visible(timeout=SLOW)
    with page.expect_download() as download:
        page.get_by_role("button", name="Download the rules").click()
        page.get_by_role("button", name="JSON").click()
    assert download.value.suggested_filename == "compas-risk-scores-10-rules.json"
