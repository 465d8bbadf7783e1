"""Data and model in a real browser: a column gets a name, training is cancelled and goes on."""

import re

from playwright.sync_api import Page, expect

from tests.blackbox.brought_models import BROUGHT, LOANS
from tests.blackbox.model_files import people
from tests.browser.serving import Server
from tests.browser.steps import (
    button,
    cell,
    choose,
    csv_file,
    press,
    press_at_once,
    run_shown,
    sees,
    settled,
    text,
    upload,
)
from tests.workspace.kept_waiting import kept_waiting


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
    with kept_waiting(dashboard.folder_of(run_shown(page))):
        press(page, "Train the black box")
        sees(page, "Getting ready")
        press_at_once(page, "Cancel")
        settled(page)
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


def test_a_brought_model_is_matched_and_what_it_does_not_read_is_marked(
    page: Page, dashboard: Server
):
    brought = next(each for each in BROUGHT if each.name == "lightgbm")
    page.goto(dashboard.address)
    upload(page, csv_file("loans.csv", LOANS.read_text(encoding="utf-8")))
    settled(page)
    column = page.get_by_role("combobox", name="Outcome column")
    column.fill("Tier")
    column.press("Enter")
    sees(page, re.compile("^Values of Tier"))
    settled(page)
    press(page, "Explain this column")
    expect(cell(page, "Größe des Haushalts").first).to_be_attached()
    settled(page)
    choose(page, "My model file")
    model = {"name": "lightgbm.onnx", "mimeType": "application/octet-stream"}
    upload(page, model | {"buffer": brought.file.read_bytes()})
    sees(page, "Matched: Income = Income (€ per month), Debt_to_income = Debt to income (%)")
    sees(page, "Not read by the model: Filed on, Gender")
    press(page, "Use this model")
    sees(page, re.compile("^Measured on these .* may have seen"))
    expect(cell(page, "not read by the model").first).to_be_attached()
    sees(page, re.compile("420.* explain"))
    expect(text(page, "train the black box")).to_have_count(0)
