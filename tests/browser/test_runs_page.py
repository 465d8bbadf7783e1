"""Runs in a real browser: they last, they are each browser's own, they can be handed on."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Server

pytestmark = pytest.mark.xdist_group("browser")
SLOW = 60_000  # milliseconds; the first page of a cold server on a busy machine


def open_sample(page: Page, address: str) -> str:
    """Open the COMPAS sample; the id of its run."""
    page.set_default_timeout(SLOW)
    page.goto(address)
    page.get_by_role("button", name="Open the sample").click()
    page.wait_for_url("**run=*", timeout=SLOW)
    return page.url.split("run=")[1].split("&")[0]


def select_first_run(page: Page) -> None:
    """The table is drawn on a canvas: its first check box has a place, not a name."""
    table = page.get_by_test_id("stDataFrame").first
    expect(table).to_be_visible(timeout=SLOW)
    box = table.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 20, box["y"] + 55)


def test_a_run_is_listed_renamed_exported_deleted_and_brought_back(
    page: Page, server: str, tmp_path: Path
):
    open_sample(page, server)
    page.goto(f"{server}/runs")
    select_first_run(page)
    page.get_by_label("Name").fill("The first one")
    page.get_by_role("button", name="Rename").click()
    expect(page.get_by_role("heading", name="The first one")).to_be_visible(timeout=SLOW)
    with page.expect_download() as download:
        page.get_by_role("button", name="Export as one file").click()
    kept = tmp_path / download.value.suggested_filename
    download.value.save_as(kept)
    assert kept.name == "The-first-one.glocalx.zip"
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("button", name="Delete for good").click()
    expect(page.get_by_text("No runs yet.")).to_be_visible(timeout=SLOW)
    page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(kept)
    page.wait_for_url(re.compile("/theory.*run="), timeout=SLOW)


def test_two_browsers_never_see_each_others_runs(browser: Browser, server: str):
    mine, yours = browser.new_context(), browser.new_context()
    run = open_sample(mine.new_page(), server)
    other = yours.new_page()
    other.goto(f"{server}/runs")
    expect(other.get_by_text("No runs yet.")).to_be_visible(timeout=SLOW)
    other.goto(f"{server}/theory?run={run}")
    expect(other.get_by_text("somebody else’s run")).to_be_visible(timeout=SLOW)
    again = mine.new_page()
    again.goto(f"{server}/runs")
    expect(again.get_by_test_id("stDataFrame").first).to_be_visible(timeout=SLOW)
    mine.close()
    yours.close()


def test_a_killed_server_loses_nothing(page: Page, own_server: Server):
    run = open_sample(page, own_server.address)
    own_server.kill()
    own_server.start()
    page.goto(f"{own_server.address}/runs")
    expect(page.get_by_test_id("stDataFrame").first).to_be_visible(timeout=SLOW)
    page.goto(f"{own_server.address}/theory?run={run}")
    expect(page.get_by_role("heading", name="Global theory")).to_be_visible(timeout=SLOW)
    expect(page.get_by_test_id("stException")).to_have_count(0)
