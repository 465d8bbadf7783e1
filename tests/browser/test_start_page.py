"""The first page in a real browser: it says what this is, and three ways lead on."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import (
    SLOW,
    cell,
    click_row,
    expect_no_exception,
    expect_no_wider_than_the_window,
    open_sample,
    upload,
)

pytestmark = pytest.mark.xdist_group("browser")  # one server and one browser for all of them


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_start_says_what_this_is_on_a_screen_and_a_phone(page: Page, server: str, scheme: str):
    page.emulate_media(color_scheme=scheme)
    page.goto(server)
    for width in (1440, 420):
        page.set_viewport_size({"width": width, "height": 900})
        heading = page.get_by_role("heading", name="See how a black box decides")
        expect(heading).to_be_visible(timeout=SLOW)
        expect(page.get_by_role("button", name="Open the sample")).to_be_visible(timeout=SLOW)
        expect(page.locator(".js-plotly-plot")).to_be_visible(timeout=SLOW)
        expect(page.get_by_text(re.compile(r"7\s+Otherwise"))).to_be_visible(timeout=SLOW)
        expect_no_exception(page)
        expect_no_wider_than_the_window(page)


def test_a_sample_opens_and_is_there_again(page: Page, server: str):
    open_sample(page, server)
    expect(page).to_have_url(re.compile(r"/rules\?.*run="), timeout=SLOW)
    page.goto(server)
    expect(page.get_by_text("Select a row.")).to_be_visible(timeout=SLOW)
    button = page.get_by_role("button", name="Open the selected run")
    expect(button).to_be_disabled(timeout=SLOW)
    expect(cell(page, "COMPAS risk scores")).to_be_attached(timeout=SLOW)
    click_row(page, 0)
    expect(button).to_be_enabled(timeout=SLOW)


def test_a_refused_file_gets_a_sentence(page: Page, server: str):
    page.goto(server)
    upload(page, {"name": "a*b*.csv", "mimeType": "text/csv", "buffer": b"only\n1\n2\n"})
    refusal = page.get_by_text("“a*b*.csv” has one column only")
    expect(refusal).to_be_visible(timeout=SLOW)
