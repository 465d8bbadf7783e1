"""Runs in a real browser: listed, renamed, and handed on as a file."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import SLOW, click_row, open_sample

pytestmark = pytest.mark.xdist_group("browser")


def test_a_run_is_listed_renamed_exported_deleted_and_brought_back(
    page: Page, server: str, tmp_path: Path
):
    open_sample(page, server)
    page.goto(f"{server}/runs")
    click_row(page, 0)
    page.get_by_label("Name").fill("The first one")
    page.get_by_role("button", name="Rename").click()
    expect(page.get_by_role("heading", name="The first one")).to_be_visible(timeout=SLOW)
    with page.expect_download(timeout=SLOW) as download:
        page.get_by_role("button", name="Export as one file").click()
    kept = tmp_path / download.value.suggested_filename
    download.value.save_as(kept)
    assert kept.name == "the-first-one.glocalx.zip"
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("button", name="Delete for good").click()
    expect(page.get_by_text("No runs yet.")).to_be_visible(timeout=SLOW)
    page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(kept)
    page.wait_for_url(re.compile("/theory.*run="), timeout=SLOW)
