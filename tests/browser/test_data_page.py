"""Data and model in a real browser: a column gets a name, training is cancelled and goes on."""

import pytest
from playwright.sync_api import Page, expect

from tests.blackbox.model_files import people
from tests.browser.steps import SLOW, cell, press, settled, upload

pytestmark = pytest.mark.xdist_group("browser")  # one server and one browser for all of them


def test_training_shows_progress_can_be_cancelled_and_goes_on(page: Page, server: str):
    page.goto(server)
    page.get_by_text("German credit").click(timeout=SLOW)
    expect(page.get_by_text("1,000 records.")).to_be_visible(timeout=SLOW)
    page.get_by_role("button", name="Open the sample").click()
    expect(page.get_by_text("Not trained yet.")).to_be_visible(timeout=SLOW)
    for choice in ("Neural net", "The paper’s grid"):
        settled(page)
        page.get_by_text(choice).click()
        expect(page.get_by_role("radio", name=choice).last).to_be_checked(timeout=SLOW)
    settled(page)
    press(page, "Train the black box")
    expect(page.get_by_text("Training the black box")).to_be_visible(timeout=SLOW)
    press(page, "Cancel")
    expect(page.get_by_text("Stopped. What was made is kept.")).to_be_visible(timeout=SLOW)
    settled(page)
    page.get_by_text("Quick", exact=True).click()
    expect(page.get_by_role("button", name="Go on")).to_be_visible(timeout=SLOW)
    settled(page)
    press(page, "Train the black box")
    expect(page.get_by_text("Accuracy, held out")).to_be_visible(timeout=SLOW)


def test_a_column_gets_another_name_and_keeps_it(page: Page, server: str):
    frame, labels = people(300)
    table = frame.assign(answer=labels).to_csv(index=False).encode()
    page.goto(server)
    upload(page, {"name": "people.csv", "mimeType": "text/csv", "buffer": table})
    press(page, "Explain this column")
    grid = page.get_by_test_id("stDataFrame").first
    expect(page.get_by_role("button", name="Write local rules")).to_be_visible(timeout=SLOW)
    expect(cell(page, "amount")).to_be_attached(timeout=SLOW)
    settled(page)
    grid.locator(".dvn-scroller").click(position={"x": 60, "y": 55})
    chosen = grid.locator("[role=gridcell][aria-selected=true]")
    expect(chosen).to_be_attached(timeout=SLOW)  # only then the next key counts
    page.keyboard.press("Enter")
    entry = page.locator("#portal textarea, #portal input").first
    entry.fill("Years of age", timeout=SLOW)
    entry.press("Enter")
    expect(cell(page, "Years of age")).to_be_attached(timeout=SLOW)
    settled(page)
    page.reload()
    expect(cell(page, "Years of age")).to_be_attached(timeout=SLOW)
