"""The first page in a real browser: it says what this is, and three ways lead on."""

import re

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.xdist_group("browser")  # one server and one browser for all of them
PATIENCE = 60_000  # a shared machine is slow now and then


@pytest.mark.parametrize("width", [1440, 420])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_start_says_what_this_is(page: Page, server: str, width: int, scheme: str):
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(server)
    heading = page.get_by_role("heading", name="See how a black box decides")
    expect(heading).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_role("button", name="Open the sample")).to_be_visible(timeout=PATIENCE)
    expect(page.locator(".js-plotly-plot")).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_text(re.compile(r"7\s+Otherwise"))).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_test_id("stException")).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_sample_opens_and_is_there_again(page: Page, server: str):
    page.goto(server)
    page.get_by_role("button", name="Open the sample").click(timeout=PATIENCE)
    expect(page).to_have_url(re.compile(r"/rules\?.*run="), timeout=PATIENCE)
    page.goto(server)
    expect(page.get_by_text("Select a row.")).to_be_visible(timeout=PATIENCE)
    button = page.get_by_role("button", name="Open the selected run")
    expect(button).to_be_disabled(timeout=PATIENCE)
    runs = page.locator("[role=gridcell]", has_text="COMPAS risk scores")
    expect(runs).to_be_attached(timeout=PATIENCE)
    page.locator(".dvn-scroller").click(position={"x": 20, "y": 52})
    expect(button).to_be_enabled(timeout=PATIENCE)


def test_a_refused_file_gets_a_sentence(page: Page, server: str):
    page.goto(server)
    file = {"name": "a*b*.csv", "mimeType": "text/csv", "buffer": b"only\n1\n2\n"}
    page.locator("input[type=file]").set_input_files(file, timeout=PATIENCE)
    refusal = page.get_by_text("“a*b*.csv” has one column only")
    expect(refusal).to_be_visible(timeout=PATIENCE)
