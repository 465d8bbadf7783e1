"""Local rules in a real browser: search, select, read, share the link."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.steps import (
    SLOW,
    click_row,
    colleague,
    expect_no_exception,
    expect_no_wider_than_the_window,
    open_sample,
)

pytestmark = pytest.mark.xdist_group("browser")


def test_rules_are_searched_and_read_and_the_link_shows_the_same(
    page: Page, server: str, browser: Browser
):
    run = open_sample(page, server)
    page.get_by_role("searchbox", name="Search").fill("priors")
    expect(page).to_have_url(re.compile("search=priors"), timeout=SLOW)
    expect(page.get_by_text("No rule selected")).to_be_visible(timeout=SLOW)
    click_row(page, 1)
    title = page.get_by_text(re.compile(r"Rule of record \d"))
    expect(title).to_be_visible(timeout=SLOW)
    sentence = page.get_by_role("heading", name=re.compile(r"^If .* risk\.$"))
    expect(sentence).to_contain_text("prior", timeout=SLOW)
    expect(page).to_have_url(re.compile(rf"run={run}.*record=\d"), timeout=SLOW)
    expect_no_exception(page)

    other = colleague(browser, page.url)
    expect(other.get_by_role("heading", name=sentence.inner_text())).to_be_visible(timeout=SLOW)
    expect(other.get_by_role("searchbox", name="Search")).to_have_value("priors", timeout=SLOW)
    expect_no_wider_than_the_window(other)
    other.context.close()
