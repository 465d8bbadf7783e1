"""From a file and a model to a black box that can be asked, in a real browser."""

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect
from sklearn.linear_model import LogisticRegression

from tests.blackbox.model_files import exported, people, pipeline

pytestmark = pytest.mark.xdist_group("browser")  # one server and one browser for all of them
PATIENCE = 60_000  # a shared machine is slow now and then
HOSTILE = "<img src=x onerror=window.hacked=1>"


def _files() -> tuple[dict[str, object], dict[str, object]]:
    """A table with gaps and a hostile column, and a model that answers 0 and 1."""
    frame, labels = people(300)
    fitted = pipeline(frame, LogisticRegression(), scale=True)
    fitted.fit(frame, (labels == "deny").astype(np.int64))
    model = exported(fitted, frame).SerializeToString()
    table = frame.assign(**{HOSTILE: np.arange(300) % 4, "answer": labels}).astype({"age": object})
    table.loc[:8, "age"] = None
    return (
        {
            "name": "people.csv",
            "mimeType": "text/csv",
            "buffer": table.to_csv(index=False).encode(),
        },
        {"name": "model.onnx", "mimeType": "application/octet-stream", "buffer": model},
    )


def _settled(page: Page) -> None:
    """Wait until the page has been drawn to its end, and nothing of the last one is left."""
    app = page.get_by_test_id("stApp")
    expect(app).to_have_attribute("data-test-script-state", "notRunning", timeout=PATIENCE)


def _cell(grid: Locator, text: str) -> Locator:
    """A cell of the table that stands for the canvas where there is no screen."""
    return grid.locator("[role=gridcell]", has_text=text).first


def test_a_table_and_a_model_become_a_black_box(page: Page, server: str):
    table, model = _files()
    page.goto(server)
    page.locator("input[type=file]").set_input_files(table, timeout=PATIENCE)
    expect(page.get_by_text("Which column is the outcome to explain?")).to_be_visible(
        timeout=PATIENCE
    )
    page.get_by_role("button", name="Explain this column").click()
    expect(page.get_by_text("lacks 9 of 300 values")).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_role("button", name="Write local rules")).to_be_visible(timeout=PATIENCE)

    page.get_by_text("My model file").click(timeout=PATIENCE)
    page.locator("input[type=file]").set_input_files(model, timeout=PATIENCE)
    expect(page.get_by_text("in other words than the outcome column")).to_be_visible(
        timeout=PATIENCE
    )
    page.get_by_role("button", name="Use this model").click()
    expect(page.get_by_text("Accuracy, held out")).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_text("including its mistakes")).to_be_visible()
    assert page.evaluate("window.hacked") is None
    expect(page.get_by_test_id("stException")).to_have_count(0)

    page.set_viewport_size({"width": 420, "height": 900})
    expect(page.get_by_role("heading", name="The black box")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_training_shows_progress_can_be_cancelled_and_goes_on(page: Page, server: str):
    page.goto(server)
    page.get_by_text("German credit").click(timeout=PATIENCE)
    expect(page.get_by_text("1,000 records.")).to_be_visible(timeout=PATIENCE)
    page.get_by_role("button", name="Open the sample").click()
    expect(page.get_by_text("Not trained yet.")).to_be_visible(timeout=PATIENCE)
    for choice in ("Neural net", "The paper’s grid"):
        _settled(page)
        page.get_by_text(choice).click()
        expect(page.get_by_role("radio", name=choice).last).to_be_checked(timeout=PATIENCE)
    _settled(page)
    page.get_by_role("button", name="Train the black box").click(timeout=PATIENCE)
    expect(page.get_by_text("Training the black box")).to_be_visible(timeout=PATIENCE)
    page.get_by_role("button", name="Cancel").click(timeout=PATIENCE)
    expect(page.get_by_text("Stopped. What was made is kept.")).to_be_visible(timeout=PATIENCE)
    _settled(page)
    page.get_by_text("Quick", exact=True).click()
    expect(page.get_by_role("button", name="Go on")).to_be_visible(timeout=PATIENCE)
    _settled(page)
    page.get_by_role("button", name="Train the black box").click(timeout=PATIENCE)
    expect(page.get_by_text("Accuracy, held out")).to_be_visible(timeout=PATIENCE)


def test_a_column_gets_another_name_and_keeps_it(page: Page, server: str):
    table, _ = _files()
    page.goto(server)
    page.locator("input[type=file]").set_input_files(table, timeout=PATIENCE)
    page.get_by_role("button", name="Explain this column").click(timeout=PATIENCE)
    grid = page.get_by_test_id("stDataFrame").first
    expect(_cell(grid, "amount")).to_be_attached(timeout=PATIENCE)
    expect(page.get_by_role("button", name="Write local rules")).to_be_visible(timeout=PATIENCE)
    _settled(page)
    grid.locator(".dvn-scroller").click(position={"x": 60, "y": 55})
    page.wait_for_timeout(300)  # one click is chosen before the next key counts
    page.keyboard.press("Enter")
    entry = page.locator("#portal textarea, #portal input").first
    entry.fill("Years of age", timeout=PATIENCE)
    entry.press("Enter")
    expect(_cell(grid, "Years of age")).to_be_attached(timeout=PATIENCE)
    page.reload()
    again = page.get_by_test_id("stDataFrame").first
    expect(_cell(again, "Years of age")).to_be_attached(timeout=PATIENCE)
