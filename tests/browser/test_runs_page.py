"""Runs in a real browser: listed, renamed, and handed on as a file."""

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from glocalx.workspace.run import Run
from tests.browser.serving import Server
from tests.browser.steps import be_owner, click_row, fresh, heading, press, sees, settled


def test_a_run_is_listed_renamed_exported_deleted_and_brought_back(
    page: Page, dashboard: Server, own_compas: Run, tmp_path: Path
):
    be_owner(page, dashboard, own_compas)
    page.goto(f"{dashboard.address}/runs")
    sees(page, "Select one run to open")
    click_row(page, 0)
    fresh(page.get_by_label("Name")).fill("The first one")
    press(page, "Rename")
    expect(heading(page, "The first one")).to_be_visible()
    settled(page)
    with page.expect_download() as download:
        press(page, "Export as one file")
    kept = tmp_path / download.value.suggested_filename
    download.value.save_as(kept)
    assert kept.name == "the-first-one.glocalx.zip"
    press(page, "Delete")
    press(page, "Delete for good")
    sees(page, "No runs yet.")
    fresh(page.get_by_test_id("stFileUploaderDropzoneInput")).set_input_files(kept)
    page.wait_for_url(re.compile("/theory.*run="))
