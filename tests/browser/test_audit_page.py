"""Audit in a real browser: groups, a rule, its link, and the report without a network."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.test_runs_page import SLOW, open_sample

pytestmark = pytest.mark.xdist_group("browser")


def select_row(page: Page, row: int) -> None:
    """The table of rules is drawn on a canvas: its check boxes have a place, not a name."""
    table = page.get_by_test_id("stDataFrame").filter(visible=True).first
    table.scroll_into_view_if_needed()
    box = table.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 20, box["y"] + 35 * row + 53)


def test_groups_a_rule_and_the_link_to_both(page: Page, browser: Browser, server: str):
    run = open_sample(page, server)
    page.goto(f"{server}/audit?run={run}")
    expect(page.get_by_text("the 10 chosen rules")).to_be_visible(timeout=SLOW)
    expect(page.get_by_text("name Race outright")).to_be_visible(timeout=SLOW)
    page.get_by_role("combobox", name="Groups by").click()
    page.get_by_role("option", name="Charge").click()
    page.keyboard.press("Escape")
    expect(page).to_have_url(re.compile("column=c_charge_degree"), timeout=SLOW)
    page.get_by_role("radio", name="The black box").click()
    expect(page.get_by_text("Whom does the black box call")).to_be_visible(timeout=SLOW)
    select_row(page, 2)
    covered = page.get_by_role("heading", name="Those whom rule 3 covers")
    expect(covered).to_be_visible(timeout=SLOW)
    expect(page).to_have_url(re.compile("rule=3"))
    assert f"run={run}" in page.url
    assert page.get_by_test_id("stException").count() == 0

    colleague = browser.new_context(viewport={"width": 420, "height": 900}).new_page()
    colleague.goto(page.url)
    same = colleague.get_by_role("heading", name="Those whom rule 3 covers")
    expect(same).to_be_visible(timeout=SLOW)
    expect(colleague.get_by_text("somebody else’s run")).to_be_visible()
    figures = page.get_by_test_id("stMetricValue").all_inner_texts()
    expect(colleague.get_by_test_id("stMetricValue")).to_have_text(figures, timeout=SLOW)
    assert colleague.evaluate("document.documentElement.scrollWidth <= innerWidth")
    colleague.context.close()


def test_a_click_on_a_cell_reads_its_rule_and_its_group(page: Page, server: str):
    run = open_sample(page, server)
    page.goto(f"{server}/audit?run={run}&column=sex")
    expect(page.get_by_text("Which rules are responsible?")).to_be_visible(timeout=SLOW)
    cells = page.locator(".js-plotly-plot").nth(1).locator("g.textpoint text")
    cell = cells.first  # rule 1, the first group
    cell.scroll_into_view_if_needed()
    box = cell.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2 + 6, box["y"] + box["height"] / 2 + 3)
    expect(page).to_have_url(re.compile("rule=1.*group=sex%3DFemale"), timeout=SLOW)
    covered = page.get_by_role("heading", name="Those whom rule 1 covers")
    expect(covered).to_be_visible(timeout=SLOW)
    expect(page.get_by_text(re.compile("of Female High risk"))).to_be_visible(timeout=SLOW)


def test_the_report_opens_without_a_network(
    page: Page, browser: Browser, server: str, tmp_path: Path
):
    run = open_sample(page, server)
    page.goto(f"{server}/audit?run={run}&column=race")
    page.get_by_role("button", name="Download", exact=True).click(timeout=SLOW)
    with page.expect_download(timeout=SLOW) as download:
        page.get_by_role("button", name="The report (HTML)").click()
    assert download.value.suggested_filename == "compas-risk-scores-audit.html"
    download.value.save_as(tmp_path / "report.html")
    offline = browser.new_context(offline=True).new_page()
    asked: list[str] = []
    offline.on("request", lambda request: asked.append(request.url))
    offline.goto((tmp_path / "report.html").as_uri())
    expect(offline.get_by_role("heading", name="COMPAS risk scores", level=1)).to_be_visible()
    expect(offline.get_by_text("African-American").first).to_be_attached()
    assert len(asked) == 1, "the page itself, and nothing else"
    offline.context.close()
