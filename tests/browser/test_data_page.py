"""Data and model in a real browser: a column gets a name, training is cancelled and goes on."""

import pytest
from playwright.sync_api import Page, expect

from tests.blackbox.model_files import people
from tests.browser.serving import Server
from tests.browser.steps import button, cell, choose, csv_file, press, sees, settled, upload

pytestmark = pytest.mark.xdist_group("browser")  # one server and one browser for all of them


def test_a_column_gets_a_name_and_training_is_cancelled_and_goes_on(page: Page, dashboard: Server):
    frame, labels = people(300)
    page.goto(dashboard.address)
    upload(page, csv_file("people.csv", frame.assign(answer=labels).to_csv(index=False)))
    press(page, "Explain this column")
    expect(cell(page, "amount")).to_be_attached()
    sees(page, "Not trained yet.")
    settled(page)
    _name_first_column(page, "Years of age")
    page.reload()
    expect(cell(page, "Years of age")).to_be_attached()

    choose(page, "Neural net")
    choose(page, "The paper’s grid")
    press(page, "Train the black box")
    sees(page, "Training the black box")
    press(page, "Cancel")
    sees(page, "Stopped. What was made is kept.")
    expect(button(page, "Go on")).to_be_visible()
    choose(page, "Quick")
    expect(button(page, "Go on")).to_have_count(0)  # other settings: there is nothing to go on with
    press(page, "Train the black box")
    sees(page, "Accuracy, held out")
    expect(cell(page, "Years of age")).to_be_attached()


def _name_first_column(page: Page, name: str) -> None:
    grid = page.get_by_test_id("stDataFrame").first
    grid.locator(".dvn-scroller").click(position={"x": 60, "y": 55})
    chosen = grid.locator("[role=gridcell][aria-selected=true]")
    expect(chosen).to_be_attached()  # only then the next key counts
    page.keyboard.press("Enter")
    entry = page.locator("#portal textarea, #portal input").first
    entry.fill(name)
    entry.press("Enter")
    expect(cell(page, name)).to_be_attached()
    settled(page)
