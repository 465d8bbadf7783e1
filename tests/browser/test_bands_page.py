"""An outcome of numbers in a real browser: from the upload to the report."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.serving import Server
from tests.browser.steps import (
    button,
    choose,
    csv_file,
    expect_no_exception,
    fresh,
    heading,
    press,
    press_offered,
    sees,
    settled,
    upload,
)


def _houses() -> str:
    rows = (
        f"{1 + n % 7},{'f' if n % 3 else 'm'},{50_000 + 20_000 * (1 + n % 7) + 311.5 * (n % 40)}"
        for n in range(240)
    )
    return "\n".join(("rooms,sex,price", *rows))


def test_a_regression_target_from_upload_to_report(page: Page, dashboard: Server):
    page.goto(dashboard.address)
    upload(page, csv_file("houses.csv", _houses()))
    settled(page)
    column = page.get_by_role("combobox", name="Outcome column")
    column.fill("price")
    column.press("Enter")
    sees(page, "Where should the numbers be cut?", re.compile("Of 240 records, below 1"))
    choose(page, "At my own numbers")
    entry = page.get_by_role("textbox", name="Numbers to cut at, parted by semicolons")
    entry.fill("180,000")
    entry.press("Enter")
    sees(page, re.compile("Of 240 records, below 180,000"))
    settled(page)
    press(page, "Explain this column")
    expect(button(page, "Straight to the global theory")).to_be_visible()
    press(page, "Straight to the global theory")
    expect(button(page, "Audit these rules")).to_be_visible()
    settled(page)
    expect(page.get_by_text("180,000 and more").first).to_be_visible()
    press(page, "Audit these rules")
    expect(heading(page, "Which rules are responsible?")).to_be_visible()
    expect_no_exception(page)
    downloads = fresh(page.get_by_role("button", name="Download", exact=True))
    with page.expect_download() as taken:
        press_offered(page, downloads, "The report (HTML)")
    report = Path(taken.value.path()).read_text(encoding="utf-8")
    assert "180,000 and more" in report
    assert "below 180,000" in report
