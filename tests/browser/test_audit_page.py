"""Audit in a real browser: a cell, groups, a rule, and the report without a network."""

import re
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from glocalx.workspace.run import Run
from tests.browser.serving import Server, window
from tests.browser.steps import (
    click_row,
    expect_no_exception,
    expect_to_fit_a_phone,
    fresh,
    heading,
    insist,
    open_page,
    press_offered,
    sees,
    settled,
)


def test_a_cell_groups_a_rule_and_the_report_opens_without_a_network(
    page: Page, browser: Browser, dashboard: Server, compas: Run, tmp_path: Path
):
    open_page(page, dashboard, "audit", compas, column="sex")
    sees(page, "the 7 chosen rules")
    expect(heading(page, "Which rules are responsible?")).to_be_visible()
    settled(page)
    _click_first_cell(page)
    expect(page).to_have_url(re.compile("rule=1.*group=sex%3DFemale"))
    expect(heading(page, "Those whom rule 1 covers")).to_be_visible()
    sees(page, re.compile("of Female High risk"))
    settled(page)
    insist(
        lambda wait: _add_group(page, "Charge", wait),
        lambda wait: expect(page).to_have_url(re.compile("column=c_charge_degree"), timeout=wait),
    )
    page.keyboard.press("Escape")
    settled(page)
    page.get_by_role("radio", name="The rules").click()
    expect(page).to_have_url(re.compile("answers=rules"))
    settled(page)
    click_row(page, 2, "Covers")
    expect(heading(page, "Those whom rule 3 covers")).to_be_visible()
    expect(page).to_have_url(re.compile(f"run={compas.id}.*rule=3"))
    expect_no_exception(page)
    expect_to_fit_a_phone(page)

    downloads = fresh(page.get_by_role("button", name="Download", exact=True))
    with page.expect_download() as download:
        press_offered(page, downloads, "The report (HTML)")
    assert download.value.suggested_filename == "compas-risk-scores-audit.html"
    download.value.save_as(tmp_path / "report.html")
    _expect_report_offline(browser, tmp_path / "report.html")


def _add_group(page: Page, name: str, wait: float) -> None:
    page.get_by_role("combobox", name="Groups by").click(timeout=wait)
    page.get_by_role("option", name=name).click(timeout=wait)


def _click_first_cell(page: Page) -> None:
    """The cell of rule 1 and the first group, beside its text."""
    first = page.locator(".js-plotly-plot").nth(1).locator("g.textpoint text").first
    first.scroll_into_view_if_needed()
    box = first.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2 + 6, box["y"] + box["height"] / 2 + 3)


def _expect_report_offline(browser: Browser, report: Path) -> None:
    offline = window(browser, 1440, offline=True).new_page()
    asked: list[str] = []
    offline.on("request", lambda request: asked.append(request.url))
    offline.goto(report.as_uri())
    expect(offline.get_by_role("heading", name="COMPAS risk scores", level=1)).to_be_visible()
    expect(offline.get_by_text("Female").first).to_be_attached()
    offline.context.close()
    assert len(asked) == 1, "the page itself, and nothing else"
