"""The first page in a real browser: it says what this is, and three ways lead on."""

import re

from playwright.sync_api import Page, expect

from tests.browser.serving import Server
from tests.browser.steps import (
    button,
    cell,
    click_row,
    csv_file,
    expect_no_exception,
    expect_no_wider_than_the_window,
    fresh,
    heading,
    press,
    sees,
    settled,
    upload,
)


def test_start_says_what_this_is_light_and_dark_on_a_screen_and_a_phone(
    page: Page, dashboard: Server
):
    page.goto(dashboard.address)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        for width in (1440, 420):
            page.set_viewport_size({"width": width, "height": 900})
            expect(heading(page, "See how a black box decides")).to_be_visible()
            expect(button(page, "Open the sample")).to_be_visible()
            expect(fresh(page.locator(".js-plotly-plot"))).to_be_visible()
            sees(page, re.compile(r"8\s+Otherwise"))
            expect_no_exception(page)
            expect_no_wider_than_the_window(page)


def test_a_refused_file_gets_a_sentence_and_a_sample_opens_and_is_there_again(
    page: Page, dashboard: Server
):
    page.goto(dashboard.address)
    upload(page, csv_file("a*b*.csv", "only\n1\n2\n"))
    sees(page, "“a*b*.csv” has one column only")
    settled(page)
    press(page, "Open the sample")
    page.wait_for_url(re.compile(r"/rules\?.*run="))
    page.goto(dashboard.address)
    sees(page, "Select a row.")
    opened = button(page, "Open the selected run")
    expect(opened).to_be_disabled()
    expect(cell(page, "COMPAS risk scores")).to_be_attached()
    click_row(page, 0)
    expect(opened).to_be_enabled()
